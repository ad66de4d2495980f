// Runs a command: the program for this machine where the package has one, else the module.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

const MACHINES = { x64: 'x86_64', arm64: 'aarch64' };

export async function launch(command) {
  const args = process.argv.slice(2);
  const machine = process.platform === 'linux' ? MACHINES[process.arch] : undefined;
  const program = fileURLToPath(new URL(`bin/${machine}/${command}`, import.meta.url));
  if (!process.env.MCPL_MODULE && existsSync(program)) {
    const done = spawnSync(program, args, { stdio: 'inherit' });
    if (done.error) throw done.error;
    process.exitCode = done.status ?? 128 + constants.signals[done.signal];
    return;
  }
  if (command === 'mcpl-judge') {
    process.stderr.write('mcpl-judge: is not to be had as a module; compile it for this system\n');
    process.exitCode = 2;
    return;
  }
  const { run } = await import('./wasi.mjs');
  process.exitCode = run(command, args);
}
