/* The table of runs, its filters, and the charts of the runs that are left. */
const PAGE = 100; /* runs that the table shows at a time */

const link = run => el('a', { href: `#run-${run.place}` }, run.title);
const COLUMNS = [
	{ name: 'status', value: run => STATUSES.indexOf(run.status),
	  cell: run => el('span', { class: `status ${run.status}` }, run.status) },
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

const state = { text: '', status: '', scenario: '', agent: '', model: '',
    only: null, column: null, down: false, page: 0 }; /* only: a set of runs */
let shown = []; /* filtered and sorted */

/* Returns the columns of which some run has a value. */
function columnsNow() {
	return COLUMNS.filter(column => runs.some(run => run[column.name] !== null));
}

function matches(run) {
	for (const name of ['status', 'scenario', 'agent', 'model'])
		if (state[name] !== '' && (run[name] ?? '') !== state[name])
			return false;
	if (state.only !== null && !state.only.has(run))
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

function tableOfRuns(columns, update) {
	return el('table', {},
	    el('thead', {}, el('tr', {}, ...columns.map(column => {
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
	field.value = state[name];
	return el('label', {}, name, field);
}

function filters(update) {
	const search = el('input', { type: 'search', 'data-filter': 'text', value: state.text, input: () => {
		Object.assign(state, { text: search.value.toLowerCase(), page: 0 });
		update();
	} });
	return el('form', { class: 'filters', role: 'search',
	    'aria-label': 'Which runs', submit: event => event.preventDefault() },
	    el('label', {}, 'name or tool has', search),
	    el('span', { class: 'choices' }),
	    el('output', { 'aria-live': 'polite' }));
}

/* Sets the choices of the filters to what the runs are now. */
function setChoices(box, update) {
	const choices = name => [...new Set(runs.map(run => run[name]))]
	    .filter(value => value !== null && value !== '')
	    .sort(name === 'status' ? (a, b) => STATUSES.indexOf(a) - STATUSES.indexOf(b)
	                            : (a, b) => compare(a, b));
	const lists = ['status', 'scenario', 'agent', 'model'].map(name => [name, choices(name)])
	    .filter(([, list]) => list.length > 1 && list.length <= 1000);

	if (box.dataset.lists === JSON.stringify(lists))
		return;
	box.dataset.lists = JSON.stringify(lists);
	for (const name of ['status', 'scenario', 'agent', 'model'])
		if (!lists.some(([other, list]) => other === name && list.includes(state[name])))
			state[name] = '';
	box.replaceChildren(...lists.map(([name, list]) => select(name, list, update)));
}

function sortRuns(list) {
	const { column, down } = state;
	const value = column && (column.value ?? (run => run[column.name]));

	if (column !== null)
		list.sort((a, b) => compare(value(a), value(b), down) || a.place - b.place);
	return list;
}

/* Puts the runs into the box, and the charts that draw(runs) returns for those that are
 * left. Returns a function to call when members of the runs have changed. */
function explore(box, draw) {
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
		    ...columns.map(column => el('td', {
		        class: column.n ? 'n' : `of-${column.name}`,
		        title: column.n ? null : visible(run[column.name] ?? ''),
		    }, cell(column, run))))));
		where.textContent = shown.length === 0 ? 'No run is like that'
		    : `${first + 1} to ${first + rows.length} of ${shown.length}`;
		back.disabled = first === 0;
		on.disabled = first + PAGE >= shown.length;
	}

	function update() {
		setChoices(form.querySelector('.choices'), update);
		shown = sortRuns(runs.filter(matches));
		form.querySelector('output').textContent =
		    `${shown.length} of ${runs.length} runs`;
		charts.replaceChildren(...draw(shown).filter(chart => chart !== null));
		showPage();
	}

	const form = filters(update);
	const columns = columnsNow();
	const table = tableOfRuns(columns, update);

	box.replaceChildren(el('section', { id: 'runs' }, el('h2', {}, 'Runs'), form,
	    charts,
	    el('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Runs' }, table),
	    el('div', { class: 'pages' }, back, on, where)));
	update();
	return update;
}
