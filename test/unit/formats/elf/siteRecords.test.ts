import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergedNop } from '../../../../src/core/probes/entryNops';
import { KymoError } from '../../../../src/core/errors';
import { namedBytes } from '../../../../src/formats/byteSource';
import { Cursor } from '../../../../src/formats/elf/cursor';
import { ElfFile } from '../../../../src/formats/elf/elfFile';
import { readPatchableEntries, readSleds, readUnitHashes } from '../../../../src/formats/elf/siteRecords';
import { buildElf, pointers, sledRecord, text, type TestSection } from './elfBuilder';

const open = (sections: readonly TestSection[], options = {}): ElfFile =>
  ElfFile.open(namedBytes('program', buildElf(sections, options)));
const unit = 0x1122334455667788n;

describe('site records', () => {
  it('sleds: place, number, kind and unit', () => {
    const data = Buffer.concat([
      sledRecord(0x2000, 0x1080, 7, 1, unit),
      sledRecord(0x2010, 0x1010, 7, 0, unit),
    ]);
    expect(readSleds(open([text, { name: 'kymo_sleds', flags: 2, address: 0x2000, data }]))).toEqual([
      { address: 0x1010, kind: 'in', unit: '1122334455667788', number: 7 },
      { address: 0x1080, kind: 'out', unit: '1122334455667788', number: 7 },
    ]);
  });

  it('leaves out what the linker discarded: zeroed records and places outside of the code', () => {
    const data = Buffer.concat([
      Buffer.alloc(16),
      sledRecord(0x2010, 0x9000, 1, 0, unit),
      sledRecord(0x2020, 0x1000, 2, 0, unit),
    ]);
    const sleds = readSleds(open([text, { name: 'kymo_sleds', flags: 2, address: 0x2000, data }]));
    expect(sleds.map((s) => s.number)).toEqual([2]);
  });

  it('refuses half a record with file and offset', () => {
    const broken = open([text, { name: 'kymo_sleds', flags: 2, address: 0x2000, data: new Uint8Array(24) }]);
    expect(() => readSleds(broken)).toThrow(/program, byte \d+: expected records of 16 bytes, found 24/);
  });

  it('units: each once, without empty ones', () => {
    const data = Buffer.alloc(32);
    [unit, 0n, 5n, unit].forEach((u, i) => data.writeBigUInt64LE(u, i * 8));
    expect(readUnitHashes(open([{ name: '.kymo.units', data }]))).toEqual([
      '1122334455667788',
      '0000000000000005',
    ]);
  });

  it('patchable entries: after NOPs before the function, and after its landing pad', () => {
    const code = Buffer.alloc(0x100, 0x90);
    code.fill(0xc3, 64, 128);
    code.set([0xf3, 0x0f, 0x1e, 0xfa], 128 + 58);
    code.fill(0xc3, 128 + 68);
    // A record of five NOPs, and one whose NOPs before the function are followed by other code: that is no entry of ours.
    code.fill(0x90, 208, 213);
    const data = pointers(0x1000, 0x1080, 0x10d0, 0x1001);
    const section = { name: '__patchable_function_entries', flags: 3, address: 0x3000, data };
    expect(readPatchableEntries(open([{ ...text, data: code }, section], { type: 2 }))).toEqual([
      0x1001,
      0x1000 + 58,
      0x1080 + 62,
      0x10d0,
    ]);
  });

  it('patchable entries: whose NOPs were merged', () => {
    const code = Buffer.alloc(0x100, 0x90);
    code.set(mergedNop, 58);
    code.set([0xc3], 64);
    code.set([0xf3, 0x0f, 0x1e, 0xfa, ...mergedNop], 128 + 58);
    code.set(mergedNop, 208);
    const section = '__patchable_function_entries';
    const records = { name: section, flags: 3, address: 0x3000, data: pointers(0x1000, 0x1080, 0x10d0) };
    const file = open([{ ...text, data: code }, records], { type: 2 });
    expect(readPatchableEntries(file)).toEqual([0x1000 + 58, 0x1080 + 62, 0x10d0]);
  });

  it('patchable entries: from the bytes, or from the relocations of a position-independent program', () => {
    const section = '__patchable_function_entries';
    const inPlace = { name: section, flags: 3, address: 0x3000, data: pointers(0x1040, 0x1000, 0) };
    expect(readPatchableEntries(open([text, inPlace], { type: 2 }))).toEqual([0x1000, 0x1040]);
    const relocated = { name: section, flags: 3, address: 0x3000, data: pointers(0, 0) };
    const rela = pointers(0x3000, 8, 0x1010, 0x3008, 8, 0x1020, 0x4000, 8, 0x1030);
    expect(
      readPatchableEntries(open([text, relocated, { name: '.rela.dyn', type: 4, flags: 2, data: rela }])),
    ).toEqual([0x1010, 0x1020]);
    const arm = pointers(0x3000, 1027, 0x1010, 0x3008, 1027, 0x1020);
    expect(
      readPatchableEntries(
        open([text, relocated, { name: '.rela.dyn', type: 4, flags: 2, data: arm }], { machine: 183 }),
      ),
    ).toEqual([0x1010, 0x1020]);
  });
});

