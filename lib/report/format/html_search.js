/* Full-text search over the runs, in slices of time, so that keys are answered
 * meanwhile. A pattern that knows JSON's escapes finds candidates in the text of
 * a record; the texts of the record, as they are read, decide. */
const SLICE = 24; /* ms of work before keys and clicks are heard */
const TRIES = 20;
const OFTEN = 150; /* ms between two drawings of what was found so far */

const search = { words: [], hits: null, done: 0, of: 0, unread: 0, failed: 0, turn: 0, slices: 0,
    isRunning: false, marker: null }; /* marker: finds each word in a text */

/* The words of a query; a "quoted phrase" is one, and \" is a quote. */
function wordsOf(query) {
	return [...query.matchAll(/"((?:\\"|[^"])*)(?:"|$)|\S+/g)]
	    .map(([all, phrase]) => (phrase ?? all).replaceAll('\\"', '"').trim())
	    .filter(word => word !== '');
}

const escaped = text => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/* The source of a pattern for a word in a text; blanks are any blanks. */
const plainSource = word => word.split(/\s+/).map(escaped).join('\\s+');

/* The same in JSON, also in JSON in a string of JSON: a backslash is there as one to 16. */
function rawSource(word) {
	const units = word.split(/\s+/).map(part => part.split('').map(unit =>
	    unit === '\\' ? '\\\\{1,16}'
	    : `(?:${/["/]/.test(unit) ? '\\\\{0,15}' : ''}${escaped(unit)}|\\\\{1,8}u[0-9a-f]{4})`).join(''));

	return units.join('(?:\\s|\\\\{1,8}(?:[nrtf]|u[0-9a-f]{4}))+');
}

const patternsOf = word => ({ word, plain: new RegExp(plainSource(word), 'i'),
    raw: new RegExp(rawSource(word), 'i') });

/* ---- the texts of a record ---- */

