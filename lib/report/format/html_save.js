/* What a person takes away from the page: the records of runs, and the marks. */
const NAMED = 20; /* shortened runs that a message names */

function download(blob, name) {
	const url = URL.createObjectURL(blob);

	el('a', { href: url, download: name }).click();
	setTimeout(() => URL.revokeObjectURL(url), 60000);
}

const plainRuns = n => `${n} run${n === 1 ? '' : 's'}`;

/* Saves the records, a line each, as the page has them. Returns a sentence: which of them
 * lack something, as their member `shortened` says. */
async function saveRuns(list, tell) {
	const parts = [], shortened = [];
	let since = performance.now();

	for (const run of list) {
		const raw = (await rawOf(run)).trim();

		parts.push(raw, '\n');
		if (/,"shortened":\d+\}$/.test(raw))
			shortened.push(run.id ?? run.title);
		if (performance.now() - since > SLICE) {
			tell(`${parts.length / 2} of ${list.length} runs are read`);
			await pause();
			since = performance.now();
		}
	}
	download(new Blob(parts, { type: 'application/x-ndjson' }), 'runs.ndjson');
	return `Saved in runs.ndjson: ${plainRuns(list.length)}.` + (shortened.length === 0 ? ''
	    : ` ${shortened.length} of them are not whole, since the page shortens records; each has ` +
	    `a member "shortened": ${shortened.slice(0, NAMED).join(', ')}` +
	    (shortened.length > NAMED ? ` and ${shortened.length - NAMED} more` : ''));
}

/* ---- the runs that are ticked ---- */

const ticked = new Set();

function tickOf(run, changed) {
	const box = el('input', { type: 'checkbox', class: 'tick', 'aria-label': `tick ${run.title}`,
	    change: () => {
		ticked[box.checked ? 'add' : 'delete'](run);
		changed();
	    } });

	box.checked = ticked.has(run);
	return box;
}

/* Returns the buttons that save and load. Their draw() tells what would be saved. */
function keepBar() {
	const said = el('span', { role: 'status' });
	const tell = words => { said.textContent = visible(words); };
	const button = (words, click) => el('button', { type: 'button', class: 'plain', click }, words);
	const list = () => (ticked.size > 0 ? runs.filter(run => ticked.has(run)) : shown);
	const save = button('', async () => tell(await saveRuns(list(), tell)
	    .catch(error => `Nothing is saved: ${error.message}`)));
	const beside = button('Compare', () => {
		const [a, b] = list();

		location.hash = address(`compare-${a.place}-${b.place}`);
	});
	const none = button('Tick none', () => {
		ticked.clear();
		document.querySelectorAll('.tick').forEach(box => { box.checked = false; });
		bar.draw();
	});
	const gold = button('', () => {
		download(new Blob([goldText()], { type: 'application/x-ndjson' }), 'labels.ndjson');
		tell('The marks are in labels.ndjson, for mcpl-judge --calibrate.');
	});
	const file = el('input', { type: 'file', hidden: true, change: async () => {
		tell(takeGold(await file.files[0].text()));
		file.value = '';
	} });
	const bar = el('div', { class: 'keep marks' }, save, beside, none, gold,
	    button('Load marks', () => file.click()), file, said);

	bar.draw = () => {
		const n = [...goldLines()].length;

		save.textContent = ticked.size > 0 ? `Save what is ticked: ${plainRuns(ticked.size)}`
		    : `Save ${plainRuns(shown.length)} as NDJSON`;
		save.disabled = shown.length + ticked.size === 0;
		none.hidden = ticked.size === 0;
		beside.hidden = ticked.size !== 2;
		gold.textContent = `Save ${n} marks`;
		gold.disabled = n === 0;
		if (!given.isKept)
			tell('This browser does not keep marks: save them.');
	};
	return bar;
}
