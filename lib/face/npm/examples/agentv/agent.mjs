// An agent: writes its messages and calls to the file that AgentV names.
import { writeFileSync } from 'node:fs';

const [prompt, file] = process.argv.slice(2);
const calls = /order 7/.test(prompt) ? ['look_up', 'refund']
  : /order 8/.test(prompt) ? ['refund', 'look_up'] : [];
const output = [{ role: 'assistant', content: calls.length > 0 ? 'Done.' : 'Hello.',
  tool_calls: calls.map((tool, i) => ({ id: `c${i}`, tool, input: { order: 7 }, output: 'paid' })) }];
writeFileSync(file, JSON.stringify({ output }));
