// MCPLab's rules in node, with fast reading: rules.js ASSERTIONS FILE...
// Each file holds mcpl's records or MCPLab's own log. Prints "passed" or "failed" for
// each run.
const fs = require("fs");

const [assertions, ...files] = process.argv.slice(2);
const scenarios = new Map();
for (const s of JSON.parse(fs.readFileSync(assertions)).scenarios)
	scenarios.set(s.id, s.eval);

function inOrder(wanted, tools) {
	let from = 0;
	for (const name of wanted) {
		from = tools.indexOf(name, from) + 1;
		if (from === 0)
			return false;
	}
	return true;
}

function holds(assertion, text) {
	if (assertion.type === "regex")
		return new RegExp(assertion.pattern, "i").test(text);
	let value;
	try {
		value = JSON.parse(text);
	} catch {
		return false;
	}
	for (const name of assertion.path.split(".").slice(1))
		value = value?.[name];
	return "equals" in assertion
		? value === assertion.equals
		: value !== undefined;
}

function passes(rules, tools, text) {
	const { required_tools, forbidden_tools } = rules.tool_constraints;
	const used = new Set(tools);
	return required_tools.every((name) => used.has(name)) &
		!forbidden_tools.some((name) => used.has(name)) &
		inOrder(rules.tool_sequence, tools) &
		rules.response_assertions.every((a) => holds(a, text));
}

function ofLog(record) {
	const tools = [];
	let text = "";
	for (const m of record.messages)
		for (const block of m.content)
			if (block.type === "tool_use")
				tools.push(block.name);
			else if (block.type === "text" && m.role === "assistant")
				text = block.text;
	return [tools, text];
}

const out = [];
function read(line) {
	const record = JSON.parse(line);
	if (record.type === "trace_meta")
		return;
	const [tools, text] = record.type === "trace"
		? [record.tool_sequence, record.final_text]
		: ofLog(record);
	const rules = scenarios.get(record.scenario_id);
	out.push(passes(rules, tools, text) ? "passed" : "failed");
}

for (const file of files) {
	const fd = fs.openSync(file);
	const chunk = Buffer.alloc(1 << 20);
	let rest = Buffer.alloc(0);
	for (let n; (n = fs.readSync(fd, chunk)) > 0;) {
		let data = Buffer.concat([rest, chunk.subarray(0, n)]), from = 0;
		for (let to; (to = data.indexOf(10, from)) >= 0; from = to + 1)
			read(data.toString("utf8", from, to));
		rest = data.subarray(from);
	}
}
console.log(out.join("\n"));
