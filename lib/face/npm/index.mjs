// mcpl within a program: logs of AI agents to records, verdicts on records, and reports, by
// the module of WebAssembly. See index.d.ts.
import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { MISTAKE, Message, MistakeError, STATUS, Tools } from './tools.mjs';
import { instantiate } from './wasi.mjs';

const SIDECHAINS = ['nest', 'separate', 'drop'];
const NO_RESULTS = 1, NO_SYSTEM = 2, SPLIT = 4, SIDECHAIN = 8;
let shared; // an instance for all objects, until a call fails to return

function tool() {
  if (shared === undefined || shared.ended) {
    shared = new Tools((host) => instantiate({ env: process.env, preopens: { '/': '/' } }, host));
  }
  return shared;
}

// Closes what an object has in the module when nobody has the object any more.
const left = new FinalizationRegistry((close) => close());

const json = (record) => (typeof record === 'string' ? record : String(JSON.stringify(record)));

function warn(message) { process.emitWarning(message.toString(), 'MistakeWarning'); }

/** Extracts with functions that read bytes and take records; for extract.worker.mjs. */
export function extractWith({ name = '<bytes>', format, to, results, system = true, split = false,
  sidechains = 'nest' }, read, take) {
  const how = SIDECHAINS.indexOf(sidechains);
  if (how < 0) {
    throw new MistakeError([new Message('error',
      `sidechains: expected nest, separate or drop, found '${sidechains}'`)]);
  }
  const tools = tool();
  tools.read = (at, n) => {
    const piece = read(n);
    tools.bytes(at, n).set(piece);
    return piece.length;
  };
  tools.take = (at, n) => (take(tools.text(at, n)) === false ? 1 : 0);
  const flags = (results === 0 ? NO_RESULTS : 0) + (system ? 0 : NO_SYSTEM) +
    (split ? SPLIT : 0) + SIDECHAIN * how;
  const code = tools.with([name, format, to], (n, _n, f, _f, t) =>
    tools.call.extract(tools.handle, n, f, t, results ?? 0, flags));
  return { code, said: tools.said.splice(0) };
}

/** Returns the records of a log: a path, or bytes. A log of which nothing can be read is a mistake. */
export function extract(source, options = {}) {
  const bytes = typeof source === 'string' || source instanceof URL
    ? readFileSync(source) : source;
  const name = options.name ?? (typeof source === 'string' ? source : '<bytes>');
  const records = [];
  let at = 0;
  const { code, said } = extractWith({ ...options, name }, (n) => {
    const piece = bytes.subarray(at, at + n);
    at += piece.length;
    return piece;
  }, (record) => { records.push(options.to === undefined ? JSON.parse(record) : record); });
  if (code > MISTAKE || (code === MISTAKE && records.length === 0)) throw new MistakeError(said);
  said.forEach((m) => (options.onMessage ?? warn)(m));
  return records;
}

const ROOM = 1 << 20; // bytes of a log that the worker may have

/** Yields the records of a stream of bytes as they come, in constant memory. */
export async function* extractStream(source, options = {}) {
  const { onMessage = warn, ...rest } = options;
  const state = new Int32Array(new SharedArrayBuffer(12)); // turn, bytes, messages taken
  const room = new Uint8Array(new SharedArrayBuffer(ROOM));
  const worker = new Worker(new URL('extract.worker.mjs', import.meta.url),
    { workerData: { state, room, options: rest } });
  const queue = [];
  let wake;
  let ended = false;
  let failure;
  const push = (item) => { queue.push(item); wake?.(); };
  worker.on('message', push);
  worker.on('error', (error) => push({ error }));
  worker.on('exit', () => push({ end: true }));

  // Gives the worker each piece, and waits until the worker has taken it.
  const feed = async () => {
    for await (const chunk of source) {
      const piece = typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk;
      for (let at = 0; at < piece.length && !ended; at += ROOM) {
        const part = piece.subarray(at, at + ROOM);
        room.set(part);
        await give(part.length);
      }
      if (ended) return;
    }
    await give(0);
  };
  const give = async (n) => {
    state[1] = n;
    Atomics.store(state, 0, 1);
    Atomics.notify(state, 0);
    const turn = Atomics.waitAsync(state, 0, 1);
    if (turn.async) await turn.value;
  };
  feed().catch((error) => { failure = error; state[1] = 0; Atomics.store(state, 0, 1); Atomics.notify(state, 0); });
  try {
    for (;;) {
      while (queue.length === 0) await new Promise((resolve) => { wake = resolve; });
      const item = queue.shift();
      if (item.error) throw item.error;
      if (item.end) break;
      if (item.said) {
        const said = item.said.map((m) => Object.assign(new Message(), m));
        if (item.failed) failure ??= new MistakeError(said);
        else said.forEach((m) => onMessage(m));
      }
      if (item.records) {
        for (const record of item.records) {
          yield options.to === undefined ? JSON.parse(record) : record;
        }
        Atomics.add(state, 2, 1);
        Atomics.notify(state, 2);
      }
    }
    if (failure) throw failure;
  } finally {
    ended = true;
    await worker.terminate();
    Atomics.store(state, 0, 0);
    Atomics.notify(state, 0);
  }
}

