// The work of the page, beside its thread: reads logs, checks runs, and writes reports. Runs
// are kept as Blobs, so that memory does not grow with them as far as the browser can help.
import { STATUS, Tools } from '../npm/tools.mjs';
import { Files } from './files.mjs';

const ROOM = 8 << 20; // bytes of runs in a Blob
const SLICE = 40; // ms of work before new wishes are heard
const OFTEN = 100; // ms between reports on progress
const RULES = 'mcpl.rules';
const FULL = 1 << 30; // bytes of an instance that is not used again
const FAILING = 10000; // runs that are named for each check

let module; // compiled
let ready; // a promise of the module
let batches = []; // { names, pieces } of each drop of logs
let given = new Map(); // the logs by path
let desk = null; // an instance: { files, tools, spec, check }
let checker = null; // what of the desk checks; null: nothing is checked
let wanted = 0; // the number of the newest wish to check

const say = (kind, more = {}) => postMessage({ kind, ...more });
const pause = () => new Promise((resolve) => { setTimeout(resolve); });
const top = (path) => path.split('/')[0];
const pieces = () => batches.flatMap((batch) => batch.pieces);
const seconds = (since) => (performance.now() - since) / 1000;

function open(files) {
  return new Tools((host) => files.instantiate(module, host));
}

// Returns what was said, in a form that can be sent; and what the module printed.
function takeSaid(tools, files) {
  const said = tools.said.splice(0).map((m) => ({ ...m }));
  if (files.messages !== '') said.push({ level: 'error', text: files.messages.trim(), line: 0 });
  files.messages = '';
  return said;
}

async function start(text) {
  const packed = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  module = await WebAssembly.compile(await new Response(stream).arrayBuffer());
}

// ---- runs ----

// Collects texts, a line each, into Blobs.
class Pieces {
  constructor(onFull = () => {}) {
    this.done = [];
    this.onFull = onFull;
    this.parts = [];
    this.ends = [];
    this.size = 0;
  }

  add(bytes) {
    const line = new Uint8Array(bytes.length + 1);
    line.set(bytes);
    line[bytes.length] = 10;
    this.parts.push(line);
    this.size += line.length;
    this.ends.push(this.size);
    if (this.size >= ROOM) this.flush();
  }

  flush() {
    if (this.size > 0) this.done.push({ blob: new Blob(this.parts), ends: this.ends });
    this.onFull();
    Object.assign(this, { parts: [], ends: [], size: 0 });
    return this.done;
  }
}

const bytesOf = (blob) => new Uint8Array(new FileReaderSync().readAsArrayBuffer(blob));

// Yields the bytes of each run.
function* allRuns() {
  for (const { blob, ends } of pieces()) {
    const bytes = bytesOf(blob);
    let at = 0;
    for (const end of ends) {
      yield bytes.subarray(at, end - 1);
      at = end;
    }
  }
}

function oneRun(place) {
  let left = place;
  for (const { blob, ends } of pieces()) {
    if (left < ends.length) {
      return bytesOf(blob.slice(left === 0 ? 0 : ends[left - 1], ends[left] - 1));
    }
    left -= ends.length;
  }
  return null;
}

const countRuns = () => pieces().reduce((sum, { ends }) => sum + ends.length, 0);
const amount = (n) => (typeof n === 'number' ? n : null);
const words = (s) => (typeof s === 'string' ? s : null);

// What the table shows of a run, by the names of the report's table.
function rowOf(record) {
  return {
    id: words(record.id), scenario: words(record.scenario_id), agent: words(record.agent),
    model: words(record.model), run: amount(record.run_index), prompt: words(record.prompt)?.slice(0, 300) ?? null,
    calls: Array.isArray(record.tool_sequence) ? record.tool_sequence.length : null,
    input: amount(record.usage?.input_tokens), output: amount(record.usage?.output_tokens),
    cost: amount(record.usage?.cost_usd), time: amount(record.duration_ms),
    start: words(record.ts_start), tools: (record.tool_sequence ?? []).slice(0, 200),
  };
}

// ---- logs ----

