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

function said(who, text) {
	return el('div', { class: `said ${who}` }, el('span', { class: 'who' }, who), text);
}

function block(title, value) {
	return value === undefined ? []
	    : [el('span', { class: 'who' }, title), el('pre', {}, value)];
}

function callStep(step) {
	const failed = step.is_error === true;
	const args = step.args === undefined ? '' : JSON.stringify(step.args);

	return el('details', { class: failed ? 'call bad-call' : 'call', open: failed },
	    el('summary', {}, el('strong', {}, step.tool ?? step.name ?? 'a call'), ' ',
	        failed ? el('span', { class: 'bad' }, 'error ') : null,
	        typeof step.duration_ms === 'number'
	            ? el('span', { class: 'faint' }, time(step.duration_ms), ' ') : null,
	        el('span', { class: 'faint' }, args.length > 90 ? args.slice(0, 89) + '…' : args)),
	    el('div', {},
	        block('arguments', step.args === undefined ? undefined : pretty(step.args)),
	        block('result', step.result === undefined ? undefined
	            : resultText(step.result)),
	        ...steps(step.steps)));
}

function steps(list) {
	return (Array.isArray(list) ? list : []).map(step =>
	    typeof step?.text === 'string' ? said('assistant', step.text)
	    : typeof step === 'object' && step !== null ? callStep(step)
	    : el('p', {}, pretty(step)));
}

function turnOf(turn, place, turns) {
	return [turns.length > 1 ? el('h3', {}, `Turn ${place + 1}`) : null,
	    typeof turn?.prompt === 'string' ? said('user', turn.prompt) : null,
	    ...steps(turn?.steps),
	    ...block('state', turn?.state === undefined ? undefined : pretty(turn.state)),
	    ...block('guardrails', turn?.guardrails === undefined ? undefined
	        : pretty(turn.guardrails))].filter(part => part !== null);
}

function checkItem(check) {
	const status = STATUSES.includes(check.status) ? check.status : 'unchecked';

	return el('li', {},
	    el('p', {}, el('span', { class: `status ${status}` }, status), ' ',
	        el('strong', {}, check.label ?? check.type ?? 'check'),
	        (check.severity ?? 'error') === 'error' ? null
	            : el('span', { class: 'times' }, ' ', check.severity)),
	    typeof check.reason === 'string' && check.reason.trim() !== ''
	        ? el('pre', {}, check.reason.trim()) : null,
	    el('p', { class: 'places' }, [check.type, check.at,
	        check.metadata?.source === 'expectation' && 'source: expectation']
	        .filter(Boolean).join(' · ')),
	    check.judge === undefined ? null : el('details', {},
	        el('summary', {}, 'What the judge was asked and said'),
	        el('pre', {}, pretty(check.judge))));
}

function runBody(run, record) {
	const source = record.source ?? {};
	const turns = Array.isArray(record.turns) ? record.turns : [];
	const raw = el('details', { toggle: () => {
		if (raw.children.length === 1)
			raw.append(el('pre', {}, JSON.stringify(record, null, 2)));
	} }, el('summary', {}, 'The record'));
	const tokens = name => record.usage?.[name];

	return [
		facts([['scenario', run.scenario], ['agent', run.agent],
		    ['model', run.model], ['run', run.run],
		    ['log', source.file && `${source.file}:${source.line ?? 1}`],
		    ['begun', run.start], ['time', run.time === null ? null : time(run.time)],
		    ['tokens', tokens('input_tokens') === undefined ? null
		        : `${tokens('input_tokens')} in, ${tokens('output_tokens') ?? '-'} out`],
		    ['cost', run.cost === null ? null : dollars(run.cost)]]),
		record.error === undefined ? null
		    : el('p', { class: 'bad' }, 'The run ended in an error: ', pretty(record.error)),
		...(Array.isArray(record.check_results) && record.check_results.length > 0
		    ? [el('h3', {}, 'Checks'),
		        el('ul', { class: 'checks' }, ...record.check_results.map(checkItem))] : []),
		el('h3', {}, 'What happened'),
		...turns.flatMap(turnOf),
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

const dialog = el('dialog', { 'aria-labelledby': 'run-title', close: () => {
	if (location.hash.startsWith('#run-'))
		history.replaceState(null, '', location.pathname + location.search);
}, keydown: event => {
	if (event.key === 'ArrowLeft')
		step(-1);
	else if (event.key === 'ArrowRight')
		step(1);
} });
let current = null;

/* To the run before or after this one, as the table has them. */
function step(by) {
	const run = shown[shown.indexOf(current) + by];

	if (run !== undefined)
		location.replace(`#run-${run.place}`);
}

function showRecord(run, record) {
	const button = (text, click) => el('button', { type: 'button', class: 'plain', click }, text);

	current = run;
	dialog.replaceChildren(
	    el('div', { class: 'bar' },
	        el('span', { class: `status ${run.status}` }, run.status),
	        el('h2', { id: 'run-title', tabindex: -1, autofocus: true }, run.id ?? `run ${run.place + 1}`),
	        button('Previous', () => step(-1)), button('Next', () => step(1)),
	        button('Close', () => dialog.close())),
	    el('div', { class: 'body' }, ...runBody(run, record)));
	if (!dialog.open)
		dialog.showModal();
	dialog.scrollTop = 0;
}

function route() {
	const match = location.hash.match(/^#run-(\d+)$/);
	const run = match && runs[Number(match[1])];

	if (run)
		showRun(run);
	else if (dialog.open)
		dialog.close();
}