/** Checks records by rules and by the texts of assertion files. */
export class Checker {
  #tools = tool();
  #check;

  constructor(rules = [], { specs = {}, dialect, slim = false } = {}) {
    const tools = this.#tools;
    const files = Array.isArray(specs)
      ? specs.map((path) => [path, readFileSync(path)]) : Object.entries(specs);
    if (rules.length + files.length === 0) {
      throw new MistakeError([new Message('error', 'no rule and no assertion file is given')]);
    }
    const spec = tools.call.spec_open(tools.handle);
    try {
      for (const [name, text] of files) {
        tools.expect(tools.with([name, text, dialect], (n, _n, at, size, d) =>
          tools.call.spec_text(spec, n, at, size, d)));
      }
      for (const rule of rules) {
        tools.expect(tools.with([rule], (at, n) => tools.call.spec_rule(spec, at, n)));
      }
    } catch (error) {
      if (!tools.ended) tools.call.spec_close(spec);
      throw error;
    }
    const check = this.#check = tools.call.check_open(spec, Number(slim));
    left.register(this, () => {
      if (tools.ended) return;
      tools.call.check_close(check);
      tools.call.spec_close(spec);
    });
  }

  /** Returns the record with its check_results and its status. */
  check(record) {
    const tools = this.#tools;
    tools.expect(tools.with([json(record)], (at, n) =>
      tools.call.check_record(this.#check, at, n)));
    return JSON.parse(tools.answer().text);
  }

  /** Tells whether the agent of the record may make this call now. */
  checkCall(record, tool, args = {}) {
    const tools = this.#tools;
    tools.expect(tools.with([json(record), tool, JSON.stringify(args)], (at, n, t, _t, a) =>
      tools.call.check_call(this.#check, at, n, t, a)));
    const status = STATUS[tools.answer().status];
    const reasons = [...tools.results(this.#check)].map((result) => result.reason);
    return { status, allowed: status === 'passed', reasons };
  }
}

const isStream = (records) => Symbol.asyncIterator in Object(records);

function* checkEach(checker, records) {
  for (const record of records) yield checker.check(record);
}

async function* checkStream(checker, records) {
  for await (const record of records) yield checker.check(record);
}

/** Yields each record with its check_results and its status; of a stream, as they come. */
export function check(records, rules, options) {
  const checker = new Checker(rules, options);
  return isStream(records) ? checkStream(checker, records) : checkEach(checker, records);
}

/** Returns a report on checked records, and the exit status of its gate; of a stream, a promise. */
export function report(records, { format = 'text', details = false } = {}) {
  const tools = tool();
  const handle = tools.with([format], (at) => tools.call.report_open(tools.handle, at,
    Number(details)));
  if (handle === 0) throw new MistakeError([new Message('error', `format: unknown: '${format}'`)]);
  const add = (record) => tools.expect(tools.with([json(record)], (at, n) =>
    tools.call.report_add(handle, at, n)));
  const end = () => { tools.expect(tools.call.report_end(handle)); return tools.answer(); };
  const close = () => { if (!tools.ended) tools.call.report_close(handle); };
  if (isStream(records)) {
    return (async () => {
      try {
        for await (const record of records) add(record);
        return end();
      } finally { close(); }
    })();
  }
  try {
    for (const record of records) add(record);
    return end();
  } finally { close(); }
}

/** Throws an Error unless each run passed each rule; so do no runs at all. */
export function assertPolicy(runs, rules, options) {
  const lines = [];
  let n = 0;
  for (const run of check(runs, rules, options)) {
    n++;
    if (run.status === 'passed') continue;
    lines.push(`run ${run.id}: ${run.status}`);
    for (const result of run.check_results ?? []) {
      if (result.status === 'passed') continue;
      lines.push(`  ${result.status}: ${result.label}`);
      for (const key of ['reason', 'got']) if (result[key]) lines.push(`    ${key}: ${result[key]}`);
    }
  }
  if (n === 0) lines.push('no runs');
  if (lines.length > 0) throw new Error(lines.join('\n'));
}

export { MISTAKE, MistakeError };
