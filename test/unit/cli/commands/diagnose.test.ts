import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { registerDiagnose } from '../../../../src/cli/commands/diagnose';
import type { CommandResult } from '../../../../src/cli/execution/context';
import type { Property } from '../../../../src/core/properties/property';
import { readSearch } from '../../../../src/formats/kymo-search/searchFile';
import { openDiagnosis } from '../../../../src/workflows/views/diagnosisView';
import { useCommandFolder } from './commandFolder';

const fixtures = path.resolve(import.meta.dirname, '../../../fixtures/cube4');
const mpi = path.join(fixtures, 'lulesh-mpi.cubex');
const { run, inFolder, file } = useCommandFolder('diagnose');
const kymo = (...words: string[]): Promise<CommandResult> =>
  run([registerDiagnose], ['diagnose', ...words], false);

interface Document {
  readonly findings: readonly {
    readonly hypothesis: string;
    readonly advice: string;
    readonly property: string;
  }[];
  readonly properties: readonly Property[];
  readonly hypotheses: readonly { readonly id: string; readonly threshold: number }[];
  readonly notSearched: readonly { readonly hypothesis: string; readonly reason: string }[];
  readonly notes: readonly string[];
}

describe('kymo diagnose', () => {
  test('people get what, where, on which ranks, how much and what to do next', async () => {
    const { text, limitExceeded } = await kymo(mpi);
    const lines = text.split('\n');
    expect(lines[0]).toMatch(
      /^8 processes, 8 threads; .* run time of all 8 ranks together in run lulesh-mpi\.cubex/,
    );
    // Of 88 ms of each process.
    expect(lines[1]).toMatch(/^The run took only [\d.]+ ms: too short to show/);
    expect(lines[3]).toMatch(/^1\. Communication and waiting takes [\d.]+ % of the time$/);
    expect(text).toMatch(
      /\n2\. Communication and waiting in \w+ \(MPI_\w+\) takes [\d.]+ % of the time( of ranks? [\d,-]+)?\n {3}\S+\.cc:\d+ · Waiting for others · [\d.]+ % here, threshold 20\.0 % · [\d.]+ % of the run\n {3}Next: Find out who comes late/,
    );
    expect(text).toContain('\nNot searched: Serial part, ');
    expect(limitExceeded).toBe(false);
  });

  test('--json has the findings with their advice, their properties, and what was not searched', async () => {
    const { findings, properties, notSearched, notes, hypotheses } = (await kymo(mpi)).result as Document;
    expect(findings.map(({ property }) => property)).toEqual(properties.map(({ id }) => id));
    const severities = properties.map(({ severity = 0 }) => severity);
    expect(severities).toEqual([...severities].sort((a, b) => b - a));
    for (const { advice } of findings) expect(advice).toMatch(/\.$/);
    expect(notSearched).toContainEqual({
      hypothesis: 'SerialPart',
      reason: 'No process has several threads.',
    });
    expect(notes.join('\n')).toContain('CacheMisses was not searched.');
    expect(hypotheses).toContainEqual(expect.objectContaining({ id: 'CPUBound', threshold: 0.3 }));
  });

  test('--tree shows each experiment with its truth, value and threshold', async () => {
    const { text } = await kymo(mpi, '--tree');
    expect(text).toMatch(/\n[+-] CPUBound < \/Code, \/Machine, \/SyncObject > [\d.]+ % [>≤] 30\.0 %\n/);
    expect(text).toMatch(
      /\n {2}\+ ExcessiveSyncWaitingTime < \/Code\/[^,]+, \/Machine, \/SyncObject > [\d.]+ % > 20\.0 %\n/,
    );
    expect(text).toMatch(
      /\n\? SerialPart < \/Code, \/Machine, \/SyncObject >: No process has several threads\.\n/,
    );
  });

  test('--threshold changes what holds, and mistakes in it are named', async () => {
    const high = await kymo(
      mpi,
      '--threshold',
      'ExcessiveSyncWaitingTime=99.9%',
      '--threshold',
      'CPUBound=0.999',
    );
    expect(high.text).toContain('\nNothing found: no hypothesis holds.');
    await expect(kymo(mpi, '--threshold', 'CPUBond=0.5')).rejects.toMatchObject({
      reason: 'unknown-hypothesis',
      message: 'There is no hypothesis "CPUBond"; did you mean "CPUBound"?',
    });
    for (const wrong of ['much', '1e400'])
      await expect(kymo(mpi, '--threshold', `CPUBound=${wrong}`)).rejects.toThrow('NAME=VALUE');
  });

  test('--fail-on and --fail-above set the exit status', async () => {
    const exceeded = async (...words: string[]): Promise<boolean | undefined> =>
      (await kymo(mpi, ...words)).limitExceeded;
    expect(await exceeded('--fail-on', 'ExcessiveSyncWaitingTime')).toBe(true);
    expect(await exceeded('--fail-on', 'any')).toBe(true);
    expect(await exceeded('--fail-on', 'LateSender')).toBe(false);
    expect(await exceeded('--fail-above', '5')).toBe(true);
    expect(await exceeded('--fail-above', '100')).toBe(false);
    await expect(exceeded('--fail-on', 'LateSendr')).rejects.toMatchObject({ reason: 'unknown-hypothesis' });
    // What only computes fails nothing unless it is named.
    const serial = path.join(fixtures, 'tiny.cubex');
    expect((await kymo(serial, '--fail-on', 'any')).limitExceeded).toBe(false);
    expect((await kymo(serial, '--fail-on', 'CPUBound')).limitExceeded).toBe(true);
    const above = await kymo(serial, '--fail-above', '20');
    expect(above.limitExceeded).toBe(false);
    expect(above.text).toContain('\n\n--fail-above does not count findings on computing (CPU bound)');
    expect((await kymo(serial)).text).not.toContain('--fail-above');
  });

  test('--export writes the whole search', async () => {
    const { text } = await kymo(mpi, '--export', inFolder('search.json'));
    expect(text).toContain('Written to ');
    const record = readSearch(readFileSync(inFolder('search.json'), 'utf8'), 'search.json');
    expect(record).toMatchObject({ strategy: 'recorded', run: 'lulesh-mpi.cubex', state: 'ended' });
    expect(record.nodes.some(({ truth }) => truth === 'true')).toBe(true);
  });

  test('hypotheses are those of the workspace that was measured, and of no folder above it, as in the editor', async () => {
    const own = (threshold: number): string =>
      JSON.stringify({ kymoHypotheses: 1, hypotheses: [{ id: 'CPUBound', threshold }] });
    const run = 'outer/program/.kymo/t/s/i0/measured.r1';
    mkdirSync(inFolder(run), { recursive: true });
    cpSync(mpi, inFolder(`${run}/profile.cubex`));
    const thresholds = async (): Promise<readonly (number | undefined)[]> => {
      const { hypotheses } = (await kymo(inFolder(`${run}/profile.cubex`))).result as Document;
      const question = { path: inFolder(`${run}/profile.cubex`), thresholds: {}, revision: 0 };
      const { header } = await openDiagnosis({ ...question, revision: revision++ }, {});
      return [hypotheses, header.hypotheses].map((all) => all.find(({ id }) => id === 'CPUBound')?.threshold);
    };
    let revision = 0;
    file('outer/kymo.hypotheses.json', own(0.9));
    expect(await thresholds()).toEqual([0.3, 0.3]);
    file('outer/program/kymo.hypotheses.json', own(0.6));
    expect(await thresholds()).toEqual([0.6, 0.6]);
  });

  test('hypotheses of one’s own are searched; mistakes have a line and a column', async () => {
    const own = {
      kymoHypotheses: 1,
      hypotheses: [
        { id: 'Mostly', label: 'Mostly waiting', metric: 'synchronisation', threshold: 0.5, advice: 'Stop.' },
      ],
    };
    file('own.json', JSON.stringify(own));
    const { text } = await kymo(mpi, '--hypotheses', inFolder('own.json'));
    expect(text).toMatch(/\n\d+\. Mostly waiting: communication and waiting takes /);
    expect(text).toContain('Next: Stop.');
    file('wrong.json', '{\n  "kymoHypotheses": 1,\n  "hypotheses": [{ "id": "A", "metrc": "computing" }]\n}');
    await expect(kymo(mpi, '--hypotheses', inFolder('wrong.json'))).rejects.toMatchObject({
      reason: 'config-invalid',
      where: { line: 3, column: 31 },
    });
    await expect(kymo(mpi, '--hypotheses', inFolder('none.json'))).rejects.toMatchObject({
      reason: 'file-missing',
    });
  });

  test('“published” searches the published ones only', async () => {
    const { hypotheses } = (await kymo(mpi, '--hypotheses', 'published')).result as Document;
    expect(hypotheses.map(({ id }) => id)).toEqual([
      'CPUBound',
      'ExcessiveSyncWaitingTime',
      'ExcessiveIOBlockingTime',
      'TooManySmallIOOps',
    ]);
  });

  test('several runs are searched together, if they have the same processes', async () => {
    const { text } = await kymo(mpi, mpi);
    expect(text).toContain('run time of all 8 ranks together in run lulesh-mpi.cubex');
    expect(text).toMatch(/ here, threshold 20\.0 % · [\d.]+ % of the run · ([\d.]+ %) to \1 in 2 runs\n/);
    await expect(kymo(mpi, path.join(fixtures, 'tiny.cubex'))).rejects.toMatchObject({
      reason: 'runs-differ',
    });
    await expect(kymo(inFolder('nowhere'))).rejects.toMatchObject({ reason: 'file-missing' });
  });
});
