/*
 * Makes the page of mcpl-report -f html work: sorts tables, filters the runs,
 * draws them, and shows each one. This file, which has what the others share,
 * and html_*.js become one script, in the order of html.c. Text of the data
 * only ever becomes the text of an element. The page of make page (lib/face/page)
 * has all but html_page.js and the charts.
 */
const STATUSES = ['passed', 'failed', 'error', 'pending', 'skipped',
    'unchecked', 'not checked'];

/* ---- elements ---- */

/* What does not show, or turns the text around, as \x1b or \u{202e}. */
function visible(text) {
	return String(text).replace(
	    /(?![\n\t\u200c\u200d\ufe00-\ufe0f\u00ad])[\p{Cc}\p{DI}\p{Cs}\p{Zl}\p{Zp}]/gu,
	    c => {
		const code = c.codePointAt(0).toString(16);

		return code.length <= 2 ? '\\x' + code.padStart(2, '0')
		                        : `\\u{${code}}`;
	});
}

function fill(node, attributes, children) {
	for (const [name, value] of Object.entries(attributes))
		if (typeof value === 'function')
			node.addEventListener(name, value);
		else if (value !== null && value !== false)
			node.setAttribute(name, value === true ? '' : value);
	for (const child of children.flat(Infinity))
		if (child !== null)
			node.append(child instanceof Node ? child : visible(child));
	return node;
}

function el(name, attributes = {}, ...children) {
	return fill(document.createElement(name), attributes, children);
}

function svg(name, attributes = {}, ...children) {
	return fill(document.createElementNS('http://www.w3.org/2000/svg', name),
	    attributes, children);
}

/* ---- amounts ---- */

function count(n) {
	const units = [[1e9, 'G'], [1e6, 'M'], [1e3, 'k']];

	for (const [size, unit] of units)
		if (n >= size)
			return (n / size).toFixed(n < 10 * size ? 1 : 0) + unit;
	return String(n);
}

function time(ms) {
	const s = Math.round(ms / 1000);

	if (ms < 1000)
		return `${+ms.toFixed(ms < 10 ? 1 : 0)}ms`;
	if (ms < 60000)
		return `${(ms / 1000).toFixed(1)}s`;
	if (s < 3600)
		return `${Math.floor(s / 60)}m${String(s % 60).padStart(2, '0')}s`;
	return `${Math.floor(s / 3600)}h${String(Math.floor(s / 60) % 60).padStart(2, '0')}m`;
}

function dollars(n) {
	return '$' + (n >= 1 || n === 0 ? n.toFixed(2) : n.toPrecision(3));
}
