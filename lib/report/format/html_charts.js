/* How time, cost and output are distributed. */
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
		/* 0.29 / 0.01 is less than 29, but 29 * 0.01 not more than 0.29. */
		const bin = all.find(b => run[field] < b.to) ?? all.at(-1);

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
	const ticks = [...new Set([0, Math.floor(all.length / 2), all.length])].map(i => edges[i]);

	return figure(title, summary, false, svg('svg', { role: 'img',
	    'aria-label': `${title} of ${told.length} runs: ${summary}`,
	    viewBox: `0 0 ${WIDE} ${TALL + 30 + rows.length * 20}` },
	    svg('text', { class: 'label', x: LEFT - 8, y: 24, 'text-anchor': 'end' },
	        `${most} runs`),
	    ...all.map(bin => bar(bin, format, x, h)),
	    svg('path', { class: 'axis', d: `M${LEFT} ${TALL}H${WIDE - RIGHT}` }),
	    ...ticks.map((value, i) => svg('text', { class: 'label', x: x(value), y: TALL + 15,
	        'text-anchor': i === 0 ? 'start' : i + 1 < ticks.length ? 'middle' : 'end' },
	        format(value))),
	    ...rows));
}
