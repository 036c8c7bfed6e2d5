import type { MessageKey } from '../../core/trace/callTrace';
import type { KeyTable } from '../../core/trace/keyTable';
import type { TraceSink } from '../../core/trace/build/traceBuilder';
import type { NamedSource } from '../byteSource';
import { invalid } from './errors';
import { endsCutOff, Fields } from './fields';
import { visitLines, type Line } from './lines';

/** First line of a trace. */
export interface MvtraceHeader {
  readonly rank: number;
  /** Number of processes of the run. */
  readonly ranks: number;
}

export interface MvtraceRead extends MvtraceHeader {
  /** Sizes of messages are of bytes only. */
  readonly sizeUnit: 'bytes' | 'elements';
  /** Whether calls have instructions. */
  readonly hasInstructions: boolean;
  /** Sentences: what is missing, or does not match. */
  readonly notes: readonly string[];
}

const windowBytes = 2 ** 20;
const [hash, letterE, letterF, letterI, letterM, letterX] = ['#', 'E', 'F', 'I', 'M', 'X'].map((letter) =>
  letter.charCodeAt(0),
);

/**
 * Reads a trace in text form (docs/formats/mvtrace.md). The one counter is `instructions`.
 * @param begin gets the header and gives what takes the events
 * @throws KymoError `invalid-mvtrace` with the line
 */
export function readMvtrace(
  source: NamedSource,
  table: KeyTable,
  begin: (header: MvtraceHeader) => TraceSink,
): MvtraceRead {
  const fields = new Fields(source.file);
  const state: { reader?: Reader; isCutOff: boolean } = { isCutOff: false };
  visitLines(source, windowBytes, (line) => {
    fields.begin(line);
    const { reader } = state;
    if (reader === undefined) {
      const header = readHeader(fields);
      state.reader = new Reader(table, header, begin(header), fields);
      return;
    }
    state.isCutOff = endsCutOff(line, () => {
      reader.read(line);
    });
  });
  if (state.reader === undefined) throw invalid(source.file, 1, 'the file is empty');
  return state.reader.finish(state.isCutOff ? [`${source.file} was cut off within its last line.`] : []);
}

/** @throws KymoError `invalid-mvtrace` */
export function readMvtraceHeader(source: NamedSource): MvtraceHeader {
  const fields = new Fields(source.file);
  const bytes = source.read(0, 4096);
  if (bytes.length === 0) throw invalid(source.file, 1, 'the file is empty');
  const end = bytes.indexOf(10);
  fields.begin({ bytes, start: 0, end: end < 0 ? bytes.length : end, number: 1, isCutOff: end < 0 });
  return readHeader(fields);
}

function readHeader(fields: Fields): MvtraceHeader {
  const text = fields.rest('#mvtrace 1');
  const [, version, rank, ranks] = /^#mvtrace\s+(\d+)\s+rank=(\d+)\s+nranks=(\d+)$/.exec(text) ?? [];
  if (version === undefined) throw fields.error('the first line is no “#mvtrace 1 rank=… nranks=…”');
  if (version !== '1') throw fields.error(`version ${version} of the format is not known, only 1`);
  const header = { rank: Number(rank), ranks: Number(ranks) };
  if (!(header.rank < header.ranks && header.ranks <= 2 ** 31))
    throw fields.error(`rank ${header.rank} is none of ${header.ranks} processes`);
  return header;
}

interface KnownMessage {
  /** Two of one that sends and receives. */
  readonly keys: readonly number[];
  readonly types: number;
}

class Reader {
  readonly #paths = new Map<number, string>();
  /** Keys of contexts by file and first line. */
  readonly #contexts = new Map<number, Map<number, number>>();
  /** By key. */
  readonly #lastLines: number[] = [];
  readonly #messages = new Map<string, KnownMessage>();
  /** Files and keys of the open contexts. */
  readonly #openFiles: number[] = [];
  readonly #openKeys: number[] = [];
  readonly #instructions = [0];
  #hasElements = false;
  #exits = 0;
  #counted = 0;
  readonly #unmatched = { exits: 0, firstExit: 0, enters: 0 };

  constructor(
    private readonly table: KeyTable,
    private readonly header: MvtraceHeader,
    private readonly sink: TraceSink,
    private readonly fields: Fields,
  ) {}

  read({ bytes, start, end }: Line): void {
    const letter = bytes[start];
    if (start === end || letter === hash) return;
    const isRecord = start + 1 < end && (bytes[start + 1] === 9 || bytes[start + 1] === 32);
    if (!isRecord)
      throw this.fields.error(`“${this.fields.word('The record')}” is no record: they are F, E, X, M, I`);
    this.fields.skip();
    if (letter === letterE) this.#enter();
    else if (letter === letterX) this.#exit();
    else if (letter === letterM) this.#message();
    else if (letter === letterF) this.#file();
    else if (letter === letterI) this.sink.iteration(this.fields.integer('the iteration'));
    else
      throw this.fields.error(`“${String.fromCharCode(letter ?? 0)}” is no record: they are F, E, X, M, I`);
    this.fields.finish();
  }

