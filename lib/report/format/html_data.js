/* The records of the runs: lines of JSON, many in a block. A block is an element of the
 * page, or a file beside the page. Such a file is a style sheet, which cannot run; it sets
 * one property in a shadow tree, where no style reaches the page. */
const KEPT_MOST = 384 * 1024 * 1024; /* characters of all blocks that are kept */

const parts = JSON.parse(document.getElementById('parts')?.textContent ?? 'null');

/* Resolves when the page, with all its elements, has been read. */
const pageRead = new Promise(done => {
	if (document.readyState === 'loading')
		document.addEventListener('DOMContentLoaded', done, { once: true });
	else
		done();
});

/* ---- blocks in the page ---- */

const blockElements = () => [...document.querySelectorAll('script[data-first]')];

/* Resolves to [first run, element] of all blocks; to those that are whole, if they have
 * the run, while the page is still read. */
async function elementsWith(place) {
	const list = blockElements().map(element => [Number(element.dataset.first), element]);

	if (list.length > 0 && list.at(-1)[0] > place)
		return list.slice(0, -1);
	await pageRead;
	return blockElements().map(element => [Number(element.dataset.first), element]);
}

/* ---- blocks in files ---- */

const hexOf = bytes => [...new Uint8Array(bytes)].map(byte => byte.toString(16).padStart(2, '0')).join('');
const base64Of = hex => btoa(String.fromCharCode(...hex.match(/../g).map(byte => parseInt(byte, 16))));

/* Resolves to the value that a sheet sets; a server's file is compared with its hash. */
async function valueOf(name) {
	const host = el('div', { hidden: true });
	const isServed = /^https?:$/.test(location.protocol);

	document.body.append(host);
	try {
		await new Promise((load, error) => host.attachShadow({ mode: 'closed' }).append(
		    el('link', { rel: 'stylesheet', nonce: 'records', href: `runs/${name}.css`, load, error,
		        integrity: isServed ? `sha256-${base64Of(name)}` : null })));
		return getComputedStyle(host).getPropertyValue('--runs');
	} finally {
		host.remove();
	}
}

/* Resolves to the lines of a file, if the file is the one that was written with the page. */
async function partText(first, name, end) {
	const text = await valueOf(name).catch(() => null);
	const file = new TextEncoder().encode(`:host{--runs:${text}}`);

	if (text === null || (crypto.subtle !== undefined &&
	    hexOf(await crypto.subtle.digest('SHA-256', file)) !== name))
		throw new Error(`The records of the runs ${first + 1} to ${end} of ${all.length} cannot be shown: ` +
		    `the file runs/${name}.css ${text === null ? 'cannot be read' : 'has changed'}. ` +
		    'It belongs beside this page.');
	return text;
}

/* ---- all blocks ---- */

const keptBlocks = new Map(); /* promises of blocks, by their first runs */
let keptSize = 0, passing = null, lastBlock = null; /* passing: is kept until another comes */

/* Keeps the block as long as there is room. */
function keepBlock(first, promise) {
	keptBlocks.set(first, promise);
	promise.then(block => {
		if (keptSize + block.text.length <= KEPT_MOST) {
			keptSize += block.text.length;
			return;
		}
		keptBlocks.delete(passing);
		passing = first;
	}, () => keptBlocks.delete(first));
	return promise;
}

async function readBlock(list, i) {
	const [first, source] = list[i];
	const text = parts !== null ? await partText(...list[i], list[i + 1]?.[0] ?? all.length)
	    : source.textContent;

	return { first, text, lines: text.split('\n') };
}

const isIn = (block, place) => block !== null && place >= block.first && place < block.first + block.lines.length;

/* Resolves to the block with the run at that place: its first run, its text, and the lines
 * of it, one for each run. */
async function blockWith(place) {
	if (!isIn(lastBlock, place)) {
		const list = parts ?? await elementsWith(place);
		const i = list.findLastIndex(([first]) => first <= place);

		lastBlock = await (keptBlocks.get(list[i][0]) ?? keepBlock(list[i][0], readBlock(list, i)));
	}
	return lastBlock;
}

/* Resolves to the JSON text of the run's record. */
async function rawOf(run) {
	const block = isIn(lastBlock, run.place) ? lastBlock : await blockWith(run.place);

	return block.lines[run.place - block.first];
}

/* Resolves to the run's record. */
async function recordOf(run) {
	return JSON.parse(await rawOf(run));
}
