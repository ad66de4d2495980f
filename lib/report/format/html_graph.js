/* Which tool follows which. */
const TOOLS = 14; /* that the graph shows; the others are one */
const EDGES = 80;

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

			/* A row names the first of many calls alone. */
			if (i === path.length && i < run.calls)
				return;
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
	return tool === START ? 'start' : tool === END ? 'end'
	    : tool === OTHER ? `${others} other tools` : tool;
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