  finish(notes: readonly string[]): MvtraceRead {
    const { exits, firstExit, enters } = this.#unmatched;
    const open = this.#openKeys.length;
    for (let call = 0; call < open; call++) this.sink.leave(0, this.#none());
    return {
      ...this.header,
      sizeUnit: this.#hasElements || this.#messages.size === 0 ? 'elements' : 'bytes',
      hasInstructions: this.#counted > 0,
      notes: [
        ...notes,
        ...(exits > 0
          ? [`Exits of contexts that were not entered are ignored: ${exits}, the first in line ${firstExit}.`]
          : []),
        ...(enters + open > 0
          ? [`Contexts without an exit end with their callers, and have no time: ${enters + open}.`]
          : []),
        ...(this.#counted > 0 && this.#counted < this.#exits
          ? [`${this.#exits - this.#counted} of ${this.#exits} exits have no instructions, which count as 0.`]
          : []),
      ],
    };
  }

  #file(): void {
    const number = this.fields.integer('the number of the file');
    const path = this.fields.rest('The path of the file');
    const known = this.#paths.get(number);
    if (known !== undefined && known !== path)
      throw this.fields.error(`file ${number} is “${known}” already, and cannot be “${path}”`);
    this.#paths.set(number, path);
  }

  #enter(): void {
    const file = this.fields.integer('the number of the file');
    const line = this.fields.integer('the line');
    const key = this.#contexts.get(file)?.get(line) ?? this.#context(file, line);
    this.#openFiles.push(file);
    this.#openKeys.push(key);
    this.sink.enter(key);
  }

  #context(file: number, line: number): number {
    const path = this.#paths.get(file);
    if (path === undefined) throw this.fields.error(`file ${file} has no F record before`);
    const name = path.slice(path.lastIndexOf('/') + 1);
    const key = this.table.context(name, { name, file: path, ...(line > 0 ? { line } : {}) });
    let lines = this.#contexts.get(file);
    if (lines === undefined) this.#contexts.set(file, (lines = new Map<number, number>()));
    lines.set(line, key);
    return key;
  }

  #exit(): void {
    const file = this.fields.integer('the number of the file');
    const line = this.fields.integer('the line');
    const seconds = this.fields.number('the time');
    const instructions = this.fields.numberOrNone('the number of instructions');
    const depth = this.#openFiles.lastIndexOf(file);
    if (depth < 0 && !this.#paths.has(file)) throw this.fields.error(`file ${file} has no F record before`);
    this.#exits++;
    if (instructions !== undefined) this.#counted++;
    if (depth < 0) {
      if (this.#unmatched.exits++ === 0) this.#unmatched.firstExit = this.fields.lineNumber;
      return;
    }
    for (let left = this.#openFiles.length - 1 - depth; left > 0; left--) {
      this.#unmatched.enters++;
      this.#openFiles.pop();
      this.#openKeys.pop();
      this.sink.leave(0, this.#none());
    }
    this.#openFiles.pop();
    const key = this.#openKeys.pop();
    if (key !== undefined && line > (this.#lastLines[key] ?? 0)) {
      this.#lastLines[key] = line;
      this.table.ends(key, line);
    }
    this.#instructions[0] = instructions ?? 0;
    this.sink.leave(seconds, this.#instructions);
  }

  #none(): readonly number[] {
    this.#instructions[0] = 0;
    return this.#instructions;
  }

  #message(): void {
    const call = this.fields.word('The call');
    const source = this.fields.integerOrNone('the source');
    const destination = this.fields.integerOrNone('the destination');
    const size = this.fields.integer('the number of elements');
    const type = this.fields.word('The type');
    const isCollective = this.fields.integer('the last field') !== 0;
    const name = `${call} ${source ?? ''} ${destination ?? ''} ${type}${isCollective ? ' c' : ''}`;
    let known = this.#messages.get(name);
    if (known === undefined) {
      const keys = isCollective
        ? [collective(call, source ?? destination)]
        : this.#ends(call, source, destination);
      const types = this.table.typeSet(type);
      this.#messages.set(name, (known = { keys: keys.map((key) => this.table.message(key)), types }));
      if (!/^(MPI_)?bytes?$/i.test(type)) this.#hasElements = true;
    }
    for (const key of known.keys) this.sink.message(key, size, known.types);
  }

  #ends(call: string, source: number | undefined, destination: number | undefined): readonly MessageKey[] {
    const { rank } = this.header;
    const send = {
      kind: 'send',
      call,
      ...(destination === undefined ? {} : { partner: destination }),
    } as const;
    const receive = { kind: 'receive', call, ...(source === undefined ? {} : { partner: source }) } as const;
    if (/sendrecv/i.test(call) && source !== rank && destination !== rank) return [send, receive];
    const [sends, receives] = [source === rank, destination === rank];
    if (sends !== receives) return sends ? [send] : [receive];
    if (!sends && source !== undefined && destination !== undefined)
      throw this.fields.error(`a message from ${source} to ${destination} is none of rank ${rank}`);
    return [/recv/i.test(call) ? receive : send];
  }
}

function collective(call: string, root: number | undefined): MessageKey {
  return { kind: 'collective', call, ...(root === undefined ? {} : { partner: root }) };
}