describe('ELF', () => {
  it('build id', () => {
    const note = Buffer.from('0400000004000000030000004756550000', 'hex');
    note.write('GNU', 12, 'latin1');
    const data = Buffer.concat([note.subarray(0, 16), Buffer.from('deadbeef', 'hex')]);
    expect(open([{ name: '.note.gnu.build-id', type: 7, flags: 2, data }]).buildId()).toBe('deadbeef');
    expect(open([text]).buildId()).toBeUndefined();
  });

  it('decompresses sections, and does not believe in absurd sizes', () => {
    const content = Buffer.from('some debug information'.repeat(20));
    const header = (size: number): Buffer => pointers(1, size, 1);
    const section = (size: number): TestSection => ({
      name: '.debug_str',
      flags: 0x800,
      data: Buffer.concat([header(size), deflateSync(content)]),
    });
    const good = open([section(content.length)]);
    expect(Buffer.from(good.data(good.section('.debug_str')!)).equals(content)).toBe(true);
    for (const size of [content.length - 1, content.length + 1, 2 ** 40]) {
      const bad = open([section(size)]);
      expect(() => bad.data(bad.section('.debug_str')!)).toThrow(KymoError);
    }
  });

  it.each([
    ['text', Buffer.from('#!/bin/sh\n'), 'not-elf'],
    ['empty', Buffer.alloc(0), 'not-elf'],
    ['32 bit', Buffer.from('\x7fELF\x01\x01' + '\0'.repeat(60), 'latin1'), 'unsupported-elf'],
    ['big endian', Buffer.from('\x7fELF\x02\x02' + '\0'.repeat(60), 'latin1'), 'unsupported-elf'],
    ['other machine', buildElf([], { machine: 243 }), 'unsupported-elf'],
    ['core dump', buildElf([], { type: 4 }), 'unsupported-elf'],
    ['cut off', buildElf([text]).subarray(0, 300), 'invalid-elf'],
  ])('refuses: %s', (_, bytes, reason) => {
    expect(() => ElfFile.open(namedBytes('x', bytes))).toThrow(expect.objectContaining({ reason }));
  });

  it('random bytes are an error or an empty file, never anything else', () => {
    const start = buildElf([text, { name: 'kymo_sleds', address: 0x2000, data: new Uint8Array(32) }]);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), fc.nat(start.length), (noise, at) => {
        const bytes = Buffer.from(start);
        Buffer.from(noise).copy(bytes, at);
        try {
          const file = ElfFile.open(namedBytes('x', bytes));
          readSleds(file);
          readUnitHashes(file);
          readPatchableEntries(file);
        } catch (error) {
          expect(error).toBeInstanceOf(KymoError);
        }
      }),
    );
  });
});

describe('LEB128', () => {
  const cursor = (bytes: readonly number[]): Cursor =>
    new Cursor(Uint8Array.from(bytes), { file: 'x', what: 'x', fileOffset: 0, reason: 'invalid-dwarf' });

  // DWARF 5, figures C.1 and C.2
  it.each([
    [[0x02], 2, 2],
    [[0x7f], 127, -1],
    [[0x80, 0x01], 128, 128],
    [[0xff, 0x00], 127, 127],
    [[0x80, 0x7f], 16256, -128],
    [[0xb9, 0x64], 12857, -3527],
  ])('%j', (bytes, unsigned, signed) => {
    expect(cursor(bytes).uleb()).toBe(unsigned);
    expect(cursor(bytes).sleb()).toBe(signed);
  });

  it('round trip', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (value) => {
        const bytes: number[] = [];
        let rest = value;
        do {
          const low = rest % 128;
          rest = Math.floor(rest / 128);
          bytes.push(rest > 0 ? low + 128 : low);
        } while (rest > 0);
        expect(cursor(bytes).uleb()).toBe(value);
      }),
    );
  });

  it('ends: no more than ten bytes, nothing beyond the end', () => {
    expect(() => cursor(Array(20).fill(0x80)).uleb()).toThrow(/more than 10 bytes/);
    expect(() => cursor([0x80]).uleb()).toThrow(/cut off/);
  });
});
