/*
 * Makes the page of mcpl-report -f html work: sorts tables, filters the runs,
 * draws them, and shows each one. Text of the data only ever becomes the text
 * of an element.
 */
'use strict';

{
const PAGE = 100;    /* runs that the table shows at a time */
const TOOLS = 14;    /* that the graph shows; the others are one */
const EDGES = 80;
const STATUSES = ['passed', 'failed', 'error', 'pending', 'skipped',
    'unchecked', 'not checked'];

/* The places of a row of the index, as html_run.c writes them. */
const FIELDS = ['id', 'scenario', 'agent', 'model', 'run', 'status', 'passed',
    'checks', 'calls', 'input', 'output', 'cost', 'time', 'start', 'tools'];

const runs = JSON.parse(document.getElementById('index').textContent)
    .map((row, place) => Object.fromEntries(
        [...FIELDS.map((name, i) => [name, row[i]]), ['place', place]]));

/* ---- elements ---- */

/* What does not show, or turns the text around, as \x1b or \u{202e}. */
function visible(text) {
	return String(text).replace(
	    /(?![\n\t\u200c\u200d\ufe00-\ufe0f\u00ad])[\p{Cc}\p{DI}\p{Cs}\p{Zl}\p{Zp}]/gu,
	    c => {
		const code = c.codePointAt(0).toString(16);

		return code.length <= 2 ? '\\x' + code.padStart(2, '0')
		                        : `\\u{${code}}`;
	});
}

function fill(node, attributes, children) {
	for (const [name, value] of Object.entries(attributes))
		if (typeof value === 'function')
			node.addEventListener(name, value);
		else if (value !== null && value !== false)
			node.setAttribute(name, value === true ? '' : value);
	for (const child of children.flat(Infinity))
		if (child !== null)
			node.append(child instanceof Node ? child : visible(child));
	return node;
}

function el(name, attributes = {}, ...children) {
	return fill(document.createElement(name), attributes, children);
}

function svg(name, attributes = {}, ...children) {
	return fill(document.createElementNS('http://www.w3.org/2000/svg', name),
	    attributes, children);
}

/* ---- amounts ---- */

function count(n) {
	const units = [[1e9, 'G'], [1e6, 'M'], [1e3, 'k']];

	for (const [size, unit] of units)
		if (n >= size)
			return (n / size).toFixed(n < 10 * size ? 1 : 0) + unit;
	return String(n);
}

function time(ms) {
	const s = Math.round(ms / 1000);

	if (ms < 1000)
		return `${+ms.toFixed(ms < 10 ? 1 : 0)}ms`;
	if (ms < 60000)
		return `${(ms / 1000).toFixed(1)}s`;
	if (s < 3600)
		return `${Math.floor(s / 60)}m${String(s % 60).padStart(2, '0')}s`;
	return `${Math.floor(s / 3600)}h${String(Math.floor(s / 60) % 60).padStart(2, '0')}m`;
}

function dollars(n) {
	return '$' + (n >= 1 || n === 0 ? n.toFixed(2) : n.toPrecision(3));
}

/* What the charts tell apart. */
const KINDS = ['passed', 'failed', 'open'];
const KIND_WORDS = ['passed', 'failed or in error', 'not decided'];

function kindOf(run) {
	return run.status === 'passed' ? 'passed'
	    : run.status === 'failed' || run.status === 'error' ? 'failed' : 'open';
}

/* The least value that so many per cent do not exceed (the nearest rank). */
function percentile(sorted, percent) {
	return sorted[Math.max(0, Math.ceil(percent / 100 * sorted.length) - 1)];
}

/* ---- sorting ---- */

/* What is not told comes last, whichever way. */
function compare(a, b, down) {
	if (a === null || b === null)
		return (a === null) - (b === null);
	if (a === b)
		return 0;
	return (a < b ? -1 : 1) * (down ? -1 : 1);
}

/* The number that a cell shows, or its text: $0.01, 2.5k, 40%, 1m03s, 12ms. */
function cellValue(cell) {
	const text = cell.textContent.trim();
	const units = { k: 1e3, M: 1e6, G: 1e9, ms: 1, s: 1e3, m: 6e4, h: 36e5 };
	const parts = text.match(/^\$?([\d.]+)(ms|[kMGsmh])?(?:(\d+)([sm]))?/);

	if (text === '-' || text === '')
		return null;
	if (!cell.classList.contains('n') || parts === null)
		return text;
	return parts[1] * (units[parts[2]] ?? 1) + (parts[3] ?? 0) * (units[parts[4]] ?? 1);
}

function heading(th, onSort) {
	const button = el('button', { type: 'button', click: () => {
		const down = th.getAttribute('aria-sort') === 'ascending';

		for (const other of th.parentNode.children)
			other.removeAttribute('aria-sort');
		th.setAttribute('aria-sort', down ? 'descending' : 'ascending');
		onSort(down);
	} });

	button.append(...th.childNodes);
	th.append(button);
}

/* The rows that sum others up stay at the end. */
function makeSortable(table) {
	const body = table.tBodies[0];

	[...table.tHead.rows[0].cells].forEach((th, column) => {
		if (th.classList.contains('rate'))
			return;
		heading(th, down => body.append(...[...body.rows].sort((a, b) =>
		    a.classList.contains('sum') - b.classList.contains('sum') ||
		    compare(cellValue(a.cells[column]), cellValue(b.cells[column]), down))));
	});
	if (body.rows.length > 12)
		table.closest('section').querySelector('h2').after(rowFilter(body));
}

function rowFilter(body) {
	const input = el('input', { type: 'search', class: 'rows', placeholder: 'rows with …',
	    'aria-label': 'Show only rows with', input: () => {
		const wanted = input.value.toLowerCase();

		for (const row of body.rows)
			row.hidden = !row.textContent.toLowerCase().includes(wanted);
	} });

	return input;
}

/* A way to each section. */
function contents() {
	const heads = [...document.querySelectorAll('main section > h2')];

	if (heads.length < 3)
		return;
	document.querySelector('header').append(el('nav', { 'aria-label': 'Sections' },
	    ...heads.map((h2, i) => {
		h2.id = `section-${i}`;
		return el('a', { href: `#${h2.id}` }, h2.textContent);
	    })));
}

/* ---- charts ---- */

/* A step of 1, 2 or 5 that makes at most so many bins. */
function niceStep(span, most) {
	const power = 10 ** Math.floor(Math.log10(span / most));

	return [1, 2, 5, 10].map(n => n * power).find(n => span / n <= most);
}

function figure(title, note, wide, ...content) {
	return el('figure', { class: wide ? 'wide' : null },
	    el('figcaption', {}, title, ' ', el('span', {}, note)), ...content);
}

/* The edges of at most so many bins of the same width. */
function evenEdges(low, high) {
	const step = high > low ? niceStep(high - low, 24) : high || 1;
	const first = Math.floor(low / step);

	return Array.from({ length: Math.floor(high / step) - first + 2 },
	    (_, i) => (first + i) * step);
}

/* Edges 1, 2, 5, 10 ... for amounts of which a few are far greater than most. */
function steepEdges(low, high) {
	const edges = [];

	for (let power = 10 ** Math.floor(Math.log10(low)); power <= high; power *= 10)
		edges.push(power, 2 * power, 5 * power);
	edges.push(10 ** (Math.floor(Math.log10(high)) + 1));
	while (edges[1] <= low)
		edges.shift();
	while (edges.at(-2) > high)
		edges.pop();
	return edges;
}

const STEEP = 20; /* times the median */

/* The runs by an amount, how many of each kind in which bin, and where an
 * amount stands on the axis, from 0 to 1. */
function bins(list, field) {
	const sorted = list.map(run => run[field]).sort((a, b) => a - b);
	const high = sorted.at(-1), least = sorted.find(n => n > 0);
	const steep = high > STEEP * Math.max(percentile(sorted, 50), least ?? high);
	const edges = steep ? steepEdges(least, high) : evenEdges(sorted[0], high);
	const axis = n => steep ? Math.log10(Math.max(n, edges[0])) : n;
	const [from, to] = [axis(edges[0]), axis(edges.at(-1))];
	const all = edges.slice(1).map((edge, i) => ({ from: edges[i], to: edge,
	    runs: 0, passed: 0, failed: 0, open: 0 }));

	for (const run of list) {
		const bin = all.find(b => run[field] < b.to);

		bin.runs++;
		bin[kindOf(run)]++;
	}
	return { all, sorted, edges, steep, at: n => (axis(n) - from) / (to - from) };
}

const WIDE = 460, LEFT = 96, RIGHT = 12, TALL = 120;
const BOXES = 8; /* agents in a chart, those with the most runs */

/* How the runs of each agent lie: from 5 to 95 %, the middle half, the median. */
function boxes(list, field, format, x) {
	const byAgent = new Map();

	for (const run of list)
		if (!byAgent.get(run.agent)?.push(run[field]))
			byAgent.set(run.agent, [run[field]]);
	const agents = [...byAgent]
	    .sort(([a, m], [b, n]) => n.length - m.length || compare(a, b)).slice(0, BOXES)
	    .sort(([a], [b]) => compare(a, b));

	return agents.map(([agent, values], i) => {
		values.sort((a, b) => a - b);
		const [p5, p25, p50, p75, p95] = [5, 25, 50, 75, 95]
		    .map(p => percentile(values, p));
		const y = TALL + 34 + i * 20;
		const name = agent ?? 'no agent';

		return svg('g', {},
		    svg('title', {}, `${name}: ${values.length} runs, median ` +
		        `${format(p50)}, half from ${format(p25)} to ${format(p75)}, ` +
		        `5 to 95% from ${format(p5)} to ${format(p95)}`),
		    svg('rect', { x: 0, y: y - 9, width: WIDE, height: 18, opacity: 0 }),
		    svg('text', { x: LEFT - 8, y: y + 4, 'text-anchor': 'end' },
		        name.length > 14 ? name.slice(0, 13) + '…' : name),
		    svg('path', { class: 'whisker', d: `M${x(p5)} ${y}H${x(p95)}` }),
		    svg('rect', { class: 'box', x: x(p25), y: y - 6, height: 12,
		        width: Math.max(1, x(p75) - x(p25)) }),
		    svg('path', { class: 'median', d: `M${x(p50)} ${y - 7}v14` }));
	});
}

/* A bin's runs, kind upon kind. */
function bar(bin, format, x, h) {
	let below = 0;

	return svg('g', {},
	    svg('title', {}, `${format(bin.from)} to ${format(bin.to)}: ` +
	        KINDS.filter(kind => bin[kind] > 0).map(kind =>
	            `${bin[kind]} ${KIND_WORDS[KINDS.indexOf(kind)]}`).join(', ')),
	    ...KINDS.filter(kind => bin[kind] > 0).map(kind => {
		below += bin[kind];
		return svg('rect', { class: kind, x: x(bin.from) + 0.5,
		    y: TALL - h(below), height: h(bin[kind]),
		    width: Math.max(1, x(bin.to) - x(bin.from) - 1) });
	    }));
}

function histogram(title, list, field, format) {
	const told = list.filter(run => run[field] !== null);

	if (told.length === 0)
		return null;
	const { all, sorted, edges, steep, at } = bins(told, field);
	const x = value => LEFT + at(value) * (WIDE - LEFT - RIGHT);
	const most = Math.max(...all.map(bin => bin.runs));
	const h = n => n / most * (TALL - 20);
	const summary = `median ${format(percentile(sorted, 50))}, 95% within ` +
	    `${format(percentile(sorted, 95))}, most ${format(sorted.at(-1))}` +
	    (steep ? ' (logarithmic)' : '');
	const rows = boxes(told, field, format, x);
	const ticks = [0, Math.floor(all.length / 2), all.length].map(i => edges[i]);

	return figure(title, summary, false, svg('svg', { role: 'img',
	    'aria-label': `${title} of ${told.length} runs: ${summary}`,
	    viewBox: `0 0 ${WIDE} ${TALL + 30 + rows.length * 20}` },
	    svg('text', { class: 'label', x: LEFT - 8, y: 24, 'text-anchor': 'end' },
	        `${most} runs`),
	    ...all.map(bin => bar(bin, format, x, h)),
	    svg('path', { class: 'axis', d: `M${LEFT} ${TALL}H${WIDE - RIGHT}` }),
	    ...ticks.map((value, i) => svg('text', { class: 'label', x: x(value),
	        y: TALL + 15, 'text-anchor': ['start', 'middle', 'end'][i] },
	        format(value))),
	    ...rows));
}

/* ---- which tool follows which ---- */

const START = '\n start', END = '\n end', OTHER = '\n other';

function transitions(list) {
	const calls = new Map(), edges = new Map(), at = new Map();

	for (const run of list)
		for (const tool of run.tools)
			calls.set(tool, (calls.get(tool) ?? 0) + 1);
	const kept = new Set([...calls].sort((a, b) => b[1] - a[1])
	    .slice(0, TOOLS).map(([tool]) => tool));
	for (const run of list) {
		const path = run.tools.map(tool => kept.has(tool) ? tool : OTHER);

		if (run.calls === null)
			continue;
		[START, ...path].forEach((from, i) => {
			const key = JSON.stringify([from, path[i] ?? END]);

			edges.set(key, (edges.get(key) ?? 0) + 1);
		});
		for (const tool of new Set(path)) {
			const sum = at.get(tool) ?? at.set(tool, { place: 0, runs: 0 }).get(tool);

			sum.place += path.indexOf(tool);
			sum.runs++;
		}
	}
	return { calls, at, others: calls.size - kept.size,
	    edges: [...edges].map(([key, n]) => [...JSON.parse(key), n])
	        .sort((a, b) => b[2] - a[2]).slice(0, EDGES) };
}

/* Each tool stands in the column of its usual place among the calls. */
function places(at) {
	const mean = [...at].map(([tool, sum]) => [tool, sum.place / sum.runs]);
	const columns = [...new Set(mean.map(([, m]) => Math.round(m)))]
	    .sort((a, b) => a - b);
	const used = columns.map(() => 0);
	const place = new Map();

	for (const [tool, m] of mean.sort((a, b) => a[1] - b[1])) {
		const column = columns.indexOf(Math.round(m));

		place.set(tool, { column: column + 1, row: used[column]++ });
	}
	const rows = Math.max(1, ...used);
	for (const [, p] of place)
		p.row += (rows - used[p.column - 1]) / 2;
	place.set(START, { column: 0, row: (rows - 1) / 2 });
	place.set(END, { column: columns.length + 1, row: (rows - 1) / 2 });
	return { place, columns: columns.length + 2, rows };
}

const NODE_W = 132, NODE_H = 28, COLUMN = 196, ROW = 76, TOP = 62;

function edgePath(from, to, rows) {
	const [x1, y1] = [from.column * COLUMN + NODE_W, TOP + from.row * ROW + NODE_H / 2];
	const [x2, y2] = [to.column * COLUMN, TOP + to.row * ROW + NODE_H / 2];

	if (from === to)
		return { d: `M${x1 - 40} ${y1 - 14}c-6 -30 -46 -30 -52 0`, back: true,
		    x: x1 - 66, y: y1 - 26 };
	if (to.column > from.column) {
		/* A long way bends around what stands between. */
		const gap = to.column - from.column;
		const bend = gap === 1 ? 0 : (from.row + to.row < rows - 1 ? -1 : 1) *
		    (30 + 10 * gap);

		return { d: `M${x1} ${y1}C${x1 + 60} ${y1 + bend * 1.3} ${x2 - 60} ` +
		    `${y2 + bend * 1.3} ${x2} ${y2}`, back: false,
		    x: (x1 + x2) / 2, y: (y1 + y2) / 2 + bend + 4 };
	}
	if (to.column === from.column)
		return { d: `M${x1} ${y1}C${x1 + 46} ${y1} ${x1 + 46} ${y2} ${x1} ${y2}`,
		    back: to.row < from.row, x: x1 + 34 + (to.row < from.row ? 8 : -8),
		    y: (y1 + y2) / 2 + (to.row < from.row ? 12 : -2) };
	const low = Math.max(y1, y2) + 34;

	return { d: `M${x1 - 20} ${y1 + 14}C${x1} ${low} ${x2} ${low} ${x2 + 20} ${y2 + 14}`,
	    back: true, x: (x1 + x2) / 2, y: low - 6 };
}

function nodeName(tool, others) {
	return { [START]: 'start', [END]: 'end' }[tool] ??
	    (tool === OTHER ? `${others} other tools` : tool);
}

function node(tool, p, name, calls) {
	const [x, y] = [p.column * COLUMN, TOP + p.row * ROW];
	const bare = name.length > 20 ? name.replace(/^mcp__.*?__/, '') : name;
	const short = bare.length > 20 ? '…' + bare.slice(-19) : bare;

	return svg('g', { class: tool === START || tool === END ? 'node end' : 'node' },
	    svg('title', {}, calls === undefined ? name : `${name}: ${calls} calls`),
	    svg('rect', { x, y, width: NODE_W, height: NODE_H, rx: 6 }),
	    svg('text', { x: x + NODE_W / 2, y: y + 18, 'text-anchor': 'middle' }, short));
}

function toolGraph(list) {
	const { calls, at, edges, others } = transitions(list);

	if (calls.size === 0)
		return null;
	const { place, columns, rows } = places(at);
	const most = edges[0][2];
	const name = tool => nodeName(tool, others);
	const width = (columns - 1) * COLUMN + NODE_W;
	const height = 2 * TOP + rows * ROW - (ROW - NODE_H);
	const drawn = edges.map(([from, to, n]) =>
	    [edgePath(place.get(from), place.get(to), rows), from, to, n]);

	return figure('From tool to tool',
	    'how often one follows the other; dashed: back to an earlier one', true,
	    el('div', { class: 'scroll', tabindex: 0, role: 'region',
	        'aria-label': 'Graph of tools' },
	    svg('svg', { role: 'img', width: width + 8, height,
	        viewBox: `-4 0 ${width + 8} ${height}`,
	        'aria-label': `Graph of ${calls.size} tools; the table below says the same` },
	    ...drawn.map(([path, from, to, n]) => svg('path', { d: path.d,
	        class: path.back ? 'edge back' : 'edge',
	        'stroke-width': 1 + 7 * Math.sqrt(n / most) },
	        svg('title', {}, `${name(from)} → ${name(to)}: ${n}`))),
	    ...[...place].map(([tool, p]) => node(tool, p, name(tool), calls.get(tool))),
	    ...drawn.filter(([, , , n]) => n >= most / 20)
	        .map(([path, , , n]) => svg('text', { class: 'count', x: path.x,
	        y: path.y, 'text-anchor': 'middle' }, n)))),
	    el('details', {}, el('summary', {}, 'As a table'),
	        el('table', {}, el('thead', {}, el('tr', {},
	            ...['from', 'to'].map(t => el('th', { scope: 'col' }, t)),
	            el('th', { scope: 'col', class: 'n' }, 'times'))),
	        el('tbody', {}, ...edges.map(([from, to, n]) => el('tr', {},
	            el('td', {}, name(from)), el('td', {}, name(to)),
	            el('td', { class: 'n' }, n)))))));
}

/* ---- the table of runs ---- */

const some = name => runs.some(run => run[name] !== null);
const link = run => el('a', { href: `#run-${run.place}` }, run.id ?? `run ${run.place + 1}`);
const COLUMNS = [
	{ name: 'status', value: run => STATUSES.indexOf(run.status),
	  cell: run => el('span', { class: `status ${run.status}` }, run.status) },
	{ name: 'id', cell: link }, { name: 'scenario' }, { name: 'agent' }, { name: 'model' },
	{ name: 'checks', n: true,
	  value: run => run.checks === 0 ? null : run.passed / run.checks,
	  cell: run => run.checks === 0 ? '-' : `${run.passed} / ${run.checks}` },
	{ name: 'calls', n: true },
	{ name: 'input', n: true, format: count },
	{ name: 'output', n: true, format: count },
	{ name: 'cost', n: true, format: dollars },
	{ name: 'time', n: true, format: time },
].filter(column => some(column.name));

const state = { text: '', status: '', scenario: '', agent: '', model: '',
    column: null, down: false, page: 0 };
let shown = runs; /* filtered and sorted */

function matches(run) {
	for (const name of ['status', 'scenario', 'agent', 'model'])
		if (state[name] !== '' && (run[name] ?? '') !== state[name])
			return false;
	return state.text === '' || [run.id, run.scenario, run.agent, run.model,
	    ...run.tools].some(text => text !== null &&
	    text.toLowerCase().includes(state.text));
}

function cell(column, run) {
	const value = run[column.name];

	if (column.cell)
		return column.cell(run);
	return value === null ? '-' : column.format ? column.format(value) : value;
}

function tableOfRuns(update) {
	return el('table', {},
	    el('thead', {}, el('tr', {}, ...COLUMNS.map(column => {
		const th = el('th', { scope: 'col', class: column.n ? 'n' : null },
		    column.name);

		heading(th, down => {
			Object.assign(state, { column, down, page: 0 });
			update();
		});
		return th;
	    }))), el('tbody'));
}

function select(name, options, update) {
	const field = el('select', { 'data-filter': name, change: () => {
		Object.assign(state, { [name]: field.value, page: 0 });
		update();
	} }, el('option', { value: '' }, 'all'),
	    ...options.map(value => el('option', {}, value)));

	/* A value is told as it is, whatever its text looks like. */
	[...field.options].slice(1).forEach((option, i) => { option.value = options[i]; });
	return el('label', {}, name, field);
}

function filters(update) {
	const search = el('input', { type: 'search', 'data-filter': 'text', input: () => {
		Object.assign(state, { text: search.value.toLowerCase(), page: 0 });
		update();
	} });
	const choices = name => [...new Set(runs.map(run => run[name]))]
	    .filter(value => value !== null && value !== '')
	    .sort(name === 'status' ? (a, b) => STATUSES.indexOf(a) - STATUSES.indexOf(b)
	                            : (a, b) => compare(a, b));

	return el('form', { class: 'filters', role: 'search',
	    'aria-label': 'Which runs', submit: event => event.preventDefault() },
	    el('label', {}, 'name or tool has', search),
	    ...['status', 'scenario', 'agent', 'model'].map(name => [name, choices(name)])
	        .filter(([, list]) => list.length > 1 && list.length <= 1000)
	        .map(([name, list]) => select(name, list, update)),
	    el('output', { 'aria-live': 'polite' }));
}

function sortRuns(list) {
	const { column, down } = state;
	const value = column && (column.value ?? (run => run[column.name]));

	if (column !== null)
		list.sort((a, b) => compare(value(a), value(b), down) || a.place - b.place);
	return list;
}

function explore(box) {
	const charts = el('div', { class: 'charts' });
	const where = el('span');
	const turn = by => () => {
		state.page += by;
		showPage();
	};
	const back = el('button', { type: 'button', class: 'plain', click: turn(-1) }, 'Previous');
	const on = el('button', { type: 'button', class: 'plain', click: turn(1) }, 'Next');

	function showPage() {
		const first = state.page * PAGE;
		const rows = shown.slice(first, first + PAGE);

		table.tBodies[0].replaceChildren(...rows.map(run => el('tr', {},
		    ...COLUMNS.map(column => el('td', {
		        class: column.n ? 'n' : `of-${column.name}`,
		        title: column.n ? null : visible(run[column.name] ?? ''),
		    }, cell(column, run))))));
		where.textContent = shown.length === 0 ? 'No run is like that'
		    : `${first + 1} to ${first + rows.length} of ${shown.length}`;
		back.disabled = first === 0;
		on.disabled = first + PAGE >= shown.length;
	}

	function update() {
		shown = sortRuns(runs.filter(matches));
		form.querySelector('output').textContent =
		    `${shown.length} of ${runs.length} runs`;
		charts.replaceChildren(...[
		    histogram('Time', shown, 'time', time),
		    histogram('Cost', shown, 'cost', dollars),
		    histogram('Output tokens', shown, 'output', count),
		    toolGraph(shown)].filter(chart => chart !== null));
		showPage();
	}

	const form = filters(update);
	const table = tableOfRuns(update);

	box.replaceChildren(el('section', { id: 'runs' }, el('h2', {}, 'Runs'), form,
	    el('p', { class: 'legend', hidden: runs.every(run => kindOf(run) === 'open') },
	        KINDS.filter(kind => runs.some(run => kindOf(run) === kind)).map(kind =>
	            [el('i', { class: kind }), KIND_WORDS[KINDS.indexOf(kind)]])),
	    charts,
	    el('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Runs' }, table),
	    el('div', { class: 'pages' }, back, on, where)));
	update();
}

