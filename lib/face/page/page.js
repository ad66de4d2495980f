/* The page: what is dropped and typed goes to the worker, and what the worker says is shown.
 * The tables and a single run are the report's (lib/report/format/html*.js). */
const RULES = 'mcpl.rules';
const WAIT = 60; /* ms without a key before rules are checked */
const MOST = 200; /* rows of checks, messages of a kind, tools */
/* Names of assertion files, which are no logs wherever they are dropped. */
const SPEC_NAMES = /(\.rules|evals\.(json|jsonc|ya?ml)|evalset\.json|triggers?(-evals?)?\.json|promptfooconfig\.[a-z]+|settings(\.local)?\.json)$/i;
const SAMPLES = ['no Bash(command ~ /rm -rf/)', 'every Edit then Bash(command ~ /test/)',
    'no Write|Edit(file_path ~ /\\.env/)', '<= 2 * in a row', 'errors <= 5 and time < 10m',
    'no run "git push" before user ~ /push/i', 'warn cost < 1.00'];

const $ = id => document.getElementById(id);
const text = $('text');
let runs = [];
const everyRun = () => runs;
let specs = []; /* [path, file] of the assertion files */
let redraw = () => {};
let worker = null;
let broken = null; /* why there is no worker */
let reported = null; /* the address of the report that is shown */

const show = (node, isShown) => { node.hidden = !isShown; };
const say = words => { $('live').textContent = words; };
const plural = (n, word) => `${n.toLocaleString('en')} ${word}${n === 1 ? '' : 's'}`;
const size = n => (n < 1e6 ? `${Math.ceil(n / 1e3)} kB` : `${(n / 1e6).toFixed(1)} MB`);
const wish = (name, more = {}) => worker.postMessage({ wish: name, ...more });

/* ---- the worker ---- */

function startWorker() {
	const policy = window.trustedTypes?.createPolicy('worker', { createScriptURL: url => url }) ??
	    { createScriptURL: url => url };
	const url = URL.createObjectURL(new Blob([$('worker').textContent],
	    { type: 'text/javascript' }));

	startWorker = () => {
		worker = new Worker(policy.createScriptURL(url));
		worker.onmessage = ({ data }) => HEARD[data.kind](data);
		worker.onerror = event => {
			broken = event.message ?? 'This browser does not let the page work.';
			trouble(broken);
		};
		wish('start', { text: $('module').textContent });
		check();
	};
	startWorker();
}

function trouble(words) {
	show($('progress'), false);
	list($('log-messages'), [{ level: 'error', text: words }]);
}

function progress(words, done, total) {
	show($('progress'), true);
	$('progress').querySelector('progress').value = total === 0 ? 1 : done / total;
	$('progress').querySelector('span').textContent = words;
}

/* Ends what the worker does, with the runs that it has. */
function stop() {
	worker.terminate();
	failAsked('Stopped.');
	runs = [];
	show($('progress'), false);
	startWorker();
	drawRuns();
	list($('log-messages'), [{ level: 'warning', text: 'Stopped. No log has been kept.' }]);
	say('Stopped.');
}

const HEARD = {
	again: ({ rows }) => { runs = []; addRuns(rows); },
	reading: ({ done, total, rows }) => {
		addRuns(rows);
		progress(`${size(done)} of ${size(total)}, ${plural(runs.length, 'run')}`, done, total);
	},
	read: hearRead,
	usage: drawUsage,
	specs: hearSpecs,
	verdicts: hearVerdicts,
	working: ({ what, done, total }) =>
		progress(`${what}: ${done} of ${plural(total, 'run')}`, done, total),
	raw: hearRaw,
	file: hearFile,
	trouble: data => {
		failAsked(data.text);
		trouble(data.text);
	},
};

/* ---- logs ---- */

function addRuns(rows) {
	for (const row of rows)
		runs.push({ ...row, title: row.prompt ?? row.id ?? `run ${runs.length + 1}`, place: runs.length, status: 'not checked', passed: 0, checks: 0 });
	soon(drawRuns, 300);
}

