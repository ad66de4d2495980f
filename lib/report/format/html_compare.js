/* Two runs side by side: their steps aligned, and what differs marked. */
const CELLS_MAX = 4e6; /* of the table that aligns two lists; longer lists are aligned by halves */
const SAME = 4; /* the worth of a pair of equals */

/* ---- alignment ---- */

/* Aligns two lists in order, so that the sum of worth(a, b) over the pairs is greatest; a
 * pair is worth more than 0, at most SAME. Returns pairs of members, null where a side has
 * none. */
function align(left, right, worth) {
	const least = Math.min(left.length, right.length);
	let first = 0, last = 0;

	while (first < least && worth(left[first], right[first]) === SAME)
		first++;
	while (last < least - first && worth(left.at(-1 - last), right.at(-1 - last)) === SAME)
		last++;
	const ends = list => [list.slice(0, first), list.slice(first, list.length - last),
	    list.slice(list.length - last)];
	const [[a, b, c], [x, y, z]] = [ends(left), ends(right)];

	return [...a.map((one, i) => [one, x[i]]), ...alignAll(b, y, worth),
	    ...c.map((one, i) => [one, z[i]])];
}

function alignAll(left, right, worth) {
	const rows = left.length + 1, columns = right.length + 1, pairs = [];

	if (rows * columns > CELLS_MAX) {
		const [i, j] = [rows >> 1, columns >> 1];

		return [...align(left.slice(0, i), right.slice(0, j), worth),
		    ...align(left.slice(i), right.slice(j), worth)];
	}
	const best = new Float64Array(rows * columns);
	const at = (i, j) => best[i * columns + j];

	for (let i = rows - 2; i >= 0; i--)
		for (let j = columns - 2; j >= 0; j--) {
			const own = worth(left[i], right[j]);

			best[i * columns + j] = Math.max(at(i + 1, j), at(i, j + 1),
			    own > 0 ? own + at(i + 1, j + 1) : 0);
		}
	let i = 0, j = 0;

	while (i < left.length || j < right.length) {
		const own = i < left.length && j < right.length ? worth(left[i], right[j]) : 0;

		if (own > 0 && at(i, j) === own + at(i + 1, j + 1))
			pairs.push([left[i++], right[j++]]);
		else if (j === right.length || (i < left.length && at(i, j) === at(i + 1, j)))
			pairs.push([left[i++], null]);
		else
			pairs.push([null, right[j++]]);
	}
	return pairs;
}

const isText = text => typeof text === 'string';
const callEvent = step => ({ who: 'call', tool: step?.tool ?? step?.name ?? 'a call', step,
    text: JSON.stringify(step?.args) });
const textEvents = (who, ...list) => list.filter(isText).map(text => ({ who, text }));

/* Returns what happened in a run as one list: prompts, texts and calls. */
function eventsOf(record) {
	if (!Array.isArray(record.turns) || record.turns.length === 0)
		return [...textEvents('user', record.prompt),
		    ...(Array.isArray(record.tool_sequence) ? record.tool_sequence : [])
		        .map(tool => callEvent({ tool })),
		    ...textEvents('assistant', record.final_text)];
	return record.turns.flatMap(turn => [...textEvents('user', turn?.prompt),
	    ...(Array.isArray(turn?.steps) ? turn.steps : []).flatMap(step =>
	        isText(step?.text) ? textEvents('assistant', step.text) : callEvent(step))]);
}

function worthOf(a, b) {
	if (a.who !== b.who || a.tool !== b.tool)
		return 0;
	return a.text === b.text ? SAME : a.who === 'call' ? 2 : 1;
}

/* ---- what differs ---- */

/* Returns the lines of a text as elements; those that the other text lacks are marked. */
function markLines(text, other) {
	const pairs = align(text.split('\n'), other.split('\n'), (a, b) => a === b ? SAME : 0);

	return pairs.filter(([line]) => line !== null).map(([line, same]) =>
	    same === null ? el('mark', {}, line, '\n') : `${line}\n`);
}

const shownParts = step => [
	['arguments', step?.args === undefined ? undefined : pretty(step.args)],
	['result', step?.result === undefined ? undefined : resultText(step.result)],
	['steps', step?.steps === undefined ? undefined : pretty(step.steps)],
	['error', step?.is_error === true ? 'the call failed' : undefined],
];

function isEqual(a, b) {
	return a.who === 'call' ? JSON.stringify(shownParts(a.step)) === JSON.stringify(shownParts(b.step))
	    : a.text === b.text;
}

/* Returns the event as the cell of one side shows it, where the other side has `other`. */
function sideOf(event, other) {
	if (event === null)
		return el('p', { class: 'gap' }, 'not here');
	if (other === null || isEqual(event, other))
		return event.who === 'call' ? callStep(event.step ?? {}) : said(event.who, event.text);
	if (event.who !== 'call')
		return said(event.who, markLines(event.text, other.text));
	const others = shownParts(other.step);

	return el('details', { class: 'call', open: true },
	    el('summary', {}, el('strong', {}, event.tool)),
	    el('div', {}, shownParts(event.step).map(([name, text], i) => text === undefined ? []
	        : block(name, text === others[i][1] ? text : markLines(text, others[i][1] ?? '')))));
}

const SIGNS = { same: ['=', 'the same'], other: ['≠', 'differs'], left: ['−', 'only the first run'], right: ['+', 'only the second run'] };