// Reads logs: [path, file] of each. Logs that have a name of earlier ones take their place.
function read(list) {
  const began = performance.now();
  const names = new Set(list.map(([path]) => top(path)));
  const stays = batches.filter((batch) => !batch.names.some((name) => names.has(name)));
  wanted++; // a check of the runs so far ends
  if (stays.length < batches.length) {
    batches.filter((batch) => !stays.includes(batch)).flatMap((batch) => batch.names)
      .forEach((name) => names.add(name));
    batches = stays;
    say('again', { rows: rowsOf(allRuns()) });
  }
  for (const [path, file] of list) given.set(path, file);
  const all = [...given].filter(([path]) => names.has(top(path)));
  const total = all.reduce((sum, [, file]) => sum + file.size, 0);
  const batch = { names: [...names], pieces: [] };
  batches.push(batch);
  const said = extract(all, batch, total);
  say('read', { said, files: given.size, bytes: total, seconds: seconds(began), runs: countRuns() });
  usage();
}

function rowsOf(runs) {
  const decoder = new TextDecoder();
  return [...runs].map((bytes) => rowOf(JSON.parse(decoder.decode(bytes))));
}

function extract(all, batch, total) {
  let done = 0, told = 0, rows = [];
  const tell = () => {
    told = performance.now();
    say('reading', { done, total, rows });
    rows = [];
  };
  const files = new Files((n) => {
    done += n;
    if (performance.now() - told > OFTEN) tell();
  });
  for (const [path, file] of all) files.add(path, file);
  const tools = open(files);
  const kept = new Pieces();
  const decoder = new TextDecoder();
  tools.take = (at, n) => {
    const bytes = tools.bytes(at, n);
    kept.add(bytes);
    rows.push(rowOf(JSON.parse(decoder.decode(bytes))));
    return 0;
  };
  try {
    tools.with([batch.names.map((name) => `${name}\0`).join('')], (at) =>
      tools.call.extract_files(tools.handle, at, batch.names.length, 0));
  } catch (error) {
    tools.said.push({ level: 'error', text: `reading ended: ${error.message}`, line: 0 });
  }
  batch.pieces = kept.flush();
  tell();
  return takeSaid(tools, files);
}

// Tells the sums of all runs, as mcpl-report counts them.
async function usage() {
  const { text } = await report('json', null);
  const { total, groups } = JSON.parse(await text.text());
  say('usage', { total, groups });
}

// ---- checks ----

// Returns the instance in which specs are read and runs are checked, with no file in it.
function emptyDesk() {
  if (desk === null || desk.tools.call.memory.buffer.byteLength > FULL) {
    const files = new Files();
    desk = { files, tools: open(files), spec: 0, check: 0 };
  }
  const { call } = desk.tools;
  if (desk.check !== 0) call.check_close(desk.check);
  if (desk.spec !== 0) call.spec_close(desk.spec);
  Object.assign(desk, { check: 0, spec: call.spec_open(desk.tools.handle) });
  desk.files.empty();
  return desk;
}

