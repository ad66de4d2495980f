/* The runs, and what is done when the page is there. */
/* The places of a row of the index, as html_run.c writes them. */
const FIELDS = ['id', 'scenario', 'agent', 'model', 'run', 'status', 'passed',
    'checks', 'calls', 'input', 'output', 'cost', 'time', 'start', 'tools', 'title', 'was', 'results'];

/* The runs, and behind them those of the baseline, which comparisons alone show. */
const all = JSON.parse(document.getElementById('index').textContent)
    .map((row, place) => {
	const run = { place };

	FIELDS.forEach((name, i) => { run[name] = row[i]; });
	return run;
    });

for (const run of all)
	run.title ??= run.id ?? `run ${run.place + 1}`;
readResults(all);

const runs = all.filter(run => !run.was);
const everyRun = () => all;

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
	const record = await recordOf(run).catch(error => error);

	if (wanted !== run)
		return;
	showRecord(run, record instanceof Error ? {} : record);
	if (record instanceof Error)
		dialog.querySelector('.body').replaceChildren(el('p', { class: 'bad', role: 'alert' }, record.message));
}

function linkFindings() {
	const byId = new Map(runs.map(run => [run.id, run]));

	for (const span of document.querySelectorAll('[data-run]')) {
		const run = byId.get(span.dataset.run);
		const place = run && placeOf({ got: span.dataset.got });

		if (run !== undefined)
			span.replaceChildren(el('a', { href: `#run-${run.place}` }, nameOf(run)),
			    place === null ? '' : el('span', {}, ', ', linkToStep(run, place)));
	}
}

document.querySelectorAll('table.sortable').forEach(makeSortable);
linkFindings();
linkMore();
if (runs.length > 0)
	explore(document.getElementById('explore'), drawn);
contents();
document.body.append(dialog);
window.addEventListener('hashchange', route);
route();
