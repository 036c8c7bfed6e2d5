import { isUtf8 } from 'node:buffer';
import type { Parser } from 'web-tree-sitter';
import { analyseUnit } from '../../core/source/analyse';
import { at } from '../../core/at';
import { firstPosition } from '../../core/firstPosition';
import { isRecord } from '../../core/present';
import type { Unit, UnitFunction } from '../../core/source/unit';
import { extractUserText, placeAt, type UserText } from '../../core/source/syntax/userText';

/** The decisions of the inserter about a unit of C, and the unit's text (docs/formats.md, "Kept text"). */
export interface KeptText {
  readonly hash: string;
  readonly source: string;
  readonly directory: string;
  readonly functions: readonly KeptFunction[];
  readonly text: string;
}

/** A function with a body. Offsets are UTF-16 indices into the text. */
interface KeptFunction {
  /** Number of the function in the records of its sleds. */
  readonly number: number;
  readonly nameStart: number;
  readonly nameEnd: number;
  /** Just after the opening brace, and after the closing one. */
  readonly body: number;
  readonly end: number;
  readonly statements: number;
  readonly probe: boolean;
}

/** Bytes of the shortest function, `t f(){}`: bounds the numbers of functions, which become positions of an array. */
const shortestFunction = 7;

/** Undefined when the text is damaged or incomplete. */
export function parseKeptText(bytes: Buffer): KeptText | undefined {
  const newline = bytes.indexOf(10);
  if (newline < 0) return undefined;
  const heading = readHeading(bytes.toString('utf8', 0, newline));
  if (heading === undefined) return undefined;
  const rest = bytes.subarray(newline + 1);
  const encoding = isUtf8(rest) ? 'utf8' : 'latin1';
  const text = rest.toString(encoding);
  const inText =
    encoding === 'utf8' && text.length !== rest.length ? utf16Offsets(rest) : (offset: number) => offset;
  const functions: KeptFunction[] = [];
  for (const numbers of heading.functions) {
    const f = readFunction(numbers, rest.length, inText);
    if (f === undefined) return undefined;
    functions.push(f);
  }
  return { ...heading, functions, text };
}

type Heading = Omit<KeptText, 'functions' | 'text'> & { readonly functions: readonly unknown[] };

function readHeading(line: string): Heading | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (!isRecord(value)) return undefined;
  const { kymoText, hash, source, directory, functions } = value;
  const isComplete = kymoText === 1 && Array.isArray(functions);
  if (!isComplete || typeof hash !== 'string' || typeof source !== 'string' || typeof directory !== 'string')
    return undefined;
  return { hash, source, directory, functions: functions as readonly unknown[] };
}

function readFunction(
  numbers: unknown,
  length: number,
  inText: (offset: number) => number,
): KeptFunction | undefined {
  if (!isSeven(numbers)) return undefined;
  const [number, nameStart, nameEnd, body, end, statements, probe] = numbers;
  const isOrdered = nameStart <= nameEnd && nameEnd <= body && body <= end && end <= length;
  if (!isOrdered || number * shortestFunction >= length) return undefined;
  return {
    number,
    nameStart: inText(nameStart),
    nameEnd: inText(nameEnd),
    body: inText(body),
    end: inText(end),
    statements,
    probe: probe === 1,
  };
}

type Seven = readonly [number, number, number, number, number, number, number];

function isSeven(value: unknown): value is Seven {
  const isCount = (item: unknown): boolean => Number.isSafeInteger(item) && (item as number) >= 0;
  return Array.isArray(value) && value.length === 7 && value.every(isCount);
}

/** UTF-16 index of a byte's offset; the text is decoded in pieces, and only once. */
function utf16Offsets(bytes: Buffer): (offset: number) => number {
  const piece = 4096;
  const starts: number[] = [];
  for (let offset = 0, index = 0; offset < bytes.length; offset += piece) {
    starts.push(index);
    index += widthOf(bytes.subarray(offset, offset + piece));
  }
  return (offset) => {
    const first = offset - (offset % piece);
    return (starts[first / piece] ?? 0) + widthOf(bytes.subarray(first, offset));
  };
}

/** Length in UTF-16 units of a part of UTF-8 text; characters count where they begin. */
function widthOf(bytes: Uint8Array): number {
  let width = 0;
  for (const byte of bytes) width += (byte & 0xc0) === 0x80 ? 0 : byte >= 0xf0 ? 2 : 1;
  return width;
}

/**
 * The fragment of the unit, as the wrapper would have written it, but with its functions at their numbers in the records of the sleds. A
 * function that only one of the two has found is included: the inserter's at its number, the parser's in a gap or at the end.
 */
export function fragmentOf(kept: KeptText, parser: Parser): Unit {
  const { unit, bodyOffsets } = analyseUnit({
    text: kept.text,
    language: 'c',
    parser,
    source: kept.source,
    directory: kept.directory,
    minimumStatements: Number.POSITIVE_INFINITY,
  });
  const byBody = new Map(bodyOffsets.map((offset, index) => [offset, unit.functions[index]]));
  const functions: (UnitFunction | undefined)[] = [];
  let user: UserText | undefined;
  for (const f of kept.functions) {
    const described = byBody.get(f.body);
    byBody.delete(f.body);
    user ??= described === undefined ? extractUserText(kept.text, kept.source, kept.directory) : undefined;
    const base = described ?? (user === undefined ? undefined : plainFunction(kept.text, user, f));
    while (functions.length <= f.number) functions.push(undefined);
    functions[f.number] = base === undefined ? undefined : { ...base, probe: f.probe };
  }
  const unmatched = [...byBody.values()].filter((f) => f !== undefined);
  const filled = functions.map((f) => f ?? unmatched.shift() ?? nameless(kept.source));
  return { ...unit, hash: kept.hash, functions: [...filled, ...unmatched] };
}

/** The facts that are known without the parser. */
function plainFunction(text: string, user: UserText, f: KeptFunction): UnitFunction {
  const name = text.slice(f.nameStart, f.nameEnd);
  const place = placeAt(user, userOffset(user, f.nameStart));
  return {
    ...nameless(place.file),
    ...place,
    name,
    qualifiedName: name,
    endLine: placeAt(user, userOffset(user, Math.max(f.end - 1, 0))).line,
    statements: f.statements,
  };
}

function nameless(file: string): UnitFunction {
  return {
    name: '',
    qualifiedName: '',
    file,
    line: 1,
    column: 1,
    endLine: 1,
    parameters: { minimum: 0 },
    signature: '',
    statements: 0,
    loops: 0,
    loopDepth: 0,
    conditionalBranches: 0,
    isStatic: false,
    isInline: false,
    isTemplate: false,
    isVirtual: false,
    calls: [],
    addressTaken: [],
    probe: false,
  };
}

/** Offset in the user's text of an offset in the whole text. */
function userOffset(user: UserText, offset: number): number {
  const { lineFiles, lineStarts, originalStarts } = user;
  const next = firstPosition(lineFiles.length, (line) => at(originalStarts, line) > offset);
  const line = Math.max(next - 1, 0);
  return at(lineStarts, line) + offset - at(originalStarts, line);
}
