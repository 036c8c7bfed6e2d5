import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ObjectCodes, type ObjectCode } from '../../../../../src/measurement/symbols/stacks/objectCode';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'kymo-object-code-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const read = (file: string): Promise<ObjectCode | undefined> =>
  new ObjectCodes().of({ begin: 0x1000, end: 0x2000, offset: 0, file });

describe('the objects of a process', () => {
  it('that cannot be read are unknown, and hold nobody up', async () => {
    const pipe = path.join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const noProgram = path.join(folder, 'text');
    writeFileSync(noProgram, 'no program');
    const names = [
      '',
      '[heap]',
      'relative',
      '/nowhere/at/all',
      folder,
      pipe,
      noProgram,
      `${process.execPath} (deleted)`,
    ];
    for (const file of names) expect([file, await read(file)]).toEqual([file, undefined]);
  });

  it('are read once for all processes', async () => {
    const objects = new ObjectCodes();
    const mapped = { begin: 0x1000, end: 0x2000, offset: 0, file: '[vdso]' };
    const first = objects.of(mapped);
    expect(objects.of({ ...mapped, begin: 0x5000, end: 0x6000 })).toBe(first);
    expect((await first)?.frames.size).toBeGreaterThan(0);
  });
});
