/* One run: its checks, and what happened. */
function pretty(value) {
	return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

/* A result's text, where it is one of MCP's with nothing but text in it. */
function resultText(value) {
	const content = value?.content ?? value;
	const texts = Array.isArray(content) ? content.map(part => part?.text) : [];

	if (texts.length === 0 || texts.some(text => typeof text !== 'string'))
		return pretty(value);
	const text = texts.join('\n');

	try {
		return pretty(JSON.parse(text));
	} catch {
		return text;
	}
}

function facts(pairs) {
	return el('dl', { class: 'facts' }, ...pairs
	    .filter(([, value]) => value !== null && value !== undefined && value !== '')
	    .flatMap(([name, value]) => [el('dt', {}, name), el('dd', {}, value)]));
}

/* id, broken: as of a call. */
function said(who, text, id = null, broken = []) {
	return el('div', { id, class: `said ${who}${broken.length > 0 ? ' broken' : ''}`,
	    tabindex: id === null ? null : -1 }, el('span', { class: 'who' }, who), text, breaks(broken));
}

const breaks = broken => broken.map(label => el('span', { class: 'breaks' }, `✗ ${label}`));

function block(title, value) {
	return value === undefined ? []
	    : [el('span', { class: 'who' }, title), el('pre', {}, value)];
}

/* ---- the steps that checks are about ---- */

const PLACE = /\((?:call \d+, )?turn (\d+), step (\d+)[.\d]*\)/;

/* Returns the place of the step that decided a check, as "TURN-STEP" from 0, or null. A
 * result has it as numbers, or first of the places in the words of got, from 1; what is
 * quoted there is of the run. */
function placeOf(check) {
	const got = String(check.got ?? '');
	const words = got.replace(/"(?:[^"\\]|\\.)*"/g, '').match(PLACE) ?? got.match(PLACE);

	return Number.isInteger(check.call?.step) ? `${check.call.turn ?? 0}-${check.call.step}`
	    : words !== null ? `${words[1] - 1}-${words[2] - 1}` : null;
}

/* Returns the labels of the checks that did not pass, by the places of their calls. */
function brokenAt(record) {
	const places = new Map();

	for (const check of Array.isArray(record.check_results) ? record.check_results : []) {
		const place = placeOf(check);

		if (place !== null && check.status !== 'passed')
			places.set(place, [...places.get(place) ?? [], labelOf(check)]);
	}
	return places;
}

function labelOf(check) {
	return check.label ?? check.type ?? 'check';
}

function linkToStep(run, place) {
	const [turn, step] = place.split('-').map(Number);

	return el('a', { href: `#run-${run.place}-${place}` }, `turn ${turn + 1}, step ${step + 1}`);
}

/* Opens the step, scrolls to it and gives it the focus. */
function showStep(place) {
	const step = document.getElementById(`step-${place}`);

	if (step === null)
		return;
	step.open = true;
	step.scrollIntoView({ block: 'center' });
	(step.querySelector('summary') ?? step).focus();
}

/* ---- what happened ---- */

/* id, broken: of a step of the run; a sub-agent's steps have neither. */
function callStep(step, id = null, broken = []) {
	const failed = step.is_error === true;
	const args = step.args === undefined ? '' : JSON.stringify(step.args);

	return el('details', { id, class: `call${failed ? ' bad-call' : ''}${broken.length > 0 ? ' broken' : ''}`,
	    open: failed || broken.length > 0 },
	    el('summary', {}, el('strong', {}, step.tool ?? step.name ?? 'a call'), ' ',
	        failed ? el('span', { class: 'bad' }, 'error ') : null,
	        typeof step.duration_ms === 'number'
	            ? el('span', { class: 'faint' }, time(step.duration_ms), ' ') : null,
	        el('span', { class: 'faint' }, args.length > 90 ? args.slice(0, 89) + '…' : args),
	        breaks(broken)),
	    el('div', {},
	        block('arguments', step.args === undefined ? undefined : pretty(step.args)),
	        block('result', step.result === undefined ? undefined
	            : resultText(step.result)),
	        ...steps(step.steps, () => [])));
}