const waiting = new Map();

/* Calls f once, some ms after the first of several calls. */
function soon(f, ms) {
	if (!waiting.has(f))
		waiting.set(f, setTimeout(() => {
			waiting.delete(f);
			f();
		}, ms));
}

function drawRuns() {
	show($('report'), runs.length > 0);
	if (runs.length === 0) {
		$('explore').replaceChildren();
		$('tools').replaceChildren();
		redraw = () => {};
		return;
	}
	const columns = columnsNow().map(column => column.name).join();

	if (redraw.columns !== columns) {
		state.column = null;
		redraw = explore($('explore'), () => []);
		redraw.columns = columns;
	} else
		redraw();
	drawTools();
}

function hearRead({ said, files, bytes, seconds, runs: n }) {
	show($('progress'), false);
	$('read').replaceChildren(files === 0 ? '' : `${plural(n, 'run')} in ${plural(files, 'file')}, ` +
	    `${size(bytes)} read in ${seconds.toFixed(1)} s `, ...files === 0 ? [] : [
	    el('button', { type: 'button', class: 'plain', click: () => wish('forget') }, 'Clear')]);
	if (n === 0 && files > 0 && said.length === 0)
		said.push({ level: 'error', text: 'No run was found.' });
	list($('log-messages'), said);
	say(`${plural(n, 'run')} read` + (said.length > 0 ? `, ${plural(said.length, 'message')}` : ''));
	changed();
	drawRuns();
	check();
}

/* The tools of all runs, by their calls. */
function drawTools() {
	const calls = new Map();

	for (const name of runs.flatMap(run => run.tools))
		if (typeof name === 'string')
			calls.set(name, (calls.get(name) ?? 0) + 1);
	const sorted = [...calls].sort((a, b) => b[1] - a[1]);

	$('tools').replaceChildren(...sorted.slice(0, 24).map(([name, n]) =>
	    el('button', { type: 'button', click: () => insert(/^[\w.:*?/-]+$/.test(name) ? name
	        : JSON.stringify(name)) }, name, ' ', el('span', {}, count(n)))));
}

function drawUsage({ total, groups }) {
	const sum = (name, of = total) => of.usage?.[name]?.sum ?? null;
	const shownAs = (n, format) => (n === null ? null : format(n));
	const told = sum('cost_usd') !== null;
	const cost = of => sum(told ? 'cost_usd' : 'estimated_cost_usd', of);
	const row = of => [of.runs, sum('tool_calls', of), sum('input_tokens', of),
	    sum('cache_read_tokens', of), sum('output_tokens', of), cost(of), sum('duration_ms', of)];
	const names = ['runs', 'calls', 'input', 'cached', 'output',
	    told ? 'cost' : 'est. cost', 'time'];
	const formats = [String, count, count, count, count, dollars, time];
	const tile = (name, value) => (value === null ? []
	    : [el('div', {}, el('dt', {}, name), el('dd', {}, value))]);

	show($('usage'), total.runs > 0);
	$('tiles').replaceChildren(...names.flatMap((name, i) => (name === 'cached' ? []
	    : tile(name, shownAs(row(total)[i], formats[i])))));
	$('models').replaceChildren(...groups.length < 2 ? [] : [scroll('Models', el('table', {},
	    el('thead', {}, el('tr', {}, el('th', { scope: 'col' }, 'model'),
	        ...names.map(name => el('th', { scope: 'col', class: 'n' }, name)))),
	    el('tbody', {}, ...groups.slice(0, MOST).map(group => el('tr', {},
	        el('td', {}, group.model ?? '-'),
	        ...row(group).map((n, i) => el('td', { class: 'n' }, shownAs(n, formats[i]) ?? '-')))))))]);
}

const scroll = (name, table) => el('div', { class: 'scroll', tabindex: 0, role: 'region',
    'aria-label': name }, table);

/* ---- messages ---- */

