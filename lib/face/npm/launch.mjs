// Runs a command: the program for this machine where the package has one, else the module.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

const MACHINES = { x64: 'x86_64', arm64: 'aarch64' };

// Runs a program in place of this process: signals go to the program, and its end is ours.
function become(program, args) {
  const child = spawn(program, args, { stdio: 'inherit' });
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  process.on('SIGINT', () => {}); // a terminal sends it to both
  child.on('error', (error) => { throw error; });
  child.on('exit', (status, signal) => {
    process.exitCode = status ?? 128 + constants.signals[signal];
  });
}

export async function launch(command) {
  const args = process.argv.slice(2);
  const machine = process.platform === 'linux' ? MACHINES[process.arch] : undefined;
  const program = fileURLToPath(new URL(`bin/${machine}/${command}`, import.meta.url));
  if (!process.env.MCPL_MODULE && existsSync(program)) {
    become(program, args);
  } else if (command === 'mcpl-judge') {
    process.stderr.write('mcpl-judge: is not to be had as a module; compile it for this system\n');
    process.exitCode = 2;
  } else {
    const { run } = await import('./wasi.mjs');
    process.exitCode = run(command, args);
  }
}
