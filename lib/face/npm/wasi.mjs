// The module of WebAssembly under node's WASI.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const emit = process.emitWarning;
process.emitWarning = (warning, ...rest) =>
  (rest[0]?.type ?? rest[0]) === 'ExperimentalWarning' ? undefined : emit.call(process, warning, ...rest);
const { WASI } = createRequire(import.meta.url)('node:wasi');
process.emitWarning = emit;

let compiled;

/** Returns the compiled module, which all instances share. */
export function module() {
  compiled ??= new WebAssembly.Module(readFileSync(new URL('mcpl.wasm', import.meta.url)));
  return compiled;
}

/** Is thrown where the module ends itself. */
export class Exit extends Error {
  constructor(status) {
    super(`the module ended with status ${status}`);
    this.status = status;
  }
}

/** Returns an instance whose other imports are `host`. */
export function instantiate(options, host) {
  const wasi = new WASI({ version: 'preview1', ...options });
  // Functions of JavaScript in between: node's own crash after some thousand calls, since V8
  // calls them without their object.
  const imports = {};
  for (const [name, f] of Object.entries(wasi.wasiImport)) imports[name] = (...args) => f(...args);
  imports.proc_exit = (status) => { throw new Exit(status); };
  const instance = new WebAssembly.Instance(module(), { wasi_snapshot_preview1: imports, host });
  wasi.initialize(instance);
  return instance;
}

// Returns the module's name of a path: the drives of Windows are folders there.
function inside(file) {
  const drive = /^([A-Za-z]):[\\/]/.exec(file);
  return drive ? `/${drive[1].toLowerCase()}/${file.slice(3).replaceAll('\\', '/')}` : file;
}

function preopens() {
  if (process.platform !== 'win32') return { '/': '/' };
  const drive = path.parse(process.cwd()).root[0];
  return { [`/${drive.toLowerCase()}`]: `${drive}:\\`, '/tmp': process.env.TEMP ?? `${drive}:\\` };
}

/** Runs a command with its arguments, and returns its exit status. */
export function run(command, args, env = process.env) {
  const nothing = () => -1;
  const instance = instantiate({
    args: [command, ...args.map(inside)],
    env: { ...env, PWD: inside(process.cwd()) },
    preopens: preopens(),
  }, { read: nothing, take: nothing, message: nothing });
  try {
    instance.exports.run();
    return 0;
  } catch (error) {
    if (error instanceof Exit) return error.status;
    throw error;
  }
}
