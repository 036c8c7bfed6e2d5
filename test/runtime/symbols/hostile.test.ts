import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KymoError } from '../../../src/core/errors';
import { namedBytes } from '../../../src/formats/byteSource';
import { readDebugFunctions } from '../../../src/formats/elf/dwarf/functions';
import { ElfFile } from '../../../src/formats/elf/elfFile';
import { readPatchableEntries, readSleds, readUnitHashes } from '../../../src/formats/elf/siteRecords';
import { functionSymbols } from '../../../src/formats/elf/symbolTable';
import { readObject } from '../../../src/measurement/symbols/readObject';
import { has, run, scratch, shapes, sites } from './build';

const folder = scratch();

function readAll(bytes: Uint8Array): void {
  const file = ElfFile.open(namedBytes('hostile', bytes));
  file.buildId();
  readUnitHashes(file);
  functionSymbols(file);
  const addresses = [...readPatchableEntries(file), ...readSleds(file).map((s) => s.address)];
  const reading = readDebugFunctions(file, Float64Array.from(addresses).sort());
  while (reading.next().done !== true);
}

/** Reading a damaged file must return data or an error that names the file. */
function readsOrFails(bytes: Uint8Array): void {
  try {
    readAll(bytes);
  } catch (error) {
    if (!(error instanceof KymoError)) throw error;
    expect(error.where.file).toBe('hostile');
    expect(error.where.offset).toBeGreaterThanOrEqual(0);
  }
}

describe.skipIf(!has('g++'))('damaged programs', () => {
  const program = path.join(folder, 'shapes');
  run('g++', ...sites, '-O2', '-std=c++17', shapes, '-o', program);
  const object = path.join(folder, 'shapes.o');
  run('g++', ...sites, '-O2', '-gdwarf-4', '-std=c++17', '-c', shapes, '-o', object);

  it.each([program, object])('%s with changed bytes', (name) => {
    const original = readFileSync(name);
    const file = ElfFile.open(namedBytes(name, original));
    // Only in headers, records and debug information does a changed byte matter.
    const places = file.sections
      .filter(
        (s) => /debug|kymo|patchable|symtab|rela|note|shstrtab/.test(s.name) && s.size > 0 && s.type !== 8,
      )
      .map((s) => [s.fileOffset, s.size] as const);
    const change = fc.record({
      section: fc.nat(places.length - 1),
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      byte: fc.constantFrom(0, 1, 0x7f, 0x80, 0xfe, 0xff),
      length: fc.constantFrom(1, 2, 4, 8),
    });
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 8 }), (changes) => {
        const bytes = Uint8Array.from(original);
        for (const { section, at, byte, length } of changes) {
          const [begin, size] = places[section]!;
          const offset = begin + Math.floor(at * (size - 1));
          bytes.fill(byte, offset, Math.min(offset + length, begin + size));
        }
        readsOrFails(bytes);
      }),
      { numRuns: 150 },
    );
  });

  it('changed headers and section tables', () => {
    const original = readFileSync(program);
    const table = Number(original.readBigUInt64LE(40));
    fc.assert(
      fc.property(fc.nat(original.length - table - 1), fc.nat(63), fc.nat(255), (inTable, inHeader, byte) => {
        const bytes = Uint8Array.from(original);
        bytes[table + inTable] = byte;
        bytes[inHeader] = byte;
        readsOrFails(bytes);
        bytes[inHeader] = original[inHeader]!;
        readsOrFails(bytes);
      }),
      { numRuns: 150 },
    );
  });

  it('cut off anywhere', () => {
    const original = readFileSync(program);
    fc.assert(
      fc.property(fc.nat(original.length), (length) => readsOrFails(original.subarray(0, length))),
      { numRuns: 100 },
    );
  });

  it('sites are still read when only the debug information is damaged, with a message', async () => {
    const bytes = Uint8Array.from(readFileSync(program));
    const file = ElfFile.open(namedBytes(program, bytes));
    const abbreviations = file.section('.debug_abbrev');
    if (abbreviations === undefined) throw new Error('no .debug_abbrev');
    bytes.fill(0xff, abbreviations.fileOffset, abbreviations.fileOffset + abbreviations.size);
    const damaged = path.join(folder, 'damaged');
    writeFileSync(damaged, bytes);
    const symbols = await readObject(damaged);
    expect(symbols.sleds.length).toBe(readSleds(file).length);
    expect(symbols.entries.length).toBe(readPatchableEntries(file).length);
    expect(symbols.problems[0]).toMatch(/debug information cannot be read.*damaged, byte \d+/);
  });
});
