// Reads a stream that another thread has, and waits for each of its pieces.
import { parentPort, workerData } from 'node:worker_threads';
import { MISTAKE, extractWith } from './index.mjs';

const { state, room, options } = workerData;
const AT_ONCE = 64, AHEAD = 4; // records of a message; messages that nobody took yet
let rest = 0, at = 0, taken = false, ended = false, sent = 0, found = 0;
let records = [];

function flush() {
  if (records.length === 0) return;
  parentPort.postMessage({ records });
  records = [];
  sent++;
  for (let n; sent - (n = Atomics.load(state, 2)) > AHEAD;) Atomics.wait(state, 2, n);
}

// Returns up to n bytes of the piece that is there; waits for the next piece.
function read(n) {
  if (rest === 0 && !ended) {
    flush();
    if (taken) {
      Atomics.store(state, 0, 0);
      Atomics.notify(state, 0);
    }
    Atomics.wait(state, 0, 0);
    taken = true;
    rest = state[1];
    at = 0;
    ended = rest === 0;
  }
  const piece = room.subarray(at, at + Math.min(n, rest));
  at += piece.length;
  rest -= piece.length;
  return piece;
}

const { code, said } = extractWith(options, read, (record) => {
  records.push(record);
  found++;
  if (records.length >= AT_ONCE) flush();
});
flush();
const failed = code > MISTAKE || (code === MISTAKE && found === 0);
parentPort.postMessage({ said: said.map((m) => ({ ...m })), failed });
parentPort.close();
