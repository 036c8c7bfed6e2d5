import { at, atInt } from '../../at';
import { untouchablePattern, type Prototype } from './declarations';
import type { TypeHint } from './declarators';
import type { UserText } from '../syntax/userText';

/** A unit's text without the plain prototypes of its headers, and what they declare. */
export interface Shortened {
  readonly user: UserText;
  readonly prototypes: readonly Prototype[];
}

const attribute = String.raw`__attribute__\s*\(\([^(){};"']*(?:\([^(){};"']*\)[^(){};"']*)*\)\)`;
const gap = String.raw`(?:\s+|\s*${attribute}\s*)`;
const parameters = String.raw`\([^(){};="']*(?:\([^(){};="']*\)[^(){};="']*)*\)`;

/** Result, name (possibly in parentheses) and parameters, with attributes before and after, and nothing else. */
const prototypePattern = new RegExp(
  String.raw`((?:${attribute}\s*)?(?:[A-Za-z_]\w*${gap})*?[A-Za-z_]\w*(?:${gap}|\s*\*[\s*]*))` +
    String.raw`(?:([A-Za-z_]\w*)|\(\s*([A-Za-z_]\w*)\s*\))\s*${parameters}(?:\s*${attribute})*\s*;`,
  'y',
);
const attributes = new RegExp(attribute, 'g');
/** What matters for finding the end of a declaration; comments are there with `-C`. What is not closed ends the line or the text. */
const landmark = /[{};]|"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?|\/\*[^]*?(?:\*\/|$)|\/\/.*/g;
const spaces = /\s*/y;

const notAResult = /^(?:typedef|enum|typeof|__typeof__|__typeof|return|else|goto|asm|__asm__|__asm)$/;
const decoration =
  /^(?:extern|static|const|volatile|register|inline|__inline|__inline__|__const|__extension__|_Noreturn|struct|union)$/;
/** The grammar's own types, which carry no name. */
const builtIn =
  /^(?:void|char|short|int|long|float|double|bool|signed|unsigned|s?size_t|ptrdiff_t|u?intptr_t|charptr_t|nullptr_t|max_align_t|u?int(?:8|16|32|64)_t|char(?:8|16|32|64)_t)$/;

/**
 * Takes out the lines that hold nothing but prototypes in a C header: most of what a small unit would have to parse, and all that is
 * asked of them is a name and a result. Whatever is not certainly a prototype stays, as do the lines of the main file, which is the
 * first of `user.files`.
 */
export function withoutHeaderPrototypes(user: UserText): Shortened {
  const { text } = user;
  const end = endOfHeaders(user);
  const results = new Results();
  const prototypes: Prototype[] = [];
  const dropped = new Uint8Array(user.lineFiles.length);
  /** Prototypes since the beginning of a line, when nothing else is between. */
  let open: { readonly line: number; readonly found: Prototype[] } | undefined;
  let line = 0;
  let at = 0;
  while (at < end) {
    const start = afterSpaces(text, at);
    line = lineFrom(user, line, start);
    if (atInt(user.lineStarts, line) >= at && user.lineFiles[line] !== 0) open = { line, found: [] };
    prototypePattern.lastIndex = start;
    const match = prototypePattern.exec(text);
    const found = match === null ? undefined : readPrototype(match, results);
    at = match === null ? endOfDeclaration(text, start) : prototypePattern.lastIndex;
    if (found === undefined) {
      // What shares a line with it stays too.
      open = undefined;
    } else if (open !== undefined) {
      open.found.push(found);
      if (text.charCodeAt(at) !== 10) continue;
      line = lineFrom(user, line, at);
      dropped.fill(1, open.line, line + 1);
      prototypes.push(...open.found);
      open = undefined;
    }
  }
  return prototypes.length === 0 ? { user, prototypes } : { user: withoutLines(user, dropped), prototypes };
}

/** The line that holds an offset, at or after a line before it. */
function lineFrom(user: UserText, line: number, offset: number): number {
  let found = line;
  while (found + 1 < user.lineFiles.length && atInt(user.lineStarts, found + 1) <= offset) found++;
  return found;
}

/** Where the last line of another file than the main one ends. */
function endOfHeaders(user: UserText): number {
  let line = user.lineFiles.length;
  while (line > 0 && user.lineFiles[line - 1] === 0) line--;
  return atInt(user.lineStarts, line);
}

function afterSpaces(text: string, at: number): number {
  spaces.lastIndex = at;
  spaces.exec(text);
  return spaces.lastIndex;
}

/** After the semicolon, or after the brace that closes a body (what follows a struct's body is then taken for one more). */
function endOfDeclaration(text: string, at: number): number {
  let depth = 0;
  landmark.lastIndex = at;
  for (let match = landmark.exec(text); match !== null; match = landmark.exec(text)) {
    if (match[0] === '{') depth++;
    else if (match[0] === '}') depth--;
    else if (match[0] !== ';') continue;
    if (depth <= 0) return landmark.lastIndex;
  }
  return text.length;
}

function readPrototype(match: RegExpExecArray, results: Results): Prototype | undefined {
  const name = match[2] ?? match[3];
  const result = results.of(at(match, 1));
  // What forbids probes must reach the definition, as with any other declaration.
  if (name === undefined || result === undefined || untouchablePattern.test(match[0])) return undefined;
  return result === 'none' ? { name } : { name, result };
}

/** What stands before the names: hundreds of prototypes have the same few. */
class Results {
  private readonly known = new Map<string, TypeHint | 'none' | undefined>();

  /** Undefined: not certainly the result of a prototype. */
  of(text: string): TypeHint | 'none' | undefined {
    if (!this.known.has(text)) this.known.set(text, readResult(text));
    return this.known.get(text);
  }
}

function readResult(text: string): TypeHint | 'none' | undefined {
  const before = text.replace(attributes, ' ');
  const written = before.match(/\w+/g) ?? [];
  if (written.some((word) => notAResult.test(word))) return undefined;
  const words = written.filter((word) => !decoration.test(word));
  const [name] = words;
  if (name === undefined) return undefined;
  if (words.every((word) => builtIn.test(word))) return 'none';
  return words.length > 1 ? undefined : { name, indirection: before.split('*').length - 1 };
}

function withoutLines(user: UserText, dropped: Uint8Array): UserText {
  const count = user.lineFiles.length;
  const starts: number[] = [];
  const kept: number[] = [];
  const pieces: string[] = [];
  let length = 0;
  let runStart = -1;
  for (let line = 0; line <= count; line++) {
    const begin = atInt(user.lineStarts, line);
    if (line === count || dropped[line] === 1) {
      if (runStart >= 0) pieces.push(user.text.slice(runStart, begin));
      runStart = -1;
      continue;
    }
    if (runStart < 0) runStart = begin;
    starts.push(length);
    kept.push(line);
    length += atInt(user.lineStarts, line + 1) - begin;
  }
  const select = (values: Int32Array): Int32Array => Int32Array.from(kept, (line) => atInt(values, line));
  return {
    text: pieces.join(''),
    lineStarts: Int32Array.from([...starts, length]),
    originalStarts: Int32Array.from([
      ...kept.map((line) => atInt(user.originalStarts, line)),
      atInt(user.originalStarts, count),
    ]),
    lineFiles: select(user.lineFiles),
    lineNumbers: select(user.lineNumbers),
    files: user.files,
  };
}