/* ---- one run ---- */

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
	    el('p', { class: 'places' }, [check.type, check.at].filter(Boolean).join(' · ')),
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

function showRun(run) {
	const data = document.getElementById(`run${run.place}`);
	const button = (text, click) => el('button', { type: 'button', class: 'plain', click }, text);

	if (data === null) { /* the page is still being read */
		document.addEventListener('DOMContentLoaded', () => showRun(run), { once: true });
		return;
	}
	current = run;
	dialog.replaceChildren(
	    el('div', { class: 'bar' },
	        el('span', { class: `status ${run.status}` }, run.status),
	        el('h2', { id: 'run-title', tabindex: -1, autofocus: true }, run.id ?? `run ${run.place + 1}`),
	        button('Previous', () => step(-1)), button('Next', () => step(1)),
	        button('Close', () => dialog.close())),
	    el('div', { class: 'body' }, ...runBody(run, JSON.parse(data.textContent))));
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

/* ---- the page ---- */

function linkFindings() {
	const byId = new Map(runs.map(run => [run.id, run]));

	for (const span of document.querySelectorAll('[data-run]')) {
		const run = byId.get(span.dataset.run);

		if (run !== undefined)
			span.replaceChildren(link(run));
	}
}

document.querySelectorAll('table.sortable').forEach(makeSortable);
linkFindings();
if (runs.length > 0)
	explore(document.getElementById('explore'));
contents();
document.body.append(dialog);
window.addEventListener('hashchange', route);
route();
}
