/* What is done when the page is there. */
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
