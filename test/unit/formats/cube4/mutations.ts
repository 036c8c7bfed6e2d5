import { gunzipSync } from 'node:zlib';
import { tarHeader } from '../../../../src/formats/cube4/archive/tarWriter';
import { pack, unpack } from './archive';

/** What random decisions are drawn from: whole numbers from 0 to below `end`. */
export type Random = (end: number) => number;

/** xorshift32 (Marsaglia 2003); equal seeds, equal numbers. */
export function randomFrom(seed: number): Random {
  let state = (Math.imul(seed + 1, 0x9e3779b1) ^ 0x5bd1e995) >>> 0 || 1;
  return (end) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % Math.max(1, end);
  };
}

/** A real file, taken apart once. */
export interface Specimen {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly members: ReadonlyMap<string, Uint8Array>;
  readonly anchor: string;
}

export function specimen(name: string, bytes: Uint8Array): Specimen {
  const members = unpack(bytes);
  const anchor = members.get('anchor.xml') ?? new Uint8Array();
  const text = new TextDecoder().decode(anchor[0] === 0x1f ? gunzipSync(anchor) : anchor);
  return { name, bytes, members, anchor: text };
}

type Mutation = (one: Specimen, other: Specimen, random: Random) => Uint8Array;

export const mutations: Readonly<Record<string, Mutation>> = {
  bits({ bytes }, _, random) {
    const copy = bytes.slice();
    for (let n = 1 + random(20); n > 0; n--) {
      const at = random(copy.length);
      copy[at] = (copy[at] ?? 0) ^ (1 << random(8));
    }
    return copy;
  },

  bytesNearMarks({ bytes }, _, random) {
    // What is decided by few bytes: headers of members, of indices and of data.
    const copy = bytes.slice();
    const start = 512 * random(Math.ceil(copy.length / 512));
    for (let n = 1 + random(6); n > 0; n--)
      copy[Math.min(copy.length - 1, start + random(64))] = random(4) === 0 ? 255 : random(256);
    return copy;
  },

  cutOff({ bytes }, _, random) {
    const block = random(2) === 0 ? 512 : 1;
    return bytes.slice(0, block * random(Math.ceil(bytes.length / block)));
  },

  splice({ bytes }, other, random) {
    const from = random(other.bytes.length);
    const piece = other.bytes.subarray(from, from + random(random(2) === 0 ? 4096 : 64));
    const at = random(bytes.length);
    const skipped = random(2) === 0 ? piece.length : random(1024);
    const result = new Uint8Array(at + piece.length + Math.max(0, bytes.length - at - skipped));
    result.set(bytes.subarray(0, at));
    result.set(piece, at);
    result.set(bytes.subarray(at + skipped), at + piece.length);
    return result;
  },

  header(one, _, random) {
    const changed = random(one.members.size);
    let i = 0;
    return pack(one.members, (name, bytes) => {
      const header = tarHeader(name, bytes.length);
      if (i++ !== changed) return header;
      const [offset = 0, length = 0] = headerFields[random(headerFields.length)] ?? [];
      for (let n = 0; n < length; n++)
        if (random(3) === 0) header[offset + n] = random(2) === 0 ? 48 + random(10) : random(256);
      return header;
    });
  },

  anchor(one, other, random) {
    let text = one.anchor;
    for (let n = 1 + random(4); n > 0; n--) text = editedXml(text, other.anchor, random);
    return packed(one, 'anchor.xml', new TextEncoder().encode(text));
  },

  index(one, _, random) {
    const [name, bytes] = memberEnding(one, '.index', random);
    const copy = bytes.slice();
    const view = new DataView(copy.buffer);
    const at = random(3) === 0 ? 18 : 11 + random(Math.max(1, copy.length - 11));
    if (at + 4 <= copy.length)
      view.setUint32(at, oddNumbers[random(oddNumbers.length)] ?? 0, random(4) !== 0);
    return packed(one, name, copy.subarray(0, random(4) === 0 ? random(copy.length) : copy.length));
  },

  compressed(one, _, random) {
    const [name, bytes] = memberEnding(one, '.data', random);
    const head = 19 + 24 * random(8);
    const result = new Uint8Array(Math.max(bytes.length, head));
    result.set(bytes);
    result.set(new TextEncoder().encode('ZCUBEX.DATA'));
    const view = new DataView(result.buffer);
    for (let at = 11; at + 8 <= head; at += 8)
      view.setBigUint64(at, random(5) === 0 ? 2n ** BigInt(random(64)) : BigInt(random(512)), true);
    return packed(one, name, result);
  },
};

