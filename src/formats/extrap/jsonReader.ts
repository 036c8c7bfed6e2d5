import { invalidText, quoted, type TextOfFile } from './errors';
import { limits } from './limits';

const numberPattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.+-])/y;

const nullPattern = /null(?!\w)/y;
/** What is only read over may be what Python writes. */
const wordPattern = /(?:true|false|null|NaN|Infinity)(?!\w)/y;

/** Where the fields of an object stand. A map, because files may use any name. */
export interface JsonFields {
  /** Offset of the `{`. */
  readonly start: number;
  /** Offsets of the values. */
  readonly offsets: ReadonlyMap<string, number>;
}

/**
 * Reads JSON from its text piece by piece, without a tree of it: files may be large, and errors need their places. Whoever calls knows
 * what comes next; `expected` says so in messages. After each call `position` is behind what was read.
 *
 * Throws `measurements-invalid`, also for what `JSON.parse` allows: a name twice in an object, and numbers beyond the range of doubles.
 */
export class JsonReader {
  position = 0;
  /** Offset of the first `;` between values, which only Talpas allows. */
  semicolon: number | undefined;
  private depth = 0;

  constructor(private readonly source: TextOfFile) {}

  /** Whether nothing but blanks follows. */
  get isAtEnd(): boolean {
    return this.here() === this.source.text.length;
  }

  fail(expected: string, found?: string, offset = this.here()): never {
    throw invalidText(this.source, offset, expected, found);
  }

  /** Offset of the next character that is no blank. */
  here(): number {
    const { text } = this.source;
    for (; ; this.position++) {
      const code = text.charCodeAt(this.position);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return this.position;
    }
  }

  /** The next character that is no blank; empty at the end. */
  next(): string {
    return this.source.text.charAt(this.here());
  }

  number(expected: string): number {
    const { text } = this.source;
    const start = this.here();
    numberPattern.lastIndex = start;
    if (!numberPattern.test(text)) this.fail(expected);
    const value = Number(text.slice(start, numberPattern.lastIndex));
    if (!Number.isFinite(value)) this.fail('a number within the range of doubles');
    this.position = numberPattern.lastIndex;
    return value;
  }

  null(expected: string): void {
    if (!this.skipsWord(nullPattern)) this.fail(expected);
  }

  string(expected: string): string {
    const { text } = this.source;
    const start = this.here();
    if (text[start] !== '"') this.fail(expected);
    let hasEscapes = false;
    for (let at = start + 1; ; at++) {
      const code = text.charCodeAt(at);
      if (code === 0x22) {
        this.position = at + 1;
        return hasEscapes ? this.unescaped(start) : text.slice(start + 1, at);
      }
      // NaN, at the end of the text, is not ≥ 0x20 either.
      if (!(code >= 0x20)) this.fail('the end of the text in double quotes', undefined, at);
      if (code === 0x5c) {
        hasEscapes = true;
        at++;
      }
    }
  }

  /** @param visit reads the value */
  object(expected: string, visit: (name: string) => void): void {
    this.enter('{', expected);
    const seen = new Set<string>();
    for (let more = !this.accepts('}'); more; more = this.goesOn('}')) {
      const offset = this.here();
      const name = this.string('a name in double quotes');
      if (seen.has(name)) this.fail('each name once', `${quoted(name)} again`, offset);
      seen.add(name);
      if (!this.accepts(':')) this.fail('“:”');
      visit(name);
    }
    this.depth--;
  }

  /** @param visit reads the element */
  array(expected: string, visit: () => void): void {
    this.enter('[', expected);
    for (let more = !this.accepts(']'); more; more = this.goesOn(']')) visit();
    this.depth--;
  }

  /** Reads over an object. */
  fields(expected: string): JsonFields {
    const offsets = new Map<string, number>();
    const start = this.here();
    this.object(expected, (name) => {
      offsets.set(name, this.here());
      this.skip();
    });
    return { start, offsets };
  }

  /** Reads a field of an object that was read over; `position` stays where it is. */
  field<Value>({ start, offsets }: JsonFields, name: string, read: () => Value): Value {
    const offset = offsets.get(name) ?? this.fail(`an object with “${name}”`, 'one without', start);
    return this.at(offset, read);
  }

  /** Reads elsewhere; `position` stays where it is. */
  at<Value>(offset: number, read: () => Value): Value {
    const { position } = this;
    this.position = offset;
    const value = read();
    this.position = position;
    return value;
  }

  /** Reads over any value. */
  skip(): void {
    const next = this.next();
    const skip = (): void => {
      this.skip();
    };
    if (next === '{') this.object('', skip);
    else if (next === '[') this.array('', skip);
    else if (next === '"') this.string('');
    else if (!/[a-zA-Z]/.test(next) || !this.skipsWord(wordPattern)) this.number('a value');
  }

  private skipsWord(word: RegExp): boolean {
    word.lastIndex = this.here();
    if (!word.test(this.source.text)) return false;
    this.position = word.lastIndex;
    return true;
  }

  private unescaped(start: number): string {
    try {
      return JSON.parse(this.source.text.slice(start, this.position)) as string;
    } catch {
      return this.fail('a text with JSON’s escapes', 'another escape', start);
    }
  }

  private enter(bracket: string, expected: string): void {
    const offset = this.here();
    if (!this.accepts(bracket)) this.fail(expected);
    if (++this.depth > limits.depth)
      this.fail(`at most ${limits.depth} lists and objects within each other`, 'more', offset);
  }

  private goesOn(end: string): boolean {
    if (this.accepts(',')) return true;
    if (this.next() === ';') {
      this.semicolon ??= this.position;
      this.position++;
      return true;
    }
    if (this.accepts(end)) return false;
    return this.fail(`“,” or “${end}”`);
  }

  private accepts(character: string): boolean {
    if (this.next() !== character) return false;
    this.position++;
    return true;
  }
}
