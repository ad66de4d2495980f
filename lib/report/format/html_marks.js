/* What a person says of runs and of their checks: pass, fail, a comment. The browser keeps
 * the marks where it can; a file of them is a gold file for mcpl-judge --calibrate. */
const KEPT = 'mcpl.marks'; /* in the browser's storage, for all reports */

/* ---- where marks are kept ---- */

/* What tells a run from others of the same id, in all reports. */
const stampOf = run => run.stamp ??= JSON.stringify([run.id, run.start, run.time, run.calls,
    run.input, run.output]);

/* The place of a check among the marks of its run, that of the run itself first. */
const markPlace = check => JSON.stringify([check?.label ?? null, check?.at ?? null, check?.turn ?? null]);
const OF_RUN = markPlace(null);

const given = { marks: readKept(), isKept: true,
    others: [] }; /* marks: by stamp, then by place; others: lines about runs that are not here */

function readKept() {
	try {
		return new Map(JSON.parse(localStorage.getItem(KEPT) ?? '[]')
		    .map(([stamp, of]) => [stamp, new Map(of)]));
	} catch {
		return new Map();
	}
}

/* Keeps the marks of the run beside what other pages have kept since. */
function keep(stamp) {
	try {
		const all = readKept();

		all.set(stamp, given.marks.get(stamp));
		localStorage.setItem(KEPT, JSON.stringify([...all].filter(([, of]) => of.size > 0)
		    .map(([key, of]) => [key, [...of]])));
		given.isKept = true;
	} catch {
		given.isKept = false;
	}
}

/* ---- marks ---- */

/* A gold file tells runs apart by their ids alone: the first run of an id has the marks. */
function holderOf(run) {
	if (given.of !== runs || given.n !== runs.length)
		Object.assign(given, { of: runs, n: runs.length,
		    holders: new Map([...runs].reverse().map(one => [one.id, one])) });
	return given.holders.get(run.id) ?? run;
}

const marksOfRun = run => given.marks.get(stampOf(holderOf(run))) ?? new Map();

/* The place that has the check's mark: as a gold file may tell it, with less. */
function placeWithMark(run, check) {
	const of = marksOfRun(run), { label, at, turn } = check ?? {};

	return [check, { label, at }, { label, turn }, { label }].map(markPlace)
	    .find(place => of.has(place)) ?? markPlace(check);
}

const markOf = (run, check) => marksOfRun(run).get(placeWithMark(run, check)) ?? {};

function setMark(run, place, mark) {
	const stamp = stampOf(holderOf(run));
	const of = given.marks.get(stamp) ?? new Map();

	if (mark.verdict === undefined && (mark.comment ?? '') === '')
		of.delete(place);
	else
		of.set(place, mark);
	given.marks.set(stamp, of);
	keep(stamp);
}

/* What the list can be filtered by. */
function markWords(run) {
	const all = [...marksOfRun(run).values()];
	const has = verdict => all.some(mark => mark.verdict === verdict);

	return [has('pass') && 'pass', has('fail') && 'fail',
	    all.some(mark => mark.comment) && 'comment'].filter(Boolean);
}

/* ---- what sets them ---- */

/* Draws all that shows marks anew. */
function drawMarks() {
	for (const node of document.querySelectorAll('.marks'))
		node.draw();
}

function verdictButton(verdict, of, change) {
	return el('button', { type: 'button', class: `mark ${verdict}`, 'aria-label': `${verdict}: ${of}`,
	    title: `I say: ${verdict}`, click: () => change(mark => ({ ...mark,
		verdict: mark.verdict === verdict ? undefined : verdict })) },
	    verdict === 'pass' ? '\u2713' : '\u2717');
}

/* Returns what sets the mark of the run, or of a check of its record; null: a gold file
 * could not name it, or the run is one of the baseline. In the list, the comment is behind a button. */
