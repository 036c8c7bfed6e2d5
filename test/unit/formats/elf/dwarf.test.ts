import { describe, expect, it } from 'vitest';
import { namedBytes } from '../../../../src/formats/byteSource';
import { readDebugFunctions, type DebugFunctions } from '../../../../src/formats/elf/dwarf/functions';
import { ElfFile } from '../../../../src/formats/elf/elfFile';
import { buildElf, text } from './elfBuilder';

const u32 = (value: number): number[] => [value & 255, (value >> 8) & 255, (value >> 16) & 255, value >>> 24];
const u64 = (value: number): number[] => [...u32(value), ...u32(0)];
const word = (value: string): number[] => [...Buffer.from(value), 0];

/** A DWARF 4 unit (header of 11 bytes) with the given entries. */
function read(
  abbreviations: readonly number[],
  entries: readonly number[],
  claimed?: number,
): DebugFunctions {
  const body = [4, 0, ...u32(0), 8, ...entries];
  const info = Uint8Array.from([...u32(claimed ?? body.length), ...body]);
  const file = ElfFile.open(
    namedBytes(
      'program',
      buildElf([
        text,
        { name: '.debug_info', data: info },
        { name: '.debug_abbrev', data: Uint8Array.from(abbreviations) },
      ]),
    ),
  );
  const reading = readDebugFunctions(file, Float64Array.of(0x1008, 0x1020));
  for (;;) {
    const step = reading.next();
    if (step.done === true) return step.value;
  }
}

// 1: unit with children; 2: subprogram {name string, low addr, high data4} with children; 3: inlined {origin ref4, low, high};
// 4: abstract subprogram {name}; 5: subprogram {origin ref4, low, high}
const abbreviations = [
  [1, 0x11, 1, 0, 0],
  [2, 0x2e, 1, 0x03, 0x08, 0x11, 0x01, 0x12, 0x06, 0, 0],
  [3, 0x1d, 0, 0x31, 0x13, 0x11, 0x01, 0x12, 0x06, 0, 0],
  [4, 0x2e, 0, 0x03, 0x08, 0, 0],
  [5, 0x2e, 0, 0x31, 0x13, 0x11, 0x01, 0x12, 0x06, 0, 0],
  [0],
].flat();

describe('debug information', () => {
  it('functions with code, what was inlined into them, and whose code an address is', () => {
    const leaf = [4, ...word('leaf')]; // at offset 12
    const outer = [2, ...word('outer'), ...u64(0x1000), ...u32(0x40)];
    const copy = [3, ...u32(12), ...u64(0x1000), ...u32(0x10)];
    const found = read(abbreviations, [1, ...leaf, ...outer, ...copy, 0, 0]);
    expect(found.functions.map((f) => f.name)).toEqual(['outer', 'leaf']);
    expect(found.bodies).toEqual([{ function: 0, ranges: [{ low: 0x1000, high: 0x1040 }] }]);
    expect(found.inlined).toEqual([{ callee: 1, caller: 0, copies: 1 }]);
    expect(found.chains).toEqual([[0, 1], [0]]);
  });

  it('forgets code that the linker discarded, with all that was inlined there', () => {
    const leaf = [4, ...word('leaf')];
    const outer = [2, ...word('outer'), ...u64(0), ...u32(0x40)];
    const copy = [3, ...u32(12), ...u64(0), ...u32(0x10)];
    const found = read(abbreviations, [1, ...leaf, ...outer, ...copy, 0, 0]);
    expect(found).toMatchObject({ functions: [], bodies: [], inlined: [], chains: [[], []] });
  });

  it.each<[string, readonly number[], readonly number[], number?]>([
    ['an entry that is its own origin', abbreviations, [1, 5, ...u32(12), ...u64(0x1000), ...u32(8), 0]],
    ['a reference out of all units', abbreviations, [1, 5, ...u32(0x7fffffff), ...u64(0x1000), ...u32(8), 0]],
    ['an abbreviation that is not defined', abbreviations, [1, 77, 0]],
    ['a unit longer than its section', abbreviations, [1, 0], 1000],
    ['entries that are cut off', abbreviations, [1, 2, ...word('outer'), 1, 2]],
    ['a form that is not known', [1, 0x11, 0, 3, 0x7f, 0, 0, 0], [1]],
    ['abbreviations without an end', [1, 0x11, 1, 3, 8, 3, 8], [1, 0]],
    ['a form that leads to itself', [1, 0x11, 0, 3, 0x16, 0, 0, 0], [1, 0x16]],
  ])('damage is an error with file and offset: %s', (_, table, entries, claimed) => {
    let found: unknown;
    try {
      found = read(table, entries, claimed);
    } catch (error) {
      expect(error).toMatchObject({ reason: 'invalid-dwarf', where: { file: 'program' } });
      return;
    }
    // References to nowhere lose the function, nothing else.
    expect(found).toMatchObject({ bodies: [] });
  });

  it('endless nesting needs no stack', () => {
    const depth = 200_000;
    const found = read(
      abbreviations,
      Array.from({ length: 2 * depth }, (_, i) => (i < depth ? 1 : 0)),
    );
    expect(found.functions).toEqual([]);
  });
});
