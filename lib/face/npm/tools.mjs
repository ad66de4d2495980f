// An instance of the module, for index.mjs and for the page.

export const STATUS = ['passed', 'failed', 'error', 'pending', 'skipped', 'unchecked'];
export const MISTAKE = 2;
const STOPPED = 1, SYSTEM = 3;
const TEXTS = ['type', 'label', 'reason', 'got', 'at', 'severity']; // of struct mcplt_result

/** An assertion, an option or a record that mcpl does not understand. */
export class MistakeError extends Error {
  constructor(messages) {
    super(messages.map((m) => m.toString()).join('\n') || 'not understood');
    this.name = 'MistakeError';
    this.messages = messages;
  }
}

export class Message {
  constructor(level, text, file, line = 0, column = 0) {
    Object.assign(this, { level, text, file, line, column });
  }

  toString() {
    const place = [this.file, this.line, this.column].filter(Boolean).join(':');
    return place === '' ? this.text : `${place}: ${this.text}`;
  }
}

// An instance of the module. A call that fails to return ends the instance.
export class Tools {
  /** `instantiate` takes the functions that the module calls, and returns an instance. */
  constructor(instantiate) {
    this.said = [];
    this.ended = false;
    const instance = instantiate({
      read: (to, n) => this.read(to, n),
      take: (at, n) => this.take(at, n),
      message: (level, file, line, column, text) => {
        this.said.push(new Message(level === 0 ? 'error' : 'warning', this.words(text),
          file === 0 ? undefined : this.words(file), line, column));
      },
    });
    this.call = instance.exports;
    this.handle = this.call.open();
  }

  bytes(at, n) { return new Uint8Array(this.call.memory.buffer, at, n); }

  text(at, n) { return new TextDecoder().decode(this.bytes(at, n)); }

  words(at) {
    const all = new Uint8Array(this.call.memory.buffer);
    return this.text(at, all.indexOf(0, at) - at);
  }

  // Calls f with the addresses of texts in the module's memory, each with a NUL behind it.
  with(texts, f) {
    if (this.ended) throw new RangeError('out of memory, at an earlier call');
    const rooms = texts.map((t) => {
      if (t === undefined || t === null) return [0, 0];
      const bytes = typeof t === 'string' ? new TextEncoder().encode(t) : t;
      const at = this.call.room(bytes.length + 1);
      if (at === 0) throw new RangeError('out of memory');
      const room = this.bytes(at, bytes.length + 1);
      room.set(bytes);
      room[bytes.length] = 0;
      return [at, bytes.length];
    });
    try {
      return f(...rooms.flat());
    } catch (error) { // the last messages of the module say why
      this.ended = true;
      throw this.said.length === 0 ? error : new RangeError(this.said.splice(0).join('\n'));
    } finally {
      if (!this.ended) for (const [at] of rooms) this.call.forget(at);
    }
  }

  // Throws unless a function succeeded; returns its messages.
  expect(code) {
    const said = this.said.splice(0);
    this.ended ||= code === SYSTEM;
    if (code === SYSTEM) throw new RangeError(said.join('\n') || 'out of memory');
    if (code > STOPPED) throw new MistakeError(said.filter((m) => m.level === 'error'));
    return said;
  }

  // Returns what the last function found: bytes of the module's memory.
  found() {
    const [at, n, status] = new Uint32Array(this.call.memory.buffer, this.call.answer(), 3);
    return { bytes: this.bytes(at, at === 0 ? 0 : n), status };
  }

  // Returns what the last function found as a text.
  answer() {
    const { bytes, status } = this.found();
    return { text: new TextDecoder().decode(bytes), status };
  }

  // Yields the results of the last call of a check.
  * results(check) {
    for (let i = 0, at; (at = this.call.result(check, i)) !== 0; i++) {
      const [status, ...texts] = new Uint32Array(this.call.memory.buffer, at, 13).slice();
      const words = TEXTS.map((name, j) => [name, this.text(texts[2 * j], texts[2 * j + 1])]);
      yield { status: STATUS[status], ...Object.fromEntries(words) };
    }
  }
}