function marksOf(run, check = null, isBrief = false) {
	if (run.id === null || run.was || check !== null && typeof check.label !== 'string')
		return null;
	const of = check === null ? `run ${run.id}` : `check ${check.label}`;
	const change = f => {
		setMark(run, placeWithMark(run, check), f(markOf(run, check)));
		drawMarks();
	};
	const buttons = ['pass', 'fail'].map(verdict => verdictButton(verdict, of, change));
	const comment = el('input', { class: 'comment', placeholder: 'comment',
	    'aria-label': `comment: ${of}`, hidden: isBrief, change: () => change(mark =>
		({ ...mark, comment: comment.value.trim() === '' ? undefined : comment.value.trim() })) });
	const more = el('button', { type: 'button', class: 'mark', 'aria-label': `comment: ${of}`,
	    title: 'Comment', hidden: !isBrief, click: () => {
		comment.hidden = false;
		more.hidden = true;
		comment.focus();
	    } }, '\u270e');
	const box = el('span', { class: 'marks', role: 'group', 'aria-label': `what you say: ${of}` },
	    check === null && !isBrief ? el('span', { class: 'faint' }, 'you say') : null,
	    buttons, more, comment);

	box.draw = () => {
		const mark = markOf(run, check);

		buttons.forEach((button, i) => button.setAttribute('aria-pressed',
		    mark.verdict === ['pass', 'fail'][i]));
		comment.value = mark.comment ?? '';
		if (comment.value !== '') {
			comment.hidden = false;
			more.hidden = true;
		}
	};
	box.draw();
	return box;
}

/* ---- the gold file ---- */

/* Yields an object for each mark. A verdict on a run is no label of a check: the line is a comment. */
function* goldLines() {
	for (const run of given.marks.size === 0 ? [] : runs)
		for (const [place, mark] of holderOf(run) === run ? marksOfRun(run) : []) {
			const [label, at, turn] = JSON.parse(place);

			if (place === OF_RUN)
				yield { id: run.id, comment: mark.comment ?? '', run: mark.verdict };
			else
				yield { id: run.id, label, at: at ?? undefined, turn: turn ?? undefined, ...mark };
		}
	yield* given.others;
}

const goldText = () => [...goldLines()].map(line => `${JSON.stringify(line)}\n`).join('');

const VERDICTS = { pass: 'pass', passed: 'pass', true: 'pass', yes: 'pass', 1: 'pass',
    fail: 'fail', failed: 'fail', false: 'fail', no: 'fail', 0: 'fail' };

/* Takes an object of a gold file. Returns whether it is one. */
function takeMark(line, byId) {
	if (typeof line?.id !== 'string' || line.label === undefined && line.comment === undefined)
		return false;
	const { id, label, at, turn, replaces, run: ofRun, ...mark } = line;
	const said = String((label === undefined ? ofRun : mark.verdict) ?? '').toLowerCase();
	const verdict = Object.hasOwn(VERDICTS, said) ? VERDICTS[said] : undefined;

	if (verdict === undefined && said !== '' || verdict === undefined && mark.comment === undefined)
		return false;
	if (byId.has(id))
		setMark(byId.get(id), markPlace({ label, at, turn }), { ...mark, verdict });
	else
		given.others.push(line);
	return true;
}

/* The values of a gold file: one behind another, a line each, or in a list. */
function valuesOfGold(text) {
	try {
		return [JSON.parse(text)].flat();
	} catch {
		return text.split('\n').filter(line => line.trim() !== '').map(line => {
			try {
				return JSON.parse(line);
			} catch {
				return null;
			}
		});
	}
}

/* Takes the marks of a gold file. Returns a sentence about them. */
function takeGold(text) {
	const byId = new Map([...runs].reverse().map(run => [run.id, run]));
	const lines = valuesOfGold(text), before = given.others.length;
	const taken = lines.filter(line => takeMark(line, byId)).length;
	const away = given.others.length - before, wrong = lines.length - taken;

	drawMarks();
	return `${taken - away} marks are loaded.` +
	    (away > 0 ? ` ${away} are of runs that are not here; they are saved again.` : '') +
	    (wrong > 0 ? ` ${wrong} lines are no marks.` : '');
}
