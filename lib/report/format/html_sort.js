/* Tables: sorting and filtering their rows; and a way to each section. */
const ROWS_SHOWN = 200; /* as html.css has it */

/* What is not told comes last, whichever way. */
function compare(a, b, down) {
	if (a === null || b === null)
		return (a === null) - (b === null);
	if (a === b)
		return 0;
	return (a < b ? -1 : 1) * (down ? -1 : 1);
}

/* The number that a cell shows, or its text: $0.01, 2.5k, 40%, 1m03s, <0.0001. */
function cellValue(cell) {
	const text = cell.textContent.trim();
	const units = { k: 1e3, M: 1e6, G: 1e9, ms: 1, s: 1e3, m: 6e4, h: 36e5 };
	const parts = text.match(/^[$<]?([\d.]+)(ms|[kMGsmh])?(?:(\d+)([sm]))?/);

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
	if (body.rows.length > ROWS_SHOWN)
		table.closest('.scroll').after(allRows(table));
}

/* A button that shows all rows of a long table; html.css shows ROWS_SHOWN. */
function allRows(table) {
	return el('button', { type: 'button', class: 'plain rows', click: () => table.classList.add('whole') },
	    `Show all ${table.tBodies[0].rows.length} rows`);
}

function rowFilter(body) {
	const input = el('input', { type: 'search', class: 'rows', placeholder: 'rows with …',
	    'aria-label': 'Show only rows with', input: () => {
		const wanted = input.value.toLowerCase();

		if (wanted !== '')
			body.parentNode.classList.add('whole');
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
