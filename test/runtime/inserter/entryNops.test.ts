import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mergedNop } from '../../../src/core/probes/entryNops';
import { namedBytes } from '../../../src/formats/byteSource';
import { ElfFile } from '../../../src/formats/elf/elfFile';
import { readPatchableEntries } from '../../../src/formats/elf/siteRecords';
import { mergeEntryNops } from '../../../src/measurement/wrappers/entryNops';
import { buildShow } from './bothWays';

const scratch = mkdtempSync(path.join(tmpdir(), 'kymo-test-entries-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
let show: string;
beforeAll(() => {
  show = buildShow(scratch, 'gcc', 'checked', [
    '-O1',
    '-g',
    '-fsanitize=address,undefined',
    '-fno-sanitize-recover=all',
  ]);
});

const functions =
  'int a(int x) { __asm__ volatile("nop; nop; nop; nop; nop; nop"); return x + 1; }\nint b(int x) { return a(x) * 2; }\n' +
  'int main(int n, char **words) { (void)words; return b(n) - 4; }\n';

function compile(name: string, options: readonly string[]): string {
  const [source, object] = [path.join(scratch, `${name}.c`), path.join(scratch, `${name}.o`)];
  writeFileSync(source, functions);
  execFileSync('gcc', [...options, '-c', source, '-o', object]);
  return object;
}

const copyOf = (object: string, name: string): string => {
  const copy = path.join(scratch, name);
  cpSync(object, copy);
  return copy;
};

describe('one instruction at each patchable entry', () => {
  it.each([
    ['five', ['-O2', '-fpatchable-function-entry=5']],
    ['sections', ['-O2', '-fpatchable-function-entry=5', '-ffunction-sections', '-fcf-protection=none']],
    ['pads', ['-O2', '-fpatchable-function-entry=5', '-fcf-protection=full']],
    ['neutral', ['-O0', '-fpatchable-function-entry=64,58', '-fcf-protection=none']],
    ['neutral pads', ['-O2', '-g', '-fpatchable-function-entry=64,58', '-fcf-protection=full']],
  ])('%s: both ways write the same, and nothing else changes', (name, options) => {
    const object = compile(name, options);
    const before = readFileSync(object);
    const [native, general] = [copyOf(object, 'native.o'), copyOf(object, 'general.o')];
    execFileSync(show, ['merge', native]);
    mergeEntryNops(general);
    const bytes = readFileSync(general);
    expect(readFileSync(native).equals(bytes)).toBe(true);
    const file = ElfFile.open(namedBytes(general, bytes));
    const entries = readPatchableEntries(file);
    expect(entries).toEqual(readPatchableEntries(ElfFile.open(namedBytes(object, before))));
    expect(entries.map((at) => Buffer.from(file.code(at, 5)).equals(mergedNop))).toEqual([true, true, true]);
    const changed = [...bytes.keys()].filter((at) => bytes[at] !== before[at]);
    expect(changed).toHaveLength(3 * mergedNop.length);
    execFileSync('gcc', [general, '-o', path.join(scratch, 'program')]);
    execFileSync(path.join(scratch, 'program'));
  });

  it('does not change objects without such entries, nor damaged ones', () => {
    const other = compile('plain', ['-O2']);
    const plain = readFileSync(other);
    mergeEntryNops(other);
    execFileSync(show, [
      'merge',
      other,
      scratch,
      path.join(scratch, 'missing.o'),
      path.join(scratch, 'plain.c'),
    ]);
    expect(readFileSync(other).equals(plain)).toBe(true);
    const whole = readFileSync(compile('whole', ['-O2', '-fpatchable-function-entry=5']));
    const damaged = Array.from({ length: 300 }, (_, i) => {
      const copy = path.join(scratch, `damaged${i}.o`);
      const bytes = Buffer.from(whole.subarray(0, i % 3 === 0 ? (i * whole.length) / 300 : whole.length));
      // Damages the header and the tables behind the code: relocations, symbols and sections.
      for (let at = i % 64; at < bytes.length; at += 97 + 13 * (i % 11)) bytes[at] = (i * 37 + at) & 0xff;
      whole.copy(bytes, 0, 0, i % 2 === 0 ? 64 : 5);
      writeFileSync(copy, bytes);
      return copy;
    });
    execFileSync(show, ['merge', ...damaged]);
    damaged.forEach(mergeEntryNops);
  });
});
