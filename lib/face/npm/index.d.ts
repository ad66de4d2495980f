/** A run as mcpl-trace(5) describes it. */
export interface Trace {
  type: 'trace';
  v: 1;
  id: string;
  prompt?: string;
  final_text?: string;
  tool_sequence?: string[];
  turns?: Array<{ prompt?: string; steps?: Array<Record<string, unknown>> }>;
  status?: Status;
  pass?: boolean;
  check_results?: CheckResult[];
  [member: string]: unknown;
}

export type Status = 'passed' | 'failed' | 'error' | 'pending' | 'skipped' | 'unchecked';

export interface CheckResult {
  type: string;
  label: string;
  status: Exclude<Status, 'unchecked'>;
  reason?: string;
  got?: string;
  at?: string;
  [member: string]: unknown;
}

/** FILE:LINE:COLUMN: TEXT; a line of 0 is the file as a whole. */
export interface Message {
  level: 'error' | 'warning';
  text: string;
  file?: string;
  line: number;
  column: number;
  toString(): string;
}

export interface ExtractOptions {
  /** The log's name in messages and records. */
  name?: string;
  /** The format of the log; found by its first records where absent. */
  format?: string;
  /** Bytes of each tool result to keep; all where absent. */
  results?: number;
  /** Keep the system prompt (true). */
  system?: boolean;
  /** A record for each prompt. */
  split?: boolean;
  sidechains?: 'nest' | 'separate' | 'drop';
  /** Takes each message; where absent, messages are process warnings. */
  onMessage?: (message: Message) => void;
}

export interface SpecOptions {
  /** Paths of assertion files, or their texts by name. */
  specs?: string[] | Record<string, string | Uint8Array>;
  dialect?: string;
  slim?: boolean;
}

export interface Verdict {
  status: 'passed' | 'failed' | 'pending' | 'skipped';
  allowed: boolean;
  reasons: string[];
}

/** An assertion, an option or a record that mcpl does not understand. */
export class MistakeError extends Error {
  messages: Message[];
}

/** Returns the records of a log: a path, or bytes. A log of which nothing can be read is a
 * mistake, as are options that no format has. */
export function extract(source: string | URL | Uint8Array, options?: ExtractOptions): Trace[];

/** Yields the records of a stream of bytes as they come, in constant memory. */
export function extractStream(
  source: AsyncIterable<Uint8Array | string>, options?: ExtractOptions): AsyncGenerator<Trace>;

/** Yields each record with its check_results and its status; of a stream, as they come. */
export function check(
  records: Iterable<Trace | string>, rules: string[], options?: SpecOptions): Generator<Trace>;
export function check(records: AsyncIterable<Trace | string>, rules: string[],
  options?: SpecOptions): AsyncGenerator<Trace>;

/** Checks records by rules and assertion files, a record at a time. */
export class Checker {
  constructor(rules?: string[], options?: SpecOptions);
  check(record: Trace | string): Trace;
  /** Tells whether the agent of the record may make this call now. */
  checkCall(record: Trace | string, tool: string, args?: Record<string, unknown>): Verdict;
}

export interface ReportOptions {
  format?: string;
  details?: boolean;
}

/** `status` is the exit status of mcpl-report. */
export interface Report {
  text: string;
  status: number;
}

/** Returns a report on checked records; of a stream, a promise. */
export function report(records: Iterable<Trace | string>, options?: ReportOptions): Report;
export function report(
  records: AsyncIterable<Trace | string>, options?: ReportOptions): Promise<Report>;

/** Throws an Error unless each run passed each rule; so do no runs at all. */
export function assertPolicy(
  runs: Iterable<Trace | string>, rules: string[], options?: SpecOptions): void;
