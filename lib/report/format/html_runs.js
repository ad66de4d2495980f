/* The table of runs, its filters, and the charts of the runs that are left. */
const PAGE = 100; /* runs that the table shows at a time */
const FEW = 20; /* while they are searched, and keys come */
const SETTLE = 200; /* ms without a change before charts and counts are drawn anew */

const link = run => el('a', { href: address(`run-${run.place}`) }, run.title);
const COLUMNS = [
	{ name: 'status', value: run => STATUSES.indexOf(run.status),
	  cell: run => el('span', { class: `status ${run.status}` }, run.status) },
	{ name: 'mark', value: run => markWords(run)[0] ?? null, cell: run => marksOf(run, null, true) },
	{ name: 'title', cell: run => [link(run), run.id === null || run.id === run.title ? null
	    : el('small', {}, run.id)] },
	{ name: 'scenario' }, { name: 'agent' }, { name: 'model' },
	{ name: 'checks', n: true,
	  value: run => run.checks === 0 ? null : run.passed / run.checks,
	  cell: run => run.checks === 0 ? '-' : `${run.passed} / ${run.checks}` },
	{ name: 'calls', n: true },
	{ name: 'input', n: true, format: count },
	{ name: 'output', n: true, format: count },
	{ name: 'cost', n: true, format: dollars },
	{ name: 'time', n: true, format: time },
];

let shown = []; /* filtered and sorted */

/* Returns the columns of which some run has a value. */
function columnsNow() {
	return COLUMNS.filter(column => runs.some(run => run[column.name] !== null));
}

function cell(column, run) {
	const value = run[column.name];

	if (column.cell)
		return column.cell(run);
	return value === null ? '-' : column.format ? column.format(value) : value;
}

function tableOfRuns(columns, update) {
	return el('table', {},
	    el('thead', {}, el('tr', {}, el('th', { scope: 'col' }, el('span', { class: 'unseen' }, 'ticked')),
	        ...columns.map(column => {
		const th = el('th', { scope: 'col', class: column.n ? 'n' : `of-${column.name}` },
		    column.name);

		heading(th, down => {
			Object.assign(state, { column, down });
			update(true);
		});
		return th;
	    }))), el('tbody'));
}

/* Tells which column the runs are sorted by. */
function tellSort(table, columns) {
	[...table.tHead.rows[0].cells].slice(1).forEach((th, i) => {
		th.ariaSort = columns[i] !== state.column ? null : state.down ? 'descending' : 'ascending';
	});
}

function sortRuns(list) {
	const { column, down } = state;
	const value = column && (column.value ?? (run => run[column.name]));

	if (column !== null)
		list.sort((a, b) => compare(value(a), value(b), down) || a.place - b.place);
	return list;
}

/* The row of a run, and below it where the words of the search are. */
function rowsOf(run, columns, ticks) {
	const row = el('tr', {}, el('td', {}, tickOf(run, ticks)), columns.map(column => el('td', {
	    class: column.n ? 'n' : `of-${column.name}`,
	    title: column.n ? null : visible(run[column.name] ?? ''),
	}, cell(column, run))));

	if (search.hits !== null)
		snippetsOf(run).then(lines => lines.length > 0 && row.after(el('tr', { class: 'snippets' },
		    el('td', { colspan: columns.length + 1 }, lines))), () => {});
	return row;
}

/* What is found, and how far the search is. */
function tellFound(output, progress) {
	const { done, of, isRunning, unread } = search;

	output.textContent = `${shown.length} of ${runs.length} runs${isRunning ? ' so far' : ''}` +
	    (unread > 0 ? `; ${unread} could not be read` : '');
	progress.hidden = !isRunning;
	progress.value = of === 0 ? 1 : done / of;
}

let turnPage = () => {}; /* turns so many pages of the list, and goes to its first or last run */
let listAgain = () => {}; /* takes the filters as they are now, and draws the list */

/* Puts the runs into the box, and the charts that draw(runs) returns for those that are
 * left. Returns a function to call when members of the runs have changed. */
