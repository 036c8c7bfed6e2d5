import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import Ajv from 'ajv';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { registerDynamics } from '../../../../src/cli/commands/dynamics';
import type { CommandResult } from '../../../../src/cli/execution/context';
import { version } from '../../../../package.json';
import { csvPieces, ndjsonPieces } from '../../formats/series/write';
import { openDynamics, saveDynamicsReport } from '../../../../src/workflows/views/dynamicsView';
import { cx3d, indeed, indeedStudy, teraTf, type Study } from '../../../fixtures/dynamics/published';
import { sharedData } from '../../../shared';
import { runCommand } from './runCommand';

let folder = '';
let tera = '';
let cx = '';
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'kymo dynamics é '));
  tera = seriesFile('tera.ndjson', someRanks());
  cx = seriesFile('cx.ndjson', cx3d());
});
afterAll(() => rmSync(folder, { recursive: true }));

const inFolder = (name: string): string => path.join(folder, name);

/** Every fifth rank: what is tested here is the command, not the analysis. */
function someRanks(): Study {
  const { series, ...others } = teraTf();
  return { ...others, series: series.filter(({ context }) => context.rank % 5 === 0) };
}

function seriesFile(name: string, { phase, series }: Study): string {
  writeFileSync(inFolder(name), [...ndjsonPieces({ unit: 's', phase }, series)].join(''));
  return inFolder(name);
}

const kymo = (...words: string[]): Promise<CommandResult> =>
  runCommand([registerDynamics], folder, ['dynamics', ...words]);

interface Document {
  readonly iterations: number;
  readonly noDynamics: boolean;
  readonly series: readonly {
    readonly region: string;
    readonly rank: number;
    readonly episodes: readonly { readonly letter: string; readonly from: number; readonly to: number }[];
    readonly patterns: readonly { readonly type: string; readonly from: number; readonly to: number }[];
    readonly sentence: string;
  }[];
  readonly rows: readonly {
    readonly title: string;
    readonly region: string;
    readonly ranks: string;
    readonly iterations: readonly (readonly [number, number])[];
    readonly severity: number;
  }[];
  readonly properties: readonly { readonly id: string; readonly severity: number }[];
  readonly trace?: readonly unknown[];
  readonly log: { readonly settings: { readonly options: { readonly reportThreshold: number } } };
}

const documentOf = async (...words: string[]): Promise<Document> => (await kymo(...words)).result as Document;

