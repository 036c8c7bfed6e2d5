import { damaged } from '../archive/errors';

/** An open element: its name and attributes, and the text and position that its handler stores. */
export class Frame {
  /** Character data, only collected in elements without children. */
  text = '';
  /** Position of the model object that this element describes; -1 when it describes none. */
  index = -1;

  /** @param words names and values of attributes alternate */
  constructor(
    readonly tag: string,
    private readonly words: readonly string[],
  ) {}

  /** The value of an attribute; undefined when the element has none of that name. */
  attribute(name: string): string | undefined {
    for (let i = 0; i < this.words.length; i += 2) if (this.words[i] === name) return this.words[i + 1];
    return undefined;
  }
}

export interface XmlHandler {
  /** `above`: the enclosing element, undefined at the document's root. */
  open(frame: Frame, above: Frame | undefined): void;
  close(frame: Frame, above: Frame | undefined): void;
}

/** Elements that contain only other elements; the parser drops the white space between those. */
const containers = new Set(
  'cube doc mirrors metrics metric program region cnode system systemtreenode machine node locationgroup process location thread topologies cart'.split(
    ' ',
  ),
);
/** Bytes that are decoded at once; the slice grows where a single tag or text is longer. */
const sliceBytes = 1 << 18;

/**
 * Runs through an anchor.xml without building a document. Elements may be nested arbitrarily deep. Document types are refused
 * and entities other than the standard five are errors, so that small files cannot expand. Control characters and wrong
 * encodings in names, which some writers let through, stay as they are or become U+FFFD.
 */
export function parseXml(bytes: Uint8Array, file: string, offset: number, handler: XmlHandler): void {
  const scanner = new Scanner(handler);
  const decoder = new TextDecoder();
  let characters = 0;
  try {
    let size = sliceBytes;
    let rest = '';
    for (let begin = 0; begin < bytes.length;) {
      const text = rest + decoder.decode(bytes.subarray(begin, begin + size), { stream: true });
      begin += size;
      const consumed = scanner.scan(text);
      characters += consumed;
      rest = text.slice(consumed);
      // A slice that grows geometrically is scanned again only a few times.
      size = consumed === 0 ? size * 2 : sliceBytes;
    }
    scanner.end(rest + decoder.decode());
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    const place = placeOf(bytes, characters + scanner.offset);
    throw damaged(file, offset, 'well-formed anchor.xml', `${place}: ${error.message}`);
  }
}

/** Content that an anchor.xml cannot have; `parseXml` adds its place in the file. */
export class ModelError extends Error {}

const tab = 9;
const blank = 32;
const slash = 47;
const equals = 61;
const greater = 62;

class Scanner {
  /** Offset in the text being scanned. */
  offset = 0;
  private readonly open: Frame[] = [];
  private isDone = false;
  /** The last name of each length and first letter: most names occur again and need no new string. */
  private readonly names = new Map<number, string>();

  constructor(private readonly handler: XmlHandler) {}

  /** Scans all complete markup; returns the number of characters consumed. */
  scan(text: string): number {
    let position = 0;
    for (;;) {
      this.offset = position;
      const mark = text.indexOf('<', position);
      if (mark < 0) return position;
      if (mark > position) this.characters(text, position, mark);
      const end = this.markup(text, mark);
      if (end < 0) return mark;
      position = end;
    }
  }

  /** Checks that only white space follows the last element. */
  end(rest: string): void {
    const consumed = this.scan(rest);
    this.offset = consumed;
    if (consumed < rest.length) this.characters(rest, consumed, rest.length);
    if (rest.startsWith('<', consumed)) throw new ModelError('a tag is not closed');
    const last = this.open.at(-1);
    if (last !== undefined) throw new ModelError(`the element “${shortened(last.tag)}” is not closed`);
    if (!this.isDone) throw new ModelError('the element “cube” was expected');
  }

  private characters(text: string, from: number, to: number): void {
    const frame = this.open.at(-1);
    if (frame === undefined) {
      const outside = text.slice(from, to).trim().replace('\ufeff', '');
      if (outside !== '') throw new ModelError(`text outside of the element “cube”: “${shortened(outside)}”`);
    } else if (!containers.has(frame.tag)) frame.text += unescaped(text.slice(from, to));
  }

  /** End of the tag, comment or other markup at `mark`; negative when the text does not contain all of it. */
  private markup(text: string, mark: number): number {
    this.offset = mark;
    if (mark + 1 >= text.length) return -1;
    const kind = text[mark + 1];
    if (kind === '/') return this.endTag(text, mark);
    if (kind === '?') return after(text, '?>', mark + 2);
    return kind === '!' ? this.declaration(text, mark) : this.startTag(text, mark);
  }

  private declaration(text: string, mark: number): number {
    if (text.startsWith('<!--', mark)) return after(text, '-->', mark + 4);
    if (text.startsWith('<![CDATA[', mark)) {
      const end = after(text, ']]>', mark + 9);
      const frame = this.open.at(-1);
      if (end >= 0 && frame !== undefined && !containers.has(frame.tag))
        frame.text += text.slice(mark + 9, end - 3);
      return end;
    }
    if (text.length < mark + 9) return -1;
    throw new ModelError('a profile has no document type and no declarations, and so no entities of its own');
  }

