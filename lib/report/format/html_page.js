/* The runs, and what is done when the page is there. */
/* The places of a row of the index, as html_run.c writes them. */
const FIELDS = ['id', 'scenario', 'agent', 'model', 'run', 'status', 'passed',
    'checks', 'calls', 'input', 'output', 'cost', 'time', 'start', 'tools', 'results'];

const runs = JSON.parse(document.getElementById('index').textContent)
    .map((row, place) => Object.fromEntries(
        [...FIELDS.map((name, i) => [name, row[i]]), ['place', place]]));

function legend() {
	return el('p', { class: 'legend', hidden: runs.every(run => kindOf(run) === 'open') },
	    KINDS.filter(kind => runs.some(run => kindOf(run) === kind)).map(kind =>
	        [el('i', { class: kind }), KIND_WORDS[KINDS.indexOf(kind)]]));
}

/* The charts of some runs, below what their colours mean. */
function drawn(some) {
	return [legend(), histogram('Time', some, 'time', time), histogram('Cost', some, 'cost', dollars),
	    histogram('Output tokens', some, 'output', count), toolGraph(some)];
}

let wanted = null; /* the run that was asked for last */

/* Shows the run as soon as its record has been read, unless another is asked for then. */
async function showRun(run) {
	wanted = run;
	const record = await recordOf(run);

	if (wanted === run)
		showRecord(run, record);
}

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
	explore(document.getElementById('explore'), drawn);
contents();
document.body.append(dialog);
window.addEventListener('hashchange', route);
route();
