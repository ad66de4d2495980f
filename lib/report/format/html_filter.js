/* Which runs the list shows: filters with counts beside their choices, and the
 * address of the page, which has them. */
const FILTERS = ['status', 'scenario', 'agent', 'model', 'tool', 'check', 'checked', 'mark'];
const CHOICES = 1000; /* of one filter, at most */
const QUERY = 1000; /* characters of a query, at most */
const RESULTS = 6; /* statuses that a check has, the first of STATUSES */

const state = { query: '', only: null, column: null, down: false, page: 0, /* only: a set of runs */
    ...Object.fromEntries(FILTERS.map(name => [name, ''])) };

/* The names of checks by their numbers: the row in which a check comes first has
 * its name, and else a row has number * RESULTS + status. */
const checkNames = [''];

function readResults(rows) {
	for (const run of rows)
		run.results = run.results.filter(one => typeof one !== 'string' || !checkNames.push(one));
}

/* ---- what a run has ---- */

/* The names, or the statuses, of the run's checks that have this name and status; '' is any. */
function resultsOf(run, what, name, status) {
	const found = new Set();

	for (const one of run.results ?? []) {
		const check = checkNames[Math.floor(one / RESULTS)], its = STATUSES[one % RESULTS];

		if ((name === '' || check === name) && (status === '' || its === status))
			found.add(what === 'check' ? check : its);
	}
	return [...found];
}

function valuesOf(run, name) {
	if (name === 'tool')
		return run.called ??= [...new Set(run.tools)];
	if (name === 'check')
		return resultsOf(run, name, '', state.checked);
	if (name === 'checked')
		return resultsOf(run, name, state.check, '');
	return name === 'mark' ? markWords(run) : [run[name]];
}

/* A check and its status are one filter: the same result has both. */
function passes(run, name) {
	const other = name === 'check' && state.check === '' ? 'checked' : name;

	return state[other] === '' || valuesOf(run, other).includes(state[other]);
}

/* The filters that the run does not pass, but those before its text. */
const failedFilters = run => FILTERS.filter(name => name !== 'checked' && !passes(run, name));

const isFound = run => (state.only === null || state.only.has(run)) && foundByText(run);

function leftRuns() {
	const used = FILTERS.filter(name => state[name] !== '');

	return runs.filter(run => isFound(run) && used.every(name => passes(run, name)));
}

/* How many runs each choice of a filter would leave, with the other filters as they are. */
function countChoices() {
	const counts = new Map(FILTERS.map(name => [name, new Map()]));

	for (const run of runs) {
		if (!isFound(run))
			continue;
		const failed = failedFilters(run);

		for (const [name, of] of counts) {
			const alone = name === 'checked' ? 'check' : name;

			if (failed.some(other => other !== alone))
				continue;
			for (const value of valuesOf(run, name))
				of.set(value, (of.get(value) ?? 0) + 1);
		}
	}
	return counts;
}

/* The filters whose choices tell runs apart. */
function usefulFilters() {
	return new Set(FILTERS.filter(name => {
		const found = new Set();

		for (const run of runs)
			for (const value of valuesOf(run, name))
				found.add(value ?? '');
		found.delete('');
		return found.size > (name === 'check' ? 0 : 1) && found.size <= CHOICES;
	}));
}

/* ---- the choices ---- */

const FILTER_WORDS = { checked: 'result of the check' };

/* Makes the lists of choices, which setChoices() fills. */
function makeChoices(changed) {
	return new Map(FILTERS.map(name => {
		const field = el('select', { 'data-filter': name, change: () => {
			state[name] = field.value;
			if (name === 'check' && field.value === '')
				state.checked = '';
			changed();
		} });

		return [name, field];
	}));
}

const labelled = ([name, field]) => el('label', {}, FILTER_WORDS[name] ?? name, field);

function compareValues(name) {
	return name === 'status' || name === 'checked'
	    ? (a, b) => STATUSES.indexOf(a) - STATUSES.indexOf(b) : (a, b) => compare(a, b);
}

function fillChoices(name, field, counts) {
	const values = [...counts.keys()].filter(value => value !== null && value !== '');
	const chosen = state[name];

	if (chosen !== '' && !counts.has(chosen))
		values.push(chosen);
	const few = values.length <= CHOICES ? values : values.filter(value => value === chosen);
	const choices = [['', 'all'], ...few.sort(compareValues(name))
	    .map(value => [value, `${value} (${counts.get(value) ?? 0})`])];
	const text = JSON.stringify(choices);

	if (field.choices !== text)
		field.replaceChildren(...choices.map(([value, words]) => {
			const option = el('option', {}, words);

			option.value = value; /* as it is, whatever its text looks like */
			return option;
		}));
	field.choices = text;
	field.value = chosen;
}

function setChoices(fields, useful, counts) {
	for (const [name, field] of fields) {
		fillChoices(name, field, counts.get(name));
		field.parentNode.hidden = state[name] === '' &&
		    (name === 'checked' ? state.check === '' : name === 'mark' ? counts.get(name).size === 0
		    : !useful.has(name));
	}
}

/* ---- the address ---- */

/* Returns the fragment of a view of the page, such as run-3 or '', with the filters
 * behind it. A fragment without a question mark leaves the filters as they are. */
function address(view = '') {
	const words = new URLSearchParams(FILTERS.filter(name => state[name] !== '')
	    .map(name => [name, state[name]]));

	if (state.query.trim() !== '')
		words.set('q', state.query);
	if (state.column !== null)
		words.set('sort', (state.down ? '-' : '') + state.column.name);
	return `#${view}${words.size === 0 ? '' : `?${words}`}`;
}

/* The view that the address names, without the filters. */
const viewOf = () => location.hash.replace(/^#|\?.*$/gs, '');

/* Makes the fragment that of the page, as a new entry of the history if `push`. */
function setAddress(fragment, push = false) {
	const url = location.href.split('#')[0] + (fragment === '#' ? '' : fragment);

	if (url !== location.href)
		history[push ? 'pushState' : 'replaceState'](null, '', url);
}

/* Takes the filters of the address. Returns whether they have changed. */
function takeAddress() {
	const [, view, filters] = location.hash.match(/^#?([^?]*)\??(.*)$/s);

	if (view !== '' && !location.hash.includes('?')) {
		if (/^(run|compare)-/.test(view))
			setAddress(address(view));
		return false;
	}
	const before = address();
	const words = new URLSearchParams(filters);
	const sort = words.get('sort') ?? '';

	for (const name of FILTERS)
		state[name] = words.get(name) ?? '';
	state.query = (words.get('q') ?? '').slice(0, QUERY);
	state.down = sort.startsWith('-');
	state.column = COLUMNS.find(column => column.name === sort.replace('-', '')) ?? null;
	return address() !== before;
}

/* Makes what the findings say of further runs links to the list of all of them. */
function linkMore() {
	for (const span of document.querySelectorAll('[data-check]')) {
		const { check, checked, scenario = '' } = span.dataset;
		const of = run => resultsOf(run, 'check', check, checked).length > 0;

		if (!runs.some(run => of(run) && (scenario === '' || run.scenario === scenario)))
			continue;
		span.replaceChildren(el('a', { href: `#?${new URLSearchParams({ check, checked,
		    ...scenario === '' ? {} : { scenario } })}`, click: () => setTimeout(showList) },
		    span.textContent));
	}
}

function showList() {
	const head = document.querySelector('#runs h2');

	head.tabIndex = -1;
	head.focus({ preventScroll: true });
	head.scrollIntoView();
}