// Makes the checks of the rules, of which all lines may be empty, and of assertion files.
function makeChecker({ rules, specs }) {
  const hasRules = /^[ \t]*[^\s#]/m.test(rules);
  const names = [...hasRules ? [RULES] : [], ...new Set(specs.map(([path]) => top(path)))];
  if (names.length === 0) return { none: true, said: [] };
  const { files, tools, spec } = emptyDesk();
  for (const [path, file] of specs) files.add(path, file);
  if (hasRules) files.add(RULES, new Blob([rules]));
  const codes = names.map((name) => tools.with([name], (at) => tools.call.spec_file(spec, at, 0)));
  const said = takeSaid(tools, files);
  if (codes.some((code) => code !== 0)) return { mistaken: true, said };
  desk.check = tools.call.check_open(spec, 0);
  return { tools, files, said, check: desk.check };
}

function checkOne({ tools, check }, bytes) {
  return tools.with([bytes], (at, n) => tools.call.check_record(check, at, n));
}

// Checks all runs, and tells the verdicts as they come; ends early where a newer wish has come.
async function checkAll(wish) {
  const mine = ++wanted;
  checker = null;
  const made = makeChecker(wish);
  say('specs', { said: made.said, none: !!made.none, mistaken: !!made.mistaken });
  if (made.none || made.mistaken) return;
  checker = made;
  const checks = new Map();
  const began = performance.now();
  let place = 0, since = began, verdicts = [];
  for (const bytes of allRuns()) {
    verdicts.push(verdictOn(made, bytes, place++, checks));
    if (performance.now() - since < SLICE) continue;
    say('verdicts', { verdicts, first: place - verdicts.length, checks: [], place });
    verdicts = [];
    await pause();
    if (mine !== wanted) return;
    since = performance.now();
  }
  say('verdicts', { verdicts, first: place - verdicts.length, checks: [...checks.values()],
    place, said: takeSaid(made.tools, made.files), seconds: seconds(began), ended: true });
}

// Returns the status of a run, the number of its checks that passed, and of all; and counts
// each result with its check.
function verdictOn(made, bytes, place, checks) {
  const { tools, check } = made;
  const code = checkOne(made, bytes);
  if (code !== 0) return ['error', 0, 0];
  const status = STATUS[tools.found().status];
  let passed = 0, all = 0;
  for (const r of tools.results(check)) {
    const key = `${r.at}\0${r.type}\0${r.label}`;
    if (!checks.has(key)) {
      checks.set(key, { at: r.at, label: r.label, severity: r.severity, counts: {}, failing: [] });
    }
    const one = checks.get(key);
    one.counts[r.status] = (one.counts[r.status] ?? 0) + 1;
    if (r.status !== 'passed' && r.status !== 'skipped' && one.failing.length < FAILING) {
      one.failing.push(place);
    }
    all++;
    passed += r.status === 'passed';
  }
  return [status, passed, all];
}

// ---- what is shown and saved ----

// Is thrown where runs or specs change while a file is made of them.
class Changed extends Error {
  constructor() { super('The runs or the rules have changed meanwhile: press the button again.'); }
}

// Calls f with each run, checked where there are checks; with each as it was read, and tells
// no progress, where `what` is null.
async function each(what, f) {
  const total = countRuns();
  const version = wanted;
  const mine = what === null ? null : checker;
  let since = performance.now(), done = 0;
  for (const bytes of allRuns()) {
    if (mine !== null && checkOne(mine, bytes) === 0) f(mine.tools.found().bytes);
    else f(bytes);
    done++;
    if (performance.now() - since < OFTEN) continue;
    if (what !== null) say('working', { what, done, total });
    await pause();
    if (what !== null && version !== wanted) throw new Changed();
    since = performance.now();
  }
}

async function report(format, what) {
  const tools = open(new Files());
  const handle = tools.with([format], (at) => tools.call.report_open(tools.handle, at, 0));
  await each(what, (bytes) => tools.with([bytes], (at, n) =>
    tools.call.report_add(handle, at, n)));
  tools.call.report_end(handle);
  const { bytes, status } = tools.found();
  return { text: new Blob([bytes]), status };
}

async function checkedRuns() {
  const kept = new Pieces();
  await each('runs', (bytes) => kept.add(bytes));
  return new Blob(kept.flush().map(({ blob }) => blob));
}

// Tells the text of a run, checked where there are checks; null where the run is gone.
function raw(place) {
  let bytes = oneRun(place);
  if (bytes !== null && checker !== null && checkOne(checker, bytes) === 0) {
    bytes = checker.tools.found().bytes;
  }
  say('raw', { place, text: bytes && new TextDecoder().decode(bytes) });
}

const WISHES = {
  start: ({ text }) => { ready = start(text); },
  read: ({ list }) => read(list),
  forget: () => {
    wanted++;
    batches = [];
    given = new Map();
    say('again', { rows: [] });
    say('read', { said: [], files: 0, bytes: 0, seconds: 0, runs: 0 });
  },
  check: checkAll,
  raw: ({ place }) => raw(place),
  traces: () => say('file', { what: 'traces', text: new Blob(pieces().map(({ blob }) => blob)) }),
  checked: async () => say('file', { what: 'checked', text: await checkedRuns() }),
  report: async ({ what }) => say('file', { what, ...await report('html', 'report') }),
};

onmessage = async ({ data }) => {
  try {
    if (data.wish !== 'start') await ready;
    await WISHES[data.wish](data);
  } catch (error) {
    if (!(error instanceof Changed)) desk = checker = null; // which cannot be called again
    say('trouble', { text: error.message });
  }
};