/* about(i) returns the id of the step with that number, and what it breaks. */
function steps(list, about) {
	return (Array.isArray(list) ? list : []).map((step, i) =>
	    typeof step?.text === 'string' ? said('assistant', step.text, ...about(i))
	    : typeof step === 'object' && step !== null ? callStep(step, ...about(i))
	    : el('p', {}, pretty(step)));
}

function turnOf(turn, place, turns, broken) {
	return [turns.length > 1 ? el('h3', {}, `Turn ${place + 1}`) : null,
	    typeof turn?.prompt === 'string' ? said('user', turn.prompt) : null,
	    ...steps(turn?.steps, i => [`step-${place}-${i}`, broken.get(`${place}-${i}`)]),
	    ...block('state', turn?.state === undefined ? undefined : pretty(turn.state)),
	    ...block('guardrails', turn?.guardrails === undefined ? undefined
	        : pretty(turn.guardrails))].filter(part => part !== null);
}

function checkItem(check, run) {
	const place = placeOf(check);
	const status = STATUSES.includes(check.status) ? check.status : 'unchecked';

	return el('li', {},
	    el('p', {}, el('span', { class: `status ${status}` }, status), ' ',
	        el('strong', {}, labelOf(check)),
	        (check.severity ?? 'error') === 'error' ? null
	            : el('span', { class: 'times' }, ' ', check.severity), ' ', marksOf(run, check)),
	    typeof check.reason === 'string' && check.reason.trim() !== ''
	        ? el('pre', {}, check.reason.trim()) : null,
	    typeof check.got === 'string' && status !== 'passed'
	        ? el('pre', { class: 'got' }, `got: ${check.got}`) : null,
	    el('p', { class: 'places' }, [check.type, check.at,
	        check.metadata?.source === 'expectation' && 'source: expectation']
	        .filter(Boolean).join(' · '),
	        place === null ? null : [' · ', linkToStep(run, place)]),
	    check.judge === undefined ? null : el('details', {},
	        el('summary', {}, 'What the judge was asked and said'),
	        el('pre', {}, pretty(check.judge))));
}

/* Returns the recorded amounts in words: of the input, how much a cache gave. */
function tokensOf(usage) {
	return [['input_tokens', 'in'], ['cache_read_tokens', 'read from the cache'],
	    ['cache_write_tokens', 'written to the cache'], ['output_tokens', 'out'],
	    ['reasoning_tokens', 'for reasoning']]
	    .filter(([name]) => typeof usage[name] === 'number')
	    .map(([name, words]) => `${usage[name]} ${words}`).join(', ');
}

function runBody(run, record) {
	const source = record.source ?? {};
	const turns = Array.isArray(record.turns) ? record.turns : [];
	const raw = el('details', { toggle: () => {
		if (raw.children.length === 1)
			raw.append(el('pre', {}, JSON.stringify(record, null, 2)));
	} }, el('summary', {}, 'The record'));
	const broken = brokenAt(record);

	return [
		facts([['id', run.id], ['scenario', run.scenario], ['agent', run.agent],
		    ['model', run.model], ['run', run.run],
		    ['log', source.file && `${source.file}:${source.line ?? 1}`],
		    ['begun', run.start], ['time', run.time === null ? null : time(run.time)],
		    ['tokens', tokensOf(record.usage ?? {})],
		    ['cost', run.cost === null ? null : dollars(run.cost)]]),
		record.error === undefined ? null
		    : el('p', { class: 'bad' }, 'The run ended in an error: ', pretty(record.error)),
		...(Array.isArray(record.check_results) && record.check_results.length > 0
		    ? [el('h3', {}, 'Checks'),
		        el('ul', { class: 'checks' },
		            ...record.check_results.map(check => checkItem(check, run)))] : []),
		el('h3', {}, 'What happened'),
		...turns.flatMap((turn, place) => turnOf(turn, place, turns, broken)),
		...(turns.length > 0 ? [] : [
		    typeof record.prompt === 'string' ? said('user', record.prompt) : null,
		    run.tools.length > 0 ? el('p', {}, 'called: ', run.tools.join(', ')) : null,
		    typeof record.final_text === 'string'
		        ? said('assistant', record.final_text) : null]),
		...block('extracted', record.extracted && pretty(record.extracted)),
		...block('workflow', record.workflow && pretty(record.workflow)),
		raw,
	].filter(part => part !== null);
}