  private endTag(text: string, mark: number): number {
    const frame = this.open.at(-1);
    if (frame === undefined) throw new ModelError('an element is closed that is not open');
    const nameEnd = mark + 2 + frame.tag.length;
    if (text.charCodeAt(nameEnd) === greater && text.startsWith(frame.tag, mark + 2)) {
      this.closed();
      return nameEnd + 1;
    }
    const end = after(text, '>', mark + 2);
    if (end < 0) return -1;
    const name = text.slice(mark + 2, end - 1).trimEnd();
    if (name !== frame.tag)
      throw new ModelError(`“${shortened(frame.tag)}” is open, but “${shortened(name)}” is closed`);
    this.closed();
    return end;
  }

  private startTag(text: string, mark: number): number {
    const nameEnd = endOfName(text, mark + 1);
    if (nameEnd >= text.length) return -1;
    if (nameEnd === mark + 1) throw new ModelError('a name was expected after “<”');
    const words: string[] = [];
    let position = skipBlanks(text, nameEnd);
    while (position >= 0 && position < text.length) {
      const code = text.charCodeAt(position);
      if (code === greater || code === slash) break;
      position = this.attribute(text, position, words);
    }
    if (position < 0) return -1;
    const isEmpty = text.charCodeAt(position) === slash;
    if (isEmpty) position++;
    if (position >= text.length) return -1;
    if (text.charCodeAt(position) !== greater) throw new ModelError('“>” was expected');
    this.opened(new Frame(this.nameOf(text, mark + 1, nameEnd), words));
    if (isEmpty) this.closed();
    return position + 1;
  }

  /** Adds name and value to `words`; returns the offset after them, negative when the text does not contain all of them. */
  private attribute(text: string, from: number, words: string[]): number {
    const nameEnd = endOfName(text, from);
    const sign = skipBlanks(text, nameEnd);
    const quoteAt = skipBlanks(text, sign + 1);
    if (quoteAt >= text.length) return -1;
    const quote = text[quoteAt] ?? '';
    if (nameEnd === from || text.charCodeAt(sign) !== equals || (quote !== '"' && quote !== "'"))
      throw new ModelError('an attribute was expected, such as name="value"');
    const end = text.indexOf(quote, quoteAt + 1);
    if (end < 0) return -1;
    const value = text.slice(quoteAt + 1, end);
    words.push(this.nameOf(text, from, nameEnd), oddInAttribute.test(value) ? inAttribute(value) : value);
    return skipBlanks(text, end + 1);
  }

  private opened(frame: Frame): void {
    if (this.open.length === 0 && this.isDone) throw new ModelError('a second element beside “cube”');
    this.handler.open(frame, this.open.at(-1));
    this.open.push(frame);
  }

  private closed(): void {
    const frame = this.open.pop();
    if (frame !== undefined) this.handler.close(frame, this.open.at(-1));
    this.isDone = this.open.length === 0;
  }

  private nameOf(text: string, from: number, to: number): string {
    const key = text.charCodeAt(from) * 64 + to - from;
    const cachedName = this.names.get(key);
    if (cachedName?.length === to - from && text.startsWith(cachedName, from)) return cachedName;
    const name = text.slice(from, to);
    this.names.set(key, name);
    return name;
  }
}

/** Offset after the next `what`; negative when there is none. */
function after(text: string, what: string, from: number): number {
  const index = text.indexOf(what, from);
  return index < 0 ? -1 : index + what.length;
}

/** Names end at a blank, `/`, `=` or `>`; other characters are not checked. */
function endOfName(text: string, from: number): number {
  let end = from;
  for (; end < text.length; end++) {
    const code = text.charCodeAt(end);
    if (code <= blank || code === slash || code === greater || code === equals) break;
  }
  return end;
}

function skipBlanks(text: string, from: number): number {
  let position = from;
  while (position < text.length) {
    const code = text.charCodeAt(position);
    if (code > blank || (code < blank && (code < tab || code > 13))) break;
    position++;
  }
  return position;
}

const oddInAttribute = /[&\t\n\r]/;

/** Line ends and tabs in attributes are blanks (XML 1.0, section 3.3.3), unless they are written as references. */
function inAttribute(value: string): string {
  return unescaped(value.replace(/\r\n|[\t\n\r]/g, ' '));
}

const entities: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

function unescaped(text: string): string {
  const lines = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
  return lines.includes('&') ? lines.replace(/&(#x?[0-9a-fA-F]{1,7};|[^;&\s]{0,12};?)/g, entity) : lines;
}

function entity(written: string): string {
  const name = written.slice(1, -1);
  const named = entities.get(name);
  if (named !== undefined && written.endsWith(';')) return named;
  const code = name.startsWith('#x')
    ? Number.parseInt(name.slice(2), 16)
    : name.startsWith('#')
      ? Number(name.slice(1))
      : undefined;
  if (code === undefined || !(code <= 0x10ffff) || !written.endsWith(';'))
    throw new ModelError(`“${shortened(written)}” is an undefined entity`);
  return String.fromCodePoint(code);
}

function shortened(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

/** Line and column of a character, from 1; only for messages. */
function placeOf(bytes: Uint8Array, character: number): string {
  const decoder = new TextDecoder();
  let line = 1;
  let column = 1;
  let remaining = character;
  for (let begin = 0; begin < bytes.length && remaining > 0; begin += sliceBytes) {
    const text = decoder
      .decode(bytes.subarray(begin, begin + sliceBytes), { stream: true })
      .slice(0, remaining);
    remaining -= text.length;
    const ends = text.split('\n');
    line += ends.length - 1;
    column = (ends.length > 1 ? 1 : column) + (ends.at(-1)?.length ?? 0);
  }
  return `at its line ${line}, column ${column}`;
}