/* Returns what JSON in a text is; undefined: the text is none, or only looks like JSON. */
function jsonIn(text) {
	try {
		return /^\s*[[{]/.test(text) ? JSON.parse(text) : undefined;
	} catch {
		return undefined;
	}
}

/* Returns the texts in a value, however deep: also the names of members, and what JSON in a
 * string has. */
function leaves(value) {
	const found = [], open = [value];

	while (open.length > 0) {
		const one = open.pop();

		if (typeof one === 'object' && one !== null) {
			for (const child of (Array.isArray(one) ? [...one] : Object.entries(one).flat()).reverse())
				open.push(child);
			continue;
		}
		if (one !== undefined)
			found.push(String(one));
		if (typeof one === 'string')
			open.push(jsonIn(one));
	}
	return found;
}

/* The content of a result of MCP: of its texts, these alone. */
function resultContent(value) {
	const content = value?.content ?? value;

	return Array.isArray(content) && content.every(part => typeof part?.text === 'string')
	    ? content.map(part => part.text) : value;
}

function* under(where, value) {
	for (const text of leaves(value))
		yield [where, text];
}

function* textsOfSteps(list) {
	for (const step of Array.isArray(list) ? list : []) {
		const tool = step?.tool ?? step?.name ?? 'a call';

		if (typeof step !== 'object' || step === null || step.text !== undefined) {
			yield* under('answer', step?.text ?? step);
			continue;
		}
		yield* under('call', tool);
		yield* under(`arguments of ${tool}`, step.args);
		yield* under(`result of ${tool}`, resultContent(step.result));
		yield* textsOfSteps(step.steps);
	}
}

/* Yields [where, text] of all that a person may look for in a record. */
function* textsOf(record) {
	yield* under('prompt', record.prompt);
	for (const turn of Array.isArray(record.turns) ? record.turns : []) {
		yield* under('prompt', turn?.prompt);
		yield* textsOfSteps(turn?.steps);
		yield* under('state', turn?.state);
		yield* under('guardrail', turn?.guardrails);
	}
	yield* under('answer', record.final_text);
	yield* under('error', record.error);
	for (const check of Array.isArray(record.check_results) ? record.check_results : [])
		if (check?.status !== 'passed') /* what all runs passed would find them all */
			yield* under('check', [check?.label, check?.reason, check?.got]);
	yield* under('extracted', record.extracted);
	yield* under('workflow', record.workflow);
}

/* Returns { where, text } of texts that together have all the words; null: they are not there. */
function textsWith(record, words) {
	const missing = new Set(words), found = [];

	for (const [where, text] of textsOf(record)) {
		const here = [...missing].filter(word => word.plain.test(text));

		if (here.length > 0)
			found.push({ where, text });
		here.forEach(word => missing.delete(word));
		if (missing.size === 0)
			return found;
	}
	return null;
}

/* ---- the search ---- */

const namesOf = run => run.names ??= [run.id, run.title, run.scenario, run.agent, run.model, run.prompt,
    ...new Set(run.tools)].filter(name => typeof name === 'string').join('\0');

/* The words that the names of the run do not have. */
const wordsBeyondNames = run => search.words.filter(word => !word.plain.test(namesOf(run)));

/* A run whose record cannot be read is counted, since nobody knows what is in it. Where
 * many in a row cannot, as without the folder of a page, no more are tried. */
async function isHit(run, words) {
	const raw = search.failed < TRIES ? await rawOf(run).catch(() => null) : null;

	search.failed = raw === null ? search.failed + 1 : 0;
	search.unread += raw === null;
	return raw !== null && words.every(word => word.raw.test(raw)) && textsWith(JSON.parse(raw), words) !== null;
}

const foundByText = run => search.hits === null || search.hits.has(run);
const pause = () => new Promise(done => setTimeout(done));

/* Starts a search with the words of the query. Returns the runs to look at: those found
 * before, if what was looked for then is in the new words. */
function beginSearch(query) {
	const words = wordsOf(query).map(patternsOf);
	const known = !search.isRunning && search.words.length > 0 && search.words.every(old =>
	    words.some(({ word }) => word.includes(old.word)));
	const list = known ? runs.filter(foundByText) : runs;

	search.turn++;
	Object.assign(search, { words, hits: words.length === 0 ? null : new Set(), done: 0,
	    of: list.length, unread: 0, failed: 0, slices: 1, isRunning: words.length > 0,
	    marker: new RegExp(words.map(({ word }) => plainSource(word)).join('|'), 'gi') });
	return list;
}

/* Looks for the query in all runs, and calls drawn() with what was found so far, and at the
 * end. A newer search ends an older one. */
async function find(query, drawn) {
	const list = beginSearch(query), { turn, hits } = search;
	let since = performance.now(), last = since;

	for (const run of hits === null ? [] : list) {
		const words = wordsBeyondNames(run);

		if (words.length === 0 || await isHit(run, words))
			hits.add(run);
		if (turn !== search.turn)
			return;
		search.done++;
		if (performance.now() - since < SLICE)
			continue;
		if (search.slices++ === 1 || performance.now() - last > OFTEN) {
			drawn();
			last = performance.now();
		}
		await pause();
		if (turn !== search.turn)
			return;
		since = performance.now();
	}
	search.isRunning = false;
	drawn();
}

/* ---- what is shown of it ---- */

/* The text with the words of the search marked. */
function marked(text) {
	const parts = [];
	let at = 0;

	for (const match of text.matchAll(search.marker)) {
		parts.push(text.slice(at, match.index), el('mark', {}, match[0]));
		at = match.index + match[0].length;
	}
	return [...parts, text.slice(at)].filter(part => part !== '');
}

/* The part of a text around the first word. No character is cut in two. */
function around(text) {
	const at = Math.max(0, text.search(new RegExp(search.marker.source, 'i')));
	const isInside = i => /[\udc00-\udfff]/.test(text[i] ?? '');
	let from = Math.max(0, at - 60), to = at + 180;

	while (from > 0 && isInside(from))
		from--;
	while (isInside(to))
		to++;
	return [from > 0 ? '… ' : '', text.slice(from, to), to < text.length ? ' …' : ''];
}

/* Resolves to lines that show where the words are in the record of the run. */
async function snippetsOf(run) {
	const { turn } = search, record = await recordOf(run);
	const found = textsWith(record, search.words) ?? textsWith(record, wordsBeyondNames(run));

	return turn !== search.turn ? [] : found.slice(0, 3).map(({ where, text }) => {
		const [before, part, after] = around(text);

		return el('p', { class: 'snippet' }, el('span', { class: 'faint' }, where, ': '),
		    before, marked(part), after);
	});
}

const MARKED = 1000; /* places in a run, at most */

/* Marks the words of the search in a run, whose elements stay as they are, and opens the
 * calls that have them. */
function highlight(box) {
	if (CSS.highlights === undefined)
		return;
	const found = new Highlight(), walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);

	while (search.words.length > 0 && found.size < MARKED && walker.nextNode())
		for (const match of walker.currentNode.data.matchAll(search.marker)) {
			const range = new Range();
			let call = walker.currentNode.parentNode.closest('details.call');

			range.setStart(walker.currentNode, match.index);
			range.setEnd(walker.currentNode, match.index + match[0].length);
			found.add(range);
			for (; call; call = call.parentNode.closest('details.call'))
				call.open = true;
		}
	CSS.highlights.set('found', found);
}
