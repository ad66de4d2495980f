/* The records of the runs, which the page has as JSON. */

/* Resolves when the page, with all records, has been read. */
const pageRead = new Promise(done => {
	if (document.readyState === 'loading')
		document.addEventListener('DOMContentLoaded', done, { once: true });
	else
		done();
});

/* Resolves to the JSON text of the run's record. */
async function rawOf(run) {
	const id = `run${run.place}`;

	if (document.getElementById(id) === null)
		await pageRead;
	return document.getElementById(id).textContent;
}

/* Resolves to the run's record. */
async function recordOf(run) {
	return JSON.parse(await rawOf(run));
}