function pairOf([a, b]) {
	const kind = a === null ? 'right' : b === null ? 'left' : isEqual(a, b) ? 'same' : 'other';
	const [sign, words] = SIGNS[kind];

	return el('div', { class: `pair ${kind}` }, el('div', {}, sideOf(a, b)),
	    el('span', { class: 'sign', title: words, role: 'img', 'aria-label': words }, sign),
	    el('div', {}, sideOf(b, a)));
}

/* ---- the whole ---- */

/* Returns a row of the table of amounts, unless neither run has the amount. */
function amountRow(name, was, now, format) {
	if (was === null && now === null)
		return null;
	const ratio = was > 0 && now !== null ? ` (${now >= was ? '+' : '−'}${Math.round(
	    100 * Math.abs(now - was) / was)}%)` : '';
	const words = value => value === null ? '-' : format(value);

	return el('tr', {}, el('th', { scope: 'row' }, name), el('td', { class: 'n' }, words(was)),
	    el('td', { class: 'n' }, words(now), was === now ? '' : ratio));
}

/* Returns rows of the checks whose status differs, or that one run has alone. */
function checkRows(left, right) {
	const statuses = record => new Map((Array.isArray(record.check_results) ? record.check_results : [])
	    .map(check => [labelOf(check), check.status]));
	const was = statuses(left), now = statuses(right);

	return [...new Set([...was.keys(), ...now.keys()])]
	    .filter(label => was.get(label) !== now.get(label))
	    .map(label => el('tr', { class: 'differs' }, el('th', { scope: 'row' }, label),
	        ...[was, now].map(of => el('td', {}, of.has(label)
	            ? el('span', { class: `status ${of.get(label)}` }, of.get(label)) : '-'))));
}

function headOf(run) {
	return el('th', { scope: 'col' }, el('a', { href: address(`run-${run.place}`) }, nameOf(run)),
	    run.was ? ' (baseline)' : '');
}

/* Says how many steps differ, and that what the page leaves out is not compared. */
function sumUp(pairs, records) {
	const differ = pairs.filter(([a, b]) => a === null || b === null || !isEqual(a, b)).length;
	const said = pairs.length === 0 ? 'Neither run has a recorded step.'
	    : differ === 0 ? `All ${pairs.length} steps are the same.`
	    : `${differ} of ${pairs.length} steps differ, or are in one run alone.`;

	return said + (records.some(record => record.shortened > 0)
	    ? ' Texts that this page leaves out or cuts are not compared.' : '');
}

/* Fills the dialog with the two runs. */
async function showComparison(a, b) {
	const [left, right] = await Promise.all([recordOf(a), recordOf(b)]);

	if (viewOf() !== `compare-${a.place}-${b.place}`)
		return; /* something else is asked for meanwhile */
	const pairs = align(eventsOf(left), eventsOf(right), worthOf);

	fillDialog(null, `${a.was ? 'The baseline and now' : 'Two runs'}: ${a.title}`, [
	    el('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Amounts and checks' },
	        el('table', { class: 'sides' },
	            el('thead', {}, el('tr', {}, el('td'), headOf(a), headOf(b))),
	            el('tbody', {}, el('tr', {}, el('th', { scope: 'row' }, 'status'),
	                ...[a, b].map(run => el('td', {}, el('span', { class: `status ${run.status}` }, run.status)))),
	                amountRow('calls', a.calls, b.calls, String), amountRow('input', a.input, b.input, count),
	                amountRow('output', a.output, b.output, count), amountRow('cost', a.cost, b.cost, dollars),
	                amountRow('time', a.time, b.time, time), ...checkRows(left, right)))),
	    el('p', {}, sumUp(pairs, [left, right])),
	    el('div', { class: 'pairs' }, pairs.map(pairOf))]);
}

/* The runs that are offered beside a run: of the baseline, and of the same scenario or
 * prompt, the likest first. */
function partners(run) {
	const likeness = other => (other.scenario !== null && other.scenario === run.scenario ? 4 : 0) +
	    (other.title === run.title ? 2 : 0) + (other.was ? 2 : 0) +
	    (other.agent === run.agent ? 1 : 0) + (other.run === run.run ? 1 : 0);

	return everyRun().filter(other => other !== run)
	    .map(other => [likeness(other), other]).filter(([n]) => n >= 2)
	    .sort((p, q) => q[0] - p[0] || p[1].place - q[1].place)
	    .slice(0, 50).map(([, other]) => other);
}

/* Returns the choice of a run to compare with, or null if no run is like this one. */
function compareWith(run) {
	const others = partners(run);
	const field = el('select', { 'aria-label': 'The other run' }, others.map(other =>
	    el('option', { value: String(other.place) }, other.was ? 'baseline: ' : '', nameOf(other),
	        ` (${other.status})`)));
	const button = el('button', { type: 'button', class: 'plain', click: () => {
		const other = everyRun()[Number(field.value)];
		const [a, b] = other.was ? [other, run] : [run, other];

		location.hash = address(`compare-${a.place}-${b.place}`);
	} }, 'Compare');

	return others.length === 0 ? null : el('p', { class: 'compare' }, 'Beside ', field, ' ', button);
}

/* Returns a short name, which tells runs with one prompt apart. */
function nameOf(run) {
	const title = run.title.length > 50 ? `${run.title.slice(0, 49)}…` : run.title;

	return [title, run.agent, run.run === null ? run.id : `run ${run.run}`]
	    .filter((word, i) => word !== null && (i === 0 || word !== run.title)).join(' · ');
}
