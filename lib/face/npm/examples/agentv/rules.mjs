// A code grader: the messages of the run are checked by the rules in the grader's config.
import { readFileSync } from 'node:fs';
import { Checker, extract } from 'mcpl-tools';

const { config, input, messages } = JSON.parse(readFileSync(0, 'utf8'));
const row = { test_id: 'run', score: 0, input, output: messages };
const [run] = extract(Buffer.from(JSON.stringify(row)), { format: 'agentv' });
const { check_results: results } = new Checker(config.rules).check(run);
console.log(JSON.stringify({
  assertions: results.map((r) => ({ text: r.label, passed: r.status === 'passed',
    ...(r.reason && { evidence: r.got ?? r.reason }) })),
}));
