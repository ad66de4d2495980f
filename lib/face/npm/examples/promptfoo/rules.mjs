// An assertion of type javascript: the answer of the provider, with the calls that the
// provider tells of, is checked by the rules in the assertion's config.
import { Checker, extract } from 'mcpl-tools';

export default (output, { config, prompt, providerResponse, test, vars }) => {
  const result = { testCase: test, vars, prompt: { raw: prompt ?? '' }, response: providerResponse };
  const [run] = extract(Buffer.from(JSON.stringify({ results: [result] })), { format: 'promptfoo' });
  const { status, check_results: results } = new Checker(config.rules).check(run);
  return {
    pass: status === 'passed',
    score: results.filter((r) => r.status === 'passed').length / results.length,
    reason: results.filter((r) => r.status !== 'passed')
      .map((r) => `${r.label}: ${r.got ?? r.reason}`).join('\n') || 'each rule was kept',
  };
};
