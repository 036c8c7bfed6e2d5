import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import {
  problemIn,
  troubleOf,
  type Remedies,
} from '../../../../../../src/measurement/backends/scorep/run/runTrouble';

const recorded = path.resolve(import.meta.dirname, '../../../../../data/scorep/said');
const folder = mkdtempSync(path.join(tmpdir(), 'kymo-trouble-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const printed = (name: string): void =>
  copyFileSync(path.join(recorded, `${name}.txt`), path.join(folder, 'output.txt'));

const helpless: Remedies = { leaveOut: () => undefined, moreMemory: () => undefined };

describe('a run that Score-P ended', () => {
  it('is repeated without the frames that were left', async () => {
    printed('exception');
    const leaveOut = (inner: string, outer: string): string => `without ${inner}, below ${outer}`;
    expect(await troubleOf(folder, { ...helpless, leaveOut })).toEqual({
      runAgain: true,
      messages: ['without int leaf(int), below int main(int, char**)'],
    });
  });

  it('is repeated with more memory', async () => {
    printed('memory-mpi');
    expect(await troubleOf(folder, { ...helpless, moreMemory: () => 'with more' })).toEqual({
      runAgain: true,
      messages: ['with more'],
    });
  });

  it('is explained where nothing can be done', async () => {
    for (const [name, reason] of [
      ['memory', 'scorep-memory-exceeded'],
      ['exception', 'scorep-frame-left'],
      ['filter-missing', 'scorep-filter-missing'],
    ] as const) {
      printed(name);
      const trouble = await troubleOf(folder, helpless);
      expect(trouble).toMatchObject({ reason });
      expect(trouble).toHaveProperty('message', expect.stringContaining(path.join(folder, 'output.txt')));
    }
  });

  it("is the program's own where Score-P said nothing", async () => {
    writeFileSync(path.join(folder, 'output.txt'), 'Segmentation fault\n');
    expect(await troubleOf(folder, helpless)).toBeUndefined();
    rmSync(path.join(folder, 'output.txt'));
    expect(await troubleOf(folder, helpless)).toBeUndefined();
  });

  it('is understood in long outputs, from their begin and their end', async () => {
    const noise = 'step\n'.repeat(400_000);
    const said = readFileSync(path.join(recorded, 'depth.txt'), 'utf8');
    for (const text of [`${said}${noise}`, `${noise}${said}`]) {
      writeFileSync(path.join(folder, 'output.txt'), text);
      expect(await problemIn(folder)).toMatchObject({ reason: 'scorep-callpath-depth', depth: 204 });
    }
  });
});
