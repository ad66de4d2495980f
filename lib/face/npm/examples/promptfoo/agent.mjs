// A provider in place of an agent: says which tools it called, as promptfoo's providers do.
const CALLS = {
  'Refund order 7.': [['look_up', { order: 7 }], ['refund', { order: 7 }]],
  'Refund order 8, now!': [['refund', { order: 8 }], ['look_up', { order: 8 }]],
};

export default class Agent {
  id() { return 'agent'; }

  async callApi(prompt) {
    const calls = CALLS[prompt] ?? [];
    return {
      output: calls.length > 0 ? 'Done.' : 'Hello.',
      metadata: { toolCalls: calls.map(([name, input], i) => ({ id: `c${i}`, name, input })) },
    };
  }
}