describe('kymo dynamics', () => {
  it('prints what docs/INTERFACES.md says, with iterations from 1', async () => {
    const document = await documentOf(tera);
    const { iterations, series, rows, properties, noDynamics } = document;
    expect(iterations).toBe(128);
    expect(noDynamics).toBe(false);
    for (const { region, episodes, patterns, sentence } of series) {
      expect(region).toMatch(/^MPI_(Wait|Allreduce)$/);
      expect([episodes[0]?.from, episodes.at(-1)?.to]).toEqual([1, 128]);
      for (const { from, to } of patterns) expect(from >= 1 && from <= to && to <= 128).toBe(true);
      expect(sentence).not.toBe('');
    }
    const schema = JSON.parse(readFileSync('media/kymo.dynamics.schema.json', 'utf8')) as object;
    const isValid = new Ajv({ strict: false }).compile(schema);
    const more = await documentOf(cx, '--explain', '--all', '--improvements');
    const published = await documentOf(cx, '--method', 'periscope');
    for (const one of [document, more, published]) {
      isValid(JSON.parse(JSON.stringify(one)));
      expect(isValid.errors).toBeNull();
    }
    expect(rows.length).toBeGreaterThan(5);
    const ids = new Set(properties.map(({ id }) => id));
    for (const row of rows) expect(ids.has((row as unknown as { property: string }).property)).toBe(true);
    expect(rows.flatMap((row) => row.iterations).every(([from, to]) => from >= 1 && to <= 128)).toBe(true);
  });

  it('the report from a file is byte for byte the one that the editor saves', async () => {
    const request = { inputs: [cx] };
    const question = { request, workspace: folder };
    const { header } = await openDynamics(question, {});
    for (const format of ['json', 'csv', 'markdown'] as const) {
      const saved = inFolder(`saved.${format}`);
      await saveDynamicsReport({ question, id: header.id, format, threshold: 0, file: saved });
      const written = inFolder(`written.${format}`);
      const { result } = await kymo(cx, '--out', written, '--format', format);
      expect(readFileSync(written).equals(readFileSync(saved)), format).toBe(true);
      if (format === 'json') expect(`${JSON.stringify(result)}\n`).toBe(readFileSync(saved, 'utf8'));
    }
  });

  it('exceeds the limit when a property is more severe than --fail-above', async () => {
    const worst = Math.max(...(await documentOf(cx)).properties.map(({ severity }) => 100 * severity));
    expect(await kymo(cx, '--fail-above', String(worst - 0.01))).toMatchObject({
      limitExceeded: true,
    });
    expect(await kymo(cx, '--fail-above', String(worst + 0.01))).toMatchObject({ limitExceeded: false });
  });

  it('a report tells how it was made, and opened again gives the same report', async () => {
    const report = inFolder('report.json');
    const first = await kymo(
      tera,
      '--report-threshold',
      '4%',
      '--improvements',
      '--burst',
      '64',
      '--out',
      report,
    );
    expect(first.result).toMatchObject({
      log: {
        tool: { name: 'kymo', version },
        inputs: [{ file: tera, kind: 'series', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string }],
        settings: { options: { reportThreshold: 0.04, improvements: true, burst: 64 }, callPaths: false },
        environment: { host: os.hostname() },
      },
    });
    expect((await kymo(report)).result).toEqual(first.result);
    const stricter = await documentOf(report, '--report-threshold', '0.2');
    expect(stricter.log.settings.options).toMatchObject({ reportThreshold: 0.2, improvements: true });
    expect(stricter.rows.length).toBeLessThan((first.result as Document).rows.length);
  });

  it('a report that is none, or was tampered with, is refused', async () => {
    const wrong: readonly [text: string, reason: string][] = [
      ['{"a":1}', 'report-invalid'],
      ['{"log":{"inputs":[],"settings":{}}}', 'report-invalid'],
      ['{"log":{"inputs":[{"file":5}],"settings":{"options":{}}}}', 'report-invalid'],
      [
        `{"log":{"inputs":[{"file":"x","sha256":"y"}],"settings":{"options":{"burst":"64"}}}}`,
        'report-invalid',
      ],
      [
        `{"log":{"inputs":[{"file":${JSON.stringify(tera)},"sha256":"y"}],"settings":{"options":{"burst":0.5}}}}`,
        'usage',
      ],
      ['{"log":', 'report-invalid'],
    ];
    for (const [text, reason] of wrong) {
      writeFileSync(inFolder('wrong.json'), text);
      await expect(kymo(inFolder('wrong.json')), text).rejects.toMatchObject({ reason });
    }
  });

  it('says explicitly that there are no dynamics', async () => {
    const flat: Study = {
      ...indeedStudy(1),
      series: indeedStudy(1).series.map(({ context }) => ({ context, values: new Float64Array(40).fill(1) })),
    };
    const { result, text } = await kymo(seriesFile('flat.ndjson', flat));
    expect(result).toMatchObject({ noDynamics: true, iterations: 40 });
    expect(text.match(/No dynamics/g)).toHaveLength(1);
    expect(text).toContain('solve');
  });

  it('prints rows for people, sentences, and with --explain the conditions', async () => {
    const { text, result } = await kymo(tera, '--explain');
    expect(text).toMatch(/^128 iterations of /);
    expect(text).toMatch(/Degradation trend in .*MPI_Wait/);
    expect(text).toMatch(/sum\(time\) \/ phaseTime > reportThreshold \(0\.\d+ > 0\.1\)/);
    expect((result as Document).trace?.length).toBeGreaterThan(10);
    expect(text).toContain('Rows are in order of excess, or of severity where there is none');
    const plain = (await kymo(tera)).text;
    expect((await kymo(tera, '--format', 'text')).text).toBe(plain);
    await kymo(tera, '--format', 'text', '--out', inFolder('report.txt'));
    expect(readFileSync(inFolder('report.txt'), 'utf8').trim()).toBe(plain.trim());
    expect((await kymo(tera, '--format', 'csv')).text).toMatch(/^description,iterations,/);
    expect((await kymo(tera, '--format', 'markdown')).text).toMatch(/^# Performance dynamics\n/);
  });

  it('tells threads apart, and each relation once', async () => {
    const study = indeedStudy(1);
    const threads = [0, 3].map((thread) => ({
      context: { region: { name: 'solve', kind: 'function' as const }, metric: 'time', rank: 0, thread },
      values: Float64Array.from({ length: 64 }, (_, i) => (thread === 0 ? 1 : i < 32 ? 2 : 9)),
    }));
    const { text } = await kymo(seriesFile('threads.ndjson', { ...study, series: threads }));
    expect(text).toMatch(/Hot spot .*solve +0 \(threads 0,3\)/);
    expect(text).toMatch(/Degradation step in time .*solve +0 \(thread 3\)/);
    const words = text
      .split('\n')
      .filter((line) => line.includes('change together') || line.includes('later ('));
    expect(new Set(words).size).toBe(words.length);
  });

  it('names the metric of a series in words', async () => {
    const file = inFolder('waiting.csv');
    const rows = Array.from({ length: 32 }, (_, i) => `${i + 1},1,0.5,0.4`);
    writeFileSync(file, ['iteration,phase,solve,solve metric=wait', ...rows, ''].join('\n'));
    expect((await kymo(file)).text).toContain('\nsolve (waiting time), rank 0: flat\n');
  });

  it('names no metric where a problem is of several', async () => {
    const file = inFolder('overhead.csv');
    const rows = Array.from({ length: 32 }, (_, i) => `${i + 1},1,1,0.5,100`);
    const columns = 'iteration,phase,solve,solve metric=overhead,solve metric=visits';
    writeFileSync(file, [columns, ...rows, ''].join('\n'));
    const { text } = await kymo(file);
    expect(text).toContain('Excessive cost of recording');
    expect(text).not.toContain('()');
  });

  it('takes several series files as one run, and no series twice', async () => {
    const { series, ...study } = someRanks();
    const parts = [0, 1].map((part) =>
      seriesFile(`part${part}.ndjson`, {
        ...study,
        series: series.filter(({ context }) => context.rank % 2 === part),
      }),
    );
    const whole = await documentOf(tera);
    const together = await documentOf(...parts);
    expect(new Set(together.rows.map((row) => JSON.stringify(row)))).toEqual(
      new Set(whole.rows.map((row) => JSON.stringify(row))),
    );
    await expect(kymo(tera, parts[0] ?? '')).rejects.toMatchObject({ reason: 'series-conflict' });
  });

  it('analyses only what is asked for, and every series with --all', async () => {
    expect((await documentOf(tera, '--duration', '100')).iterations).toBe(100);
    const found = await documentOf(tera);
    const all = await documentOf(tera, '--all');
    expect(all.series.length).toBeGreaterThan(found.series.length);
  });

  it('takes rules of a file, and says where one is wrong', async () => {
    const rules = inFolder('rules.json');
    const rule = {
      id: 'much-waiting',
      level: 'static',
      title: 'Waiting in MPI_Wait',
      names: 'MPI_Wait',
      condition: 'sum(time) / phaseTime > 0.2',
      severity: 'sum(time) / phaseTime',
    };
    writeFileSync(rules, JSON.stringify({ kymoRules: 1, rules: [rule] }));
    const { result } = await kymo(tera, '--rules', rules);
    expect((result as Document).rows.map(({ title }) => title)).toContain('Waiting in MPI_Wait');
    expect(result).toMatchObject({ log: { settings: { rules: { file: rules } } } });
    writeFileSync(rules, JSON.stringify({ kymoRules: 1, rules: [{ ...rule, condition: 'nonsense > 1' }] }));
    await expect(kymo(tera, '--rules', rules)).rejects.toMatchObject({
      reason: 'config-invalid',
      where: { file: rules, line: 1 },
    });
    await expect(kymo(tera, '--rules', inFolder('no.json'))).rejects.toMatchObject({
      reason: 'file-unusable',
    });
  });

  it('says what is wrong with options and inputs', async () => {
    await expect(kymo(tera, '--burst', '100')).rejects.toMatchObject({ reason: 'usage' });
    await expect(kymo(tera, '--out', 'report.txt')).rejects.toMatchObject({ reason: 'usage' });
    await expect(kymo(tera, '--axis', 'x')).rejects.toMatchObject({ reason: 'usage' });
    await expect(kymo(inFolder('nothing'))).rejects.toMatchObject({ reason: 'file-missing' });
    await expect(kymo(folder)).rejects.toMatchObject({ reason: 'no-iterations' });
    writeFileSync(inFolder('empty.csv'), 'iteration,a\n');
    await expect(kymo(inFolder('empty.csv'))).rejects.toMatchObject({ reason: 'no-iterations' });
    appendFileSync(inFolder('empty.csv'), '1,oops\n');
    await expect(kymo(inFolder('empty.csv'))).rejects.toMatchObject({
      reason: 'series-invalid',
      where: { line: 2, column: 3 },
    });
  });

  const plain = sharedData('scorep/lulesh-serial/lulesh.s10.r1/profile.cubex');
  it.skipIf(plain === undefined)('of a profile without iterations it says how to mark a phase', async () => {
    await expect(kymo(plain ?? '')).rejects.toMatchObject({
      reason: 'no-iterations',
      message: expect.stringMatching(/Mark a phase: .*"phase" of the target in kymo\.json/) as string,
    });
  });

  const clustered = sharedData('scorep/lulesh-dynamic/lulesh.s10.i250.dynamic-clustered64/profile.cubex');
  it.skipIf(clustered === undefined)(
    'reads profiles of Score-P, and says when it clustered them',
    async () => {
      const { result, text } = await kymo(clustered ?? '', '--report-threshold', '5%');
      expect(result).toMatchObject({ iterations: 231, log: { inputs: [{ kind: 'profile' }] } });
      expect(text).toContain('SCOREP_PROFILING_ENABLE_CLUSTERING');
      expect(text).toContain('lulesh.cc:997');
      const paths = await documentOf(clustered ?? '', '--report-threshold', '5%', '--call-paths');
      expect(paths.rows[0]).toHaveProperty('callPath');
    },
  );
});

describe('kymo dynamics --compare', () => {
  const file = (strategy: 1 | 2): string => {
    const { cpuMinutes, stepWidths } = indeed(strategy);
    const place = { metric: 'time', rank: 0, thread: 0 };
    const name = inFolder(`indeed${strategy}.csv`);
    writeFileSync(
      name,
      [
        ...csvPieces([
          { context: { region: { name: 'phase', kind: 'phase' }, ...place }, values: cpuMinutes },
          {
            context: { region: { name: 'step', kind: 'function' }, ...place, metric: 'width' },
            values: stepWidths,
          },
        ]),
      ].join(''),
    );
    writeFileSync(`${name}.steps`, `# of each step\n${Array.from(stepWidths).join('\n')}\n`);
    return name;
  };

  it('maps the phases of two runs by simulated time, whether a series or files have it', async () => {
    const [one, two] = [file(1), file(2)];
    const { result, text } = await kymo(one, '--compare', two, '--axis', 'width');
    expect(result).toMatchObject({
      ownPhases: true,
      runs: [
        { file: one, phases: [{ iterations: [1, 25] }, { iterations: [26, 55] }, { iterations: [56, 62] }] },
        { file: two, phases: [{ iterations: [1, 13] }, { iterations: [14, 30] }, { iterations: [31, 37] }] },
      ],
      hybrid: { runs: [2, 1, 1] },
    });
    expect((result as { hybrid: { cost: number } }).hybrid.cost).toBeCloseTo(31.96, 6);
    expect(text).toContain('Hybrid: phase 1 as in run 2, phase 2 as in run 1, phase 3 as in run 1: 31.96 s');
    const byFiles = await kymo(one, '--compare', two, '--axis', `${one}.steps`, `${two}.steps`);
    expect(byFiles.result).toEqual(result);
  });

  it('is written to a file, by its ending', async () => {
    const asked = [file(1), '--compare', file(2), '--axis', 'width'];
    const { result, text } = await kymo(...asked, '--out', inFolder('both.json'));
    expect(text).toContain(`Written to ${inFolder('both.json')}.`);
    expect(JSON.parse(readFileSync(inFolder('both.json'), 'utf8'))).toEqual(result);
    await kymo(...asked, '--out', inFolder('both.md'));
    expect(readFileSync(inFolder('both.md'), 'utf8')).toContain('**Hybrid**');
    for (const wrong of [
      ['--out', inFolder('both.csv')],
      ['--fail-above', '10'],
    ])
      await expect(kymo(...asked, ...wrong)).rejects.toMatchObject({ reason: 'usage' });
  });

  it('says what is missing', async () => {
    const [one, two] = [file(1), file(2)];
    await expect(kymo(one, '--compare', two)).rejects.toMatchObject({ reason: 'usage' });
    await expect(kymo(one, two, '--compare', two, '--axis', 'width')).rejects.toMatchObject({
      reason: 'usage',
    });
    await expect(kymo(one, '--compare', two, '--axis', 'time of day')).rejects.toMatchObject({
      reason: 'no-such-axis',
    });
    await expect(kymo(one, '--compare', two, '--axis', `${one}.steps`)).rejects.toMatchObject({
      reason: 'usage',
    });
    await expect(kymo(one, '--compare', two, '--axis', `${two}.steps`, `${two}.steps`)).rejects.toMatchObject(
      { reason: 'no-such-axis', message: expect.stringMatching(/62 iterations.*37/) as string },
    );
  });
});