/** Name, size, checksum, type, magic, prefix. */
const headerFields: readonly (readonly [number, number])[] = [
  [0, 20],
  [124, 12],
  [148, 8],
  [156, 1],
  [257, 8],
  [345, 20],
];

const oddNumbers = [0, 1, 2, 7, 255, 65_535, 2 ** 24, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 2, 2 ** 32 - 1];

const oddTexts: readonly string[] = [
  '',
  '-1',
  '0',
  '4294967295',
  '4294967294',
  '99999999999999999999',
  '1e9',
  'NDOUBLES(9999)',
  'HISTOGRAM(60000)',
  'TAU_ATOMIC',
  'RATE',
  'SCALE_FUNC',
  'UINT8',
  'CHAR',
  'INCLUSIVE',
  'SIMPLE',
  'POSTDERIVED',
  'GHOST',
  'ON',
  '&amp;',
  '&undefined;',
  '&#0;',
  '&#x10FFFF;',
  '<!DOCTYPE a [<!ENTITY b "c"><!ENTITY d "&b;&b;&b;">]>',
  '<![CDATA[',
  ']]>',
  '<!--',
  '-->',
  '<cnode id="7" calleeId="0">',
  '</cnode>',
  '<metric id="3">',
  '</metric>',
  '<location Id="1">',
  '</systemtreenode>',
  '<attr key="CLUSTERING" value="ON"/>',
  '\u0000\u0001',
  'x'.repeat(10_000),
  '\ud800',
  '__proto__',
];

/** Replaces a number, a name, an attribute or a stretch of the text; takes one from another file; moves and repeats. */
function editedXml(text: string, other: string, random: Random): string {
  const at = random(text.length);
  const odd = oddTexts[random(oddTexts.length)] ?? '';
  switch (random(6)) {
    case 0:
      return text.slice(0, at) + odd + text.slice(at + random(40));
    case 1:
      return replacedAfter(text, at, /\d+/, odd);
    case 2:
      return replacedAfter(text, at, />[^<]*</, `>${odd}<`);
    case 3:
      return replacedAfter(text, at, /"[^"]*"/, `"${odd}"`);
    case 4:
      return text.slice(0, at) + text.slice(at + random(2000));
    default: {
      const from = random(other.length);
      return text.slice(0, at) + other.slice(from, from + random(3000)) + text.slice(at);
    }
  }
}

function replacedAfter(text: string, at: number, pattern: RegExp, by: string): string {
  return text.slice(0, at) + text.slice(at).replace(pattern, () => by);
}

function memberEnding(one: Specimen, ending: string, random: Random): readonly [string, Uint8Array] {
  const some = [...one.members].filter(([name]) => name.endsWith(ending));
  return some[random(some.length)] ?? ['none', new Uint8Array(32)];
}

function packed(one: Specimen, changed: string, bytes: Uint8Array): Uint8Array {
  return pack([...one.members].map(([name, old]) => [name, name === changed ? bytes : old]));
}

/** The changed file number `seed`: which file, how, and what came out. Equal seeds and files, equal results. */
export function mutant(
  specimens: readonly Specimen[],
  seed: number,
): { readonly file: string; readonly kind: string; readonly bytes: Uint8Array } {
  const random = randomFrom(seed);
  const one = specimens[random(specimens.length)];
  const other = specimens[random(specimens.length)];
  const kinds = Object.keys(mutations);
  const kind = kinds[random(kinds.length)] ?? '';
  const mutate = mutations[kind];
  if (one === undefined || other === undefined || mutate === undefined) throw new Error('no files to change');
  return { file: one.name, kind, bytes: mutate(one, other, random) };
}
