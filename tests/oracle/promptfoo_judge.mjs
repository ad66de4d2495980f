// Lets promptfoo judge assertions: node promptfoo_judge.mjs ROWS RESULTS
// The variable PACKAGES is the folder node_modules. Each line of ROWS is a JSON object that
// tests/oracle/promptfoo_random.py describes; the same line of RESULTS is what promptfoo
// says: { pass, score, reason, limit }, or { threw } with the message of an exception.
import { createReadStream, createWriteStream } from "node:fs";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

import "./promptfoo_natural.mjs";

const packages = process.env.PACKAGES;
const [from, to] = process.argv.slice(2);

const { assertions, loadApiProvider } = await import(pathToFileURL(`${packages}/promptfoo/dist/src/index.js`));

const bare = (type) => type.replace(/^not-/, "");

// Returns the run's calls as spans of a trace, one after another.
function spans(calls) {
	return calls.map((call, i) => ({
		spanId: `${i}`,
		name: call.tool,
		startTime: 10 * i,
		endTime: 10 * i + (call.ms ?? 1),
		statusCode: call.failed ? 2 : 1,
		attributes: {
			"tool.name": call.tool,
			...(call.args === undefined ? {} : { "tool.arguments": JSON.stringify(call.args) }),
		},
	}));
}

async function context(row) {
	const test = { vars: row.vars ?? {}, assert: row.assert, threshold: row.threshold, options: row.options };
	const provider = await loadApiProvider("openai:chat:any", {
		options: { config: { apiKey: "none", ...row.config } },
	});
	return {
		test,
		provider,
		prompt: "prompt",
		latencyMs: row.latency,
		providerResponse: {
			output: row.output,
			cost: row.cost,
			finishReason: row.finish,
			metadata: { skillCalls: row.skills },
		},
		...(row.calls === undefined ? {} : { traceId: "t", traceData: { traceId: "t", spans: spans(row.calls) } }),
	};
}

// Returns a limit that is the score of the assertion, or a little more or less.
async function limit(row, with_) {
	const { threshold, ...assertion } = row.assertion;
	const found = await assertions.runAssertion({ ...with_, assertion: { ...assertion, type: bare(assertion.type) } });
	return found.score * (1 + row.near * 1e-9);
}

async function judge(row) {
	const with_ = await context(row);
	if (row.assert !== undefined)
		return assertions.runAssertions(with_);
	const assertion = { ...row.assertion };
	if (row.near !== undefined)
		assertion.threshold = await limit(row, with_);
	const found = await assertions.runAssertion({ ...with_, assertion });
	return { ...found, limit: assertion.threshold };
}

async function answer(row) {
	try {
		const { pass, score, reason, limit, componentResults } = await judge(row);
		return { pass, score, reason, limit, parts: componentResults?.map((part) => part?.pass) };
	} catch (error) {
		return { threw: error.message };
	}
}

const out = createWriteStream(to);
for await (const line of createInterface({ input: createReadStream(from), crlfDelay: Infinity }))
	out.write(JSON.stringify(await answer(JSON.parse(line))) + "\n");
out.end();
out.on("finish", () => process.exit());
