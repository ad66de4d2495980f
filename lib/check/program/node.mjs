// Answers calls of functions: a line of JSON each, from standard input to descriptor 3.
import fs from "node:fs";
import Module from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";

// Programs find `require` as in a script, and as process.mainModule.require.
const from = Module.createRequire(path.join(process.cwd(), "program.js"));
const shim = Object.create(process, { mainModule: { value: { require: from } } });

function statements(code) {
	let quote = "", last = -1;
	for (let i = 0; i < code.length; i++) {
		if (code[i] === "\\") {
			i++;
			continue;
		}
		if (quote) {
			if (code[i] === quote)
				quote = "";
		} else if ("'\"`".includes(code[i])) {
			quote = code[i];
		} else if (code[i] === ";") {
			last = i;
		}
	}
	return last + 1;
}

// Returns the body of a function that returns the expression. What stands before the
// last semicolon of a text that begins with a declaration are statements.
function body(code) {
	const text = code.trim().replace(/;+\s*$/, "");
	if (!/^(const|let|var)\s/.test(text))
		return `return ${text}`;
	const n = statements(text), rest = text.slice(n).trim();
	return n && rest ? `${text.slice(0, n)} return ${rest}` : text;
}

// Loads a script in a folder whose package.json says that all files are modules.
function script(file) {
	const module = new Module(file);
	module.filename = file;
	module.paths = Module._nodeModulePaths(path.dirname(file));
	module._compile(fs.readFileSync(file, "utf8"), file);
	return module.exports;
}

async function load(file) {
	const full = path.resolve(file);
	const loaded = await import(pathToFileURL(full)).catch((error) => {
		if (full.endsWith(".js") && / is not defined in ES module scope/.test(error.message))
			return { default: script(full) };
		throw error;
	});
	return loaded.default?.default ?? loaded.default ?? loaded;
}

async function find(call) {
	if (call.code !== undefined)
		return new Function(...call.parameters.split(","), call.expression ? body(call.code) : call.code);
	const module = await load(call.file);
	const found = call.function === undefined ? module : module[call.function];
	if (call.data && found !== undefined && typeof found !== "function")
		return () => found;
	if (call.function !== undefined) {
		if (typeof module[call.function] === "function")
			return module[call.function];
		throw new Error(`${call.file} exports no function '${call.function}'`);
	}
	if (typeof module !== "function" && typeof module[call.otherwise] === "function")
		return module[call.otherwise];
	if (typeof module !== "function")
		throw new Error(`${call.file} must export a function or have a default export as a function`);
	return module;
}

// A provider has functions in JavaScript.
function alive(args) {
	const provider = args[1]?.provider, id = provider?.id;
	if (typeof id === "string")
		provider.id = () => id;
	return args;
}

async function run(call) {
	const called = await find(call);
	const value = await called(...alive(call.args), ...(call.code === undefined ? [] : [shim]));
	const type = typeof value;
	if (type === "number" && !Number.isFinite(value))
		return { type, text: String(value) };
	return { type, value: type === "function" ? undefined : value };
}

// The first line of what was thrown.
function message(error) {
	return String(error?.message || error).split("\n")[0];
}

function answer(line) {
	let text;
	try {
		text = JSON.stringify(line);
	} catch (error) {
		text = JSON.stringify({ error: message(error) });
	}
	let bytes = Buffer.from(text + "\n");
	while (bytes.length) {
		try {
			bytes = bytes.subarray(fs.writeSync(3, bytes));
		} catch (error) {
			if (error.code !== "EAGAIN")
				process.exit(1);
		}
	}
}

// Ignores failures of what a program left behind, which must not decide a later call.
process.on("uncaughtException", () => undefined);
process.on("unhandledRejection", () => undefined);

async function serve(line) {
	try {
		answer(await run(JSON.parse(line)));
	} catch (error) {
		answer({ error: message(error) });
	}
}

let parts = [], turn = Promise.resolve();
process.stdin.on("data", (bytes) => {
	let from = 0, end;
	while ((end = bytes.indexOf(10, from)) >= 0) {
		const line = Buffer.concat([...parts, bytes.subarray(from, end)]).toString();
		parts = [];
		turn = turn.then(() => serve(line));
		from = end + 1;
	}
	parts.push(bytes.subarray(from));
});
process.stdin.on("end", () => process.exit(0));