function explore(box, draw) {
	const charts = el('div', { class: 'charts' });
	const chartBox = el('details', { open: matchMedia('(min-width: 40rem)').matches,
	    toggle: () => drawCharts() }, el('summary', {}, 'Charts of these runs'), charts);
	const where = el('span');
	const bar = keepBar();
	const columns = columnsNow();
	let useful = null, timer = null, pushes = false, drawnOf = null, list = [], isBrief = false;

	function turn(by) {
		const last = Math.max(Math.ceil(shown.length / PAGE) - 1, 0);

		state.page = Math.min(Math.max(state.page + by, 0), last);
		showPage();
	}
	const plain = (words, click) => el('button', { type: 'button', class: 'plain', click }, words);
	const back = plain('Previous', () => turn(-1)), on = plain('Next', () => turn(1));

	function showPage() {
		const first = state.page * PAGE;
		const rows = shown.slice(first, first + (isBrief || search.isRunning ? FEW : PAGE));
		const same = rows.length === list.length && rows.every((run, i) => run === list[i]);

		if (!search.isRunning || !same)
			table.tBodies[0].replaceChildren(...rows.map(run => rowsOf(run, columns, bar.draw)));
		list = rows;
		where.textContent = shown.length === 0 ? search.isRunning ? '' : 'No run is like that'
		    : `${first + 1} to ${first + rows.length} of ${shown.length}`;
		back.disabled = first === 0;
		on.disabled = first + PAGE >= shown.length;
	}

	/* Draws the rows at once, and what takes longer soon. */
	function update() {
		shown = sortRuns(leftRuns());
		tellFound(output, progress);
		tellSort(table, columns);
		showPage();
		bar.draw();
		clearTimeout(timer);
		timer = setTimeout(settle, SETTLE);
	}

	function settle() {
		if (search.isRunning)
			return;
		if (isBrief) {
			isBrief = false;
			setAddress(address(dialog.open ? viewOf() : ''), pushes);
			showPage();
		}
		useful ??= usefulFilters();
		setChoices(fields, useful, countChoices());
		drawCharts();
	}

	function drawCharts() {
		if (drawnOf === shown && chartBox.open)
			return;
		drawnOf = chartBox.open ? shown : null;
		const drawn = chartBox.open ? draw(shown).filter(chart => chart !== null) : [];

		charts.replaceChildren(...drawn);
		chartBox.hidden = chartBox.open && drawn.length === 0;
	}

	/* Draws what other filters leave; the way back has those before. */
	function changed() {
		state.page = 0;
		setAddress(address(), true);
		update();
	}

	/* Typing a query makes one entry of the history, however many keys. */
	function typed() {
		chartBox.open &&= state.query !== ''; /* what is found comes into sight */
		pushes = !/[?&]q=/.test(location.hash);
		isBrief = true;
		Object.assign(state, { query: field.value, page: 0 });
		find(state.query, update);
	}

	const fields = makeChoices(changed);
	const field = el('input', { type: 'search', 'data-filter': 'text', maxlength: QUERY,
	    input: typed });
	const output = el('output', { 'aria-live': 'polite' });
	const progress = el('progress', { 'aria-label': 'Searched', hidden: true });
	const table = tableOfRuns(columns, changed);

	turnPage = by => {
		turn(by);
		[...table.querySelectorAll('.of-title a')].at(by < 0 ? 0 : -1)?.focus();
	};
	listAgain = () => {
		field.value = state.query;
		return find(state.query, update);
	};
	box.replaceChildren(el('section', { id: 'runs' }, el('h2', {}, 'Runs'),
	    el('form', { class: 'filters', role: 'search', 'aria-label': 'Which runs',
	        submit: event => event.preventDefault() },
	        el('label', { class: 'query' }, 'search in prompts, arguments, results, answers, names', field),
	        [...fields].map(labelled), output, progress),
	    chartBox, bar,
	    el('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Runs' }, table),
	    el('div', { class: 'pages' }, back, on, where)));
	takeAddress();
	listAgain();
	settle();
	return () => {
		useful = null;
		listAgain();
	};
}

window.addEventListener('hashchange', () => {
	if (takeAddress()) {
		state.page = 0;
		listAgain();
	}
});
