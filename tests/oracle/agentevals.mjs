// Decides each line of the first file, a case, with agentevals, and writes the scores to the second.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const require = createRequire(join(process.argv[2], "package.json"));
const { createTrajectoryMatchEvaluator } = require("agentevals");
const rows = readFileSync(process.argv[3], "utf8").trimEnd().split("\n").map((line) => JSON.parse(line));
const scores = [];
for (const row of rows) {
	const decide = createTrajectoryMatchEvaluator({
		trajectoryMatchMode: row.trajectory_match_mode,
		toolArgsMatchMode: row.tool_args_match_mode,
		toolArgsMatchOverrides: row.tool_args_match_overrides,
	});
	scores.push((await decide({ outputs: row.outputs, referenceOutputs: row.reference_outputs })).score);
}
writeFileSync(process.argv[4], scores.map((score) => `${score}\n`).join(""));