/* Shows messages; the same text about several files once. */
function list(box, said) {
	const kinds = new Map();

	for (const m of said)
		kinds.set(m.text, [...kinds.get(m.text) ?? [], m]);
	box.replaceChildren(el('ul', { class: 'messages' }, ...[...kinds.values()].slice(0, MOST)
	    .map(same => el('li', { class: same[0].level === 'error' ? 'bad' : 'warn' }, words(same)))));
}

function words([first, ...more]) {
	const place = [first.file, first.line, first.column].filter(Boolean).join(':');
	const where = more.length === 0 ? place : `${place} and ${plural(more.length, 'other place')}`;
	const all = where === '' ? first.text : `${where}: ${first.text}`;

	return first.file !== RULES || !first.line ? all : el('button', { type: 'button', class: 'link',
	    click: () => {
		text.focus();
		text.setSelectionRange(...reach(first));
	    } }, all);
}

/* ---- rules ---- */

let mistakes = [];
let marks = new Map(); /* the verdicts on each line, by its text */

/* Returns where a message is in the text: from, to. A column counts bytes of UTF-8. */
function reach({ line, column }) {
	const lines = text.value.split('\n');
	const before = lines.slice(0, line - 1).reduce((sum, l) => sum + l.length + 1, 0);
	const here = lines[line - 1] ?? '';
	const bytes = new TextEncoder().encode(here).slice(0, Math.max(0, (column || 1) - 1));
	const at = new TextDecoder().decode(bytes).length;
	const word = here.slice(at).match(/^(\w+|"[^"]*"?|\/(\\.|[^/])*\/?|\s*\S)?/)[0];

	return [before + at, before + at + word.length];
}

/* Draws the copy of the text, and the lines beside it. */
function drawText() {
	const under = document.querySelector('.under'), gutter = document.querySelector('.gutter');
	const places = mistakes.filter(m => m.file === RULES && m.line)
	    .map(m => [...reach(m), m.level]).sort((a, b) => a[0] - b[0]);
	const parts = [];
	let at = 0;

	for (const [from, to, level] of places) {
		if (from < at)
			continue;
		const word = el('u', { class: level === 'error' ? null : 'warn' });

		/* Behind the end of a line there is a blank to underline. */
		word.textContent = text.value.slice(from, to) || ' ';
		parts.push(text.value.slice(at, from), word);
		at = to;
	}
	under.replaceChildren(...parts, text.value.slice(at));
	gutter.replaceChildren(...text.value.split('\n').flatMap((line, i) =>
	    [gutterOf(line, i + 1), '\n']));
	text.setAttribute('aria-invalid', places.length > 0);
	scrollText();
}

function gutterOf(line, number) {
	const counts = marks.get(line);

	if (mistakes.some(m => m.file === RULES && m.line === number && m.level === 'error'))
		return el('span', { class: 'bad' }, '!');
	if (counts === undefined)
		return ' ';
	const bad = (counts.failed ?? 0) + (counts.error ?? 0);

	return bad > 0 ? el('span', { class: 'bad' }, `✗ ${count(bad)}`)
	    : counts.pending > 0 ? el('span', { class: 'warn' }, '…')
	    : counts.passed > 0 ? el('span', { class: 'good' }, '✓')
	    : el('span', { class: 'faint' }, '○');
}

function scrollText() {
	document.querySelector('.under').style.transform =
	    `translate(${-text.scrollLeft}px, ${-text.scrollTop}px)`;
	document.querySelector('.gutter').scrollTop = text.scrollTop;
}

function insert(words) {
	text.focus();
	const at = text.selectionStart;
	const line = words.includes(' ') ? (at > 0 && text.value[at - 1] !== '\n' ? '\n' : '') + words + '\n'
	    : words;

	text.setRangeText(line, at, text.selectionEnd, 'end');
	typed();
}

let timer = null;

function typed() {
	mistakes = [];
	drawText();
	clearTimeout(timer);
	timer = setTimeout(check, WAIT);
}

function check() {
	clearTimeout(timer);
	wish('check', { rules: text.value, specs });
}

/* ---- verdicts ---- */

function hearSpecs({ said, none, mistaken }) {
	mistakes = said;
	if (mistaken || none)
		marks = new Map();
	drawText();
	list($('mistakes'), said);
	show($('verdicts'), !none && runs.length > 0);
	$('checks').classList.toggle('old', mistaken);
	$('checks').inert = mistaken;
	for (const button of document.querySelectorAll('.of-checked'))
		button.disabled = mistaken;
	if (mistaken)
		$('sum').textContent = 'Nothing is checked until the mistakes are mended.';
	if (mistaken || none) {
		for (const run of runs)
			Object.assign(run, { status: 'not checked', passed: 0, checks: 0 });
		state.only = null;
		drawRuns();
	}
	changed();
}

function hearVerdicts({ verdicts, first, checks, place, said = [], ended }) {
	verdicts.forEach(([status, passed, all], i) =>
	    Object.assign(runs[first + i] ?? {}, { status, passed, checks: all }));
	$('sum').ariaBusy = !ended;
	if (!ended) {
		$('sum').textContent = `Checking: ${place} of ${plural(runs.length, 'run')}`;
		return;
	}
	const counts = STATUSES.map(status => [status, runs.filter(run => run.status === status).length])
	    .filter(([, n]) => n > 0);

	$('sum').replaceChildren(...runs.length === 0 ? ['No run is there to check.']
	    : counts.flatMap(([status, n]) => [el('span', { class: `status ${status}` },
	        `${n} ${status}`), ' ']), counts.some(([status]) => status === 'pending')
	    ? el('span', { class: 'name' }, 'mcpl-judge decides what is pending.') : '');
	list($('mistakes'), [...mistakes, ...said]);
	setMarks(checks);
	drawText();
	drawChecks(checks);
	drawRuns();
}

function setMarks(checks) {
	const lines = text.value.split('\n');

	marks = new Map();
	for (const { at, counts } of checks) {
		const [, file, number] = at.match(/^(.*):(\d+)(?::\d+)?$/) ?? [];
		const line = lines[number - 1];

		if (file === RULES && line !== undefined)
			marks.set(line, Object.fromEntries(STATUSES.map(status =>
			    [status, (marks.get(line)?.[status] ?? 0) + (counts[status] ?? 0)])));
	}
}

const KINDS_OF_RESULTS = ['failed', 'error', 'pending', 'skipped', 'passed'];

function drawChecks(checks) {
	const used = KINDS_OF_RESULTS.filter(kind => checks.some(({ counts }) => counts[kind] > 0));
	const bad = ({ counts }) => (counts.failed ?? 0) + (counts.error ?? 0);
	const sorted = checks.length <= 30 ? checks : [...checks].sort((a, b) => bad(b) - bad(a));

	state.only = null;
	$('checks').replaceChildren(...checks.length === 0 ? [] : [scroll('Checks', el('table', {},
	    el('thead', {}, el('tr', {}, el('th', { scope: 'col' }, 'check'),
	        ...used.map(kind => el('th', { scope: 'col', class: 'n' }, kind)))),
	    el('tbody', {}, ...sorted.slice(0, MOST).map(one => el('tr', {},
	        el('td', {}, one.failing.length === 0 ? one.label : filter(one), ' ',
	            el('span', { class: 'name' }, [one.at, ['error', ''].includes(one.severity)
	                ? '' : one.severity].filter(Boolean).join(' · '))),
	        ...used.map(kind => el('td', { class: `n ${one.counts[kind] > 0 ? TONES[kind] : 'faint'}` },
	            one.counts[kind] ?? 0))))))),
	    ...checks.length <= MOST ? [] : [el('p', {}, `and ${checks.length - MOST} more checks`)]]);
}

const TONES = { failed: 'bad', error: 'bad', pending: 'warn', skipped: 'faint', passed: 'good' };

/* A button that leaves only the runs that do not pass a check. */
function filter(check) {
	const button = el('button', { type: 'button', 'aria-pressed': 'false',
	    title: 'Only the runs that did not pass this', click: () => {
		const on = button.getAttribute('aria-pressed') === 'false';

		for (const other of $('checks').querySelectorAll('[aria-pressed]'))
			other.setAttribute('aria-pressed', 'false');
		button.setAttribute('aria-pressed', on);
		state.only = on ? new Set(check.failing.map(place => runs[place])) : null;
		state.page = 0;
		redraw();
	} }, check.label);

	return button;
}

/* ---- the report, and files to keep ---- */

function changed() {
	show($('stale'), reported !== null);
}

function hearFile({ what, text: blob }) {
	show($('progress'), false);
	if (what === 'frame') {
		if (reported !== null)
			URL.revokeObjectURL(reported);
		reported = URL.createObjectURL(new Blob([blob], { type: 'text/html' }));
		show($('frame'), true);
		$('frame').src = reported;
		show($('stale'), false);
		$('frame').scrollIntoView({ block: 'nearest' });
		say('The report is shown.');
	} else
		save(blob, { report: 'report.html', traces: 'runs.ndjson', checked: 'checked.ndjson' }[what]);
}

function save(blob, name) {
	download(blob, name);
	say(`${name} is saved.`);
}

/* ---- files ---- */

/* Yields [path, file] of what lies in an entry of a drop. */
async function* inside(entry) {
	if (entry.isFile) {
		yield [entry.fullPath.slice(1),
		    await new Promise((done, failed) => entry.file(done, failed))];
		return;
	}
	const reader = entry.createReader();

	for (;;) {
		const some = await new Promise((done, failed) => reader.readEntries(done, failed));

		if (some.length === 0)
			return;
		for (const one of some)
			yield* inside(one);
	}
}

/* The same for a handle, which browsers have where a page is a file. */
async function* within(handle, path) {
	if (handle.kind === 'file') {
		yield [path, await handle.getFile()];
		return;
	}
	for await (const [name, one] of handle.entries())
		yield* within(one, `${path}/${name}`);
}

/* Returns [path, file] of all that was dropped. The items are only there at first. */
async function dropped(transfer) {
	const items = [...transfer.items].filter(item => item.kind === 'file');
	const files = [...transfer.files].map(file => [file.name, file]);
	const entries = items.map(item => item.webkitGetAsEntry?.() ?? null);

	if (entries.every(entry => entry === null || entry.isFile))
		return files;
	const handles = items.map(item => item.getAsFileSystemHandle?.() ?? null);
	const found = [];

	try {
		for (const entry of entries)
			for await (const pair of inside(entry))
				found.push(pair);
		return found;
	} catch {
		found.length = 0;
		for (const one of handles) {
			const handle = await one;

			for await (const pair of within(handle, handle.name))
				found.push(pair);
		}
		return found;
	}
}

/* Returns a file that gzip made as what is in the file, by the same name. */
async function unpacked(file) {
	if (!/\.gz$/i.test(file.name))
		return file;
	try {
		const stream = file.stream().pipeThrough(new DecompressionStream('gzip'));

		return new File([await new Response(stream).blob()], file.name,
		    { lastModified: file.lastModified });
	} catch {
		return file; /* which is then said to be no log */
	}
}

async function take(pairs, asSpecs) {
	const sorted = [...pairs].sort(([a], [b]) => (a < b ? -1 : 1));

	if (asSpecs || pairs.length > 0 && pairs.every(([path]) => SPEC_NAMES.test(path))) {
		const names = new Set(sorted.map(([path]) => path));

		specs = [...specs.filter(([path]) => !names.has(path)), ...sorted];
		drawSpecs();
		check();
	} else if (broken !== null)
		trouble(broken);
	else if (pairs.length > 0) {
		list($('log-messages'), []);
		progress('Reading', 0, 1);
		for (const pair of sorted)
			pair[1] = await unpacked(pair[1]);
		wish('read', { list: sorted });
	}
}

function drawSpecs() {
	const names = [...new Set(specs.map(([path]) => path.split('/')[0]))];

	$('specs').replaceChildren(...names.map(name => el('li', {}, name,
	    el('button', { type: 'button', class: 'plain', 'aria-label': `Remove ${name}`, click: () => {
		specs = specs.filter(([path]) => path.split('/')[0] !== name);
		drawSpecs();
		check();
	    } }, 'Remove'))));
}

function choose(kind) {
	const input = kind === 'folder' ? $('folder') : $('files');

	input.value = '';
	input.onchange = () => take([...input.files].map(file =>
	    [file.webkitRelativePath || file.name, file]), kind === 'specs');
	input.click();
}

function showExample() {
	const sessions = JSON.parse($('sessions').textContent);

	text.value = SAMPLES.slice(0, 2).join('\n') + '\n';
	typed();
	take(Object.entries(sessions).map(([path, words]) =>
	    [path, new File([words], path.split('/').at(-1))]), false);
}

/* ---- the beginning ---- */

const zoneOf = event => event.target.closest?.('#rules') ? $('drop-specs') : $('drop-logs');

function over(event) {
	if (!event.dataTransfer.types.includes('Files'))
		return;
	event.preventDefault();
	for (const zone of document.querySelectorAll('.drop'))
		zone.classList.toggle('over', zone === zoneOf(event));
}

function leave() {
	for (const zone of document.querySelectorAll('.drop'))
		zone.classList.remove('over');
}

async function drop(event) {
	if (!event.dataTransfer.types.includes('Files'))
		return;
	event.preventDefault();
	leave();
	try {
		await take(await dropped(event.dataTransfer), zoneOf(event) === $('drop-specs'));
	} catch (error) {
		trouble(`What was dropped cannot be read (${error.message}). The buttons may do it.`);
	}
}

const asked = new Map(); /* by place: who waits for the record of a run */

/* Resolves to the JSON text of the run's record, which the worker has. */
function rawOf(run) {
	return new Promise((done, failed) => {
		asked.set(run.place, [...asked.get(run.place) ?? [], { done, failed }]);
		wish('raw', { place: run.place });
	});
}

/* Tells those who wait for a record that none will come. */
function failAsked(why) {
	[...asked.values()].flat().forEach(({ failed }) => failed(new Error(why)));
	asked.clear();
}

function hearRaw({ place, text: raw }) {
	const { done, failed } = asked.get(place)?.shift() ?? {};

	if (raw === null)
		failed?.(new Error('The run is no longer here.'));
	else
		done?.(raw);
}

/* Resolves to the run's record. */
async function recordOf(run) {
	return JSON.parse(await rawOf(run));
}

async function showRun(run) {
	const record = await recordOf(run).catch(() => null);

	if (runs[run.place] === run && record !== null)
		showRecord(run, record);
}

$('samples').replaceChildren(...SAMPLES.map(rule => el('li', {},
    el('button', { type: 'button', click: () => insert(rule) }, el('code', {}, rule)))));
for (const button of document.querySelectorAll('[data-choose]'))
	button.addEventListener('click', () => choose(button.dataset.choose));
for (const button of document.querySelectorAll('[data-save]'))
	button.addEventListener('click', () => (button.dataset.save === 'rules'
	    ? save(new Blob([text.value]), RULES) : wish(button.dataset.save, { what: 'report' })));
$('show-report').addEventListener('click', () => wish('report', { what: 'frame' }));
$('example').addEventListener('click', showExample);
$('stop').addEventListener('click', stop);
text.addEventListener('input', typed);
text.addEventListener('scroll', scrollText);
window.addEventListener('dragover', over);
window.addEventListener('dragleave', event => event.relatedTarget === null && leave());
window.addEventListener('drop', drop);
window.addEventListener('hashchange', route);
document.body.append(dialog);
drawText();
startWorker();