/* ---- the dialog ---- */

const title = el('h2', { id: 'run-title', tabindex: -1, autofocus: true });
const runStatus = el('span');
const runBox = el('div', { class: 'body' });
const tells = el('p', { class: 'unseen', role: 'status' }); /* for readers of the screen */
const plainButton = (text, click) => el('button', { type: 'button', class: 'plain', click }, text);
const before = plainButton('Previous', () => step(-1)), after = plainButton('Next', () => step(1));
const dialog = el('dialog', { 'aria-labelledby': 'run-title', close: () => {
	if (/^(run|compare)-/.test(viewOf()))
		setAddress(address());
} }, el('div', { class: 'bar' }, runStatus, title, before, after,
    plainButton('Close', () => dialog.close())), tells, runBox);
let current = null;

/* The keys work wherever the focus is, but in a field. */
document.addEventListener('keydown', event => {
	const by = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }[event.key];

	if (by === undefined || event.altKey || event.ctrlKey || event.metaKey ||
	    event.target.closest?.('input, textarea, select') !== null)
		return;
	if (dialog.open)
		step(by);
	else if (Number.isFinite(by) || !event.target.closest?.('#runs > .scroll, #runs > .pages'))
		return;
	else
		turnPage(by);
	if (!Number.isFinite(by))
		event.preventDefault(); /* which would scroll */
});

/* To the run so many places behind this one, as the table has them, or the last there. */
function step(by) {
	const at = shown.indexOf(current);
	const run = shown[Math.min(Math.max(at + by, 0), shown.length - 1)];

	if (at >= 0 && run !== current)
		location.replace(address(`run-${run.place}`));
}

function showRecord(run, record) {
	const at = shown.indexOf(run);

	fillDialog(run, run.title, [marksOf(run), compareWith(run), ...runBody(run, record)]
	    .filter(node => node !== null));
	highlight(runBox);
	tells.textContent = visible(`${run.title}: ${run.status}, ${at + 1} of ${shown.length}`);
}

/* Shows what the nodes are, of a run or (null) of several. The bar stays, and with it the
 * focus: Enter on Next goes on. */
function fillDialog(run, words, nodes) {
	const at = run === null ? -1 : shown.indexOf(run);

	current = run;
	runStatus.className = run === null ? '' : `status ${run.status}`;
	runStatus.textContent = run === null ? '' : run.status;
	title.textContent = visible(words);
	runBox.replaceChildren(...nodes);
	before.hidden = after.hidden = run === null;
	before.disabled = at <= 0;
	after.disabled = at < 0 || at + 1 >= shown.length;
	if (!dialog.open)
		dialog.showModal();
	else if (document.activeElement === document.body || document.activeElement.disabled)
		title.focus();
	tells.textContent = visible(words);
	dialog.scrollTop = 0;
}

async function route() {
	const match = viewOf().match(/^run-(\d+)(?:-(\d+-\d+))?$/);
	const pair = viewOf().match(/^compare-(\d+)-(\d+)$/);
	const run = match && everyRun()[Number(match[1])];
	const two = (pair ?? []).slice(1).map(place => everyRun()[Number(place)]);

	if (two.length === 2 && !two.includes(undefined)) {
		await showComparison(...two);
		return;
	}
	if (!run) {
		if (dialog.open)
			dialog.close();
		return;
	}
	if (run !== current || !dialog.open)
		await showRun(run);
	if (match[2] !== undefined && run === current)
		showStep(match[2]);
}

/* ---- on paper ---- */

let unfolded = []; /* what is open on paper alone */

/* A run is printed whole; its record would say all of it again. */
window.addEventListener('beforeprint', () => {
	unfolded = [...dialog.querySelectorAll('.call:not([open]), .checks details:not([open])')];
	for (const part of unfolded)
		part.open = true;
});
window.addEventListener('afterprint', () => {
	for (const part of unfolded)
		part.open = false;
});
