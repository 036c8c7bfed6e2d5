import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silent } from '../../../../src/core/progress';
import type { ComparisonSettings } from '../../../../src/core/trace/comparisonPieces';
import { usualFilter } from '../../../../src/protocol/comparison';
import { finished } from '../../../../src/core/steps';
import { compareTraceInputs } from '../../../../src/workflows/compareTraces';
import {
  comparisonFind,
  comparisonOverview,
  comparisonPlace,
  comparisonRows,
  comparisonSummary,
  openComparison,
  saveComparison,
  type ComparisonName,
} from '../../../../src/workflows/views/traceComparisonView';
import { sweep3d } from '../../../sweep3d';

const folder = mkdtempSync(path.join(tmpdir(), 'kymo compared ü-'));
const file = (name: string): string => path.join(folder, name);
const paths = [file('rank1.mvtrace'), file('rank2.mvtrace')];
const context = { progress: silent };
const settings: ComparisonSettings = {
  mode: 'frequency',
  metric: 'instructions',
  sensitivity: 0.05,
  isRelative: false,
  shows: usualFilter,
};

/** Steps of a program, each with an iteration mark: calls by their lines, as letters. */
function steps(name: string, calls: readonly string[], source = 'main.c'): string {
  const lines = ['#mvtrace 1  rank=0 nranks=1', `F\t1\t${source}`, 'E\t1\t1'];
  calls.forEach((letters, step) => {
    lines.push(`I\t${step + 1}`);
    for (const letter of letters) {
      const line = letter.charCodeAt(0);
      lines.push(`E\t1\t${line}`, `X\t1\t${line}\t0.5\t1000`);
    }
  });
  const given = file(name);
  writeFileSync(given, [...lines, 'X\t1\t9\t0.1\t10', ''].join('\n'));
  return given;
}

beforeAll(() => {
  paths.forEach((given, position) => writeFileSync(given, sweep3d(position === 0 ? 1 : 2)));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function opened(question: ComparisonName['question'] = { paths }): Promise<ComparisonName> {
  const { header } = await openComparison(question, context);
  return { question, id: header.id, settings };
}

describe('the comparison of traces in a viewer', () => {
  it('M13: opens two traces and has the counts that the command line prints', async () => {
    const { header, title } = await openComparison({ paths }, context);
    expect(title).toBe('rank1 and rank2');
    expect(header).toMatchObject({
      metrics: ['time', 'instructions'],
      sizeUnit: 'elements',
      depth: 3,
      views: [
        { name: 'rank1', ranks: 12 },
        { name: 'rank2', ranks: 12 },
      ],
    });
    const asked = { question: { paths }, id: header.id, settings };
    const { pairs, rows, characteristics } = await comparisonSummary(asked, context);
    expect(pairs).toEqual([{ matched: 14, added: 2, deleted: 0, changed: 6, unchanged: 8 }]);
    expect(rows).toBe(16);
    const report = finished(
      compareTraceInputs(
        paths.map((given) => ({ given, name: given, part: {} })),
        { metric: 'instructions' },
      ),
    );
    expect(report.pairs).toMatchObject(pairs);
    expect(characteristics.map(({ sentence }) => sentence)).toEqual(
      report.characteristics.map(({ sentence }) => sentence),
    );
  });

  it('answers with rows, overview, the next difference and places', async () => {
    const asked = await opened();
    const { rows, total } = await comparisonRows({ ...asked, first: 1, count: 2 }, context);
    expect(total).toBe(16);
    expect(rows.map(({ name }) => name)).toEqual(['sweep.f', 'octant.f']);
    expect((await comparisonRows({ ...asked, first: 0, count: 1e9 }, context)).rows).toHaveLength(16);
    expect((await comparisonOverview({ ...asked, pixels: 32 }, context)).strips).toHaveLength(2);
    expect((await comparisonOverview({ ...asked, pixels: 1e9 }, context)).rows).toHaveLength(8_192);
    expect(await comparisonFind({ ...asked, row: -1, isBackwards: false }, context)).toEqual({ row: 3 });
    expect(await comparisonFind({ ...asked, row: 15, isBackwards: false, text: 'x' }, context)).toEqual({});
    expect(await comparisonPlace({ ...asked, row: 4 }, context)).toMatchObject({
      name: 'mpi_stuff.f',
      line: 85,
    });
  });

  it('M17: compares iterations of one trace, and ranks by their parts', async () => {
    const given = steps('steps.mvtrace', ['ab', 'ab', 'axb']);
    const of = async (first: number, second: number): Promise<unknown> => {
      const parts = [first, second].map((one) => ({ iterations: [one, one] as const }));
      const asked = await opened({ paths: [given, given], parts });
      return (await comparisonSummary(asked, context)).pairs;
    };
    expect(await of(1, 2)).toEqual([{ matched: 2, added: 0, deleted: 0, changed: 0, unchanged: 2 }]);
    expect(await of(2, 3)).toEqual([{ matched: 2, added: 1, deleted: 0, changed: 0, unchanged: 2 }]);
    const { header } = await openComparison(
      { paths: [given, given], parts: [{ iterations: [1, 2] }] },
      context,
    );
    expect(header.views.map(({ name }) => name)).toEqual(['steps, iterations 1–2', 'steps']);
    expect(header.views[0]?.iterations).toBe(3);
    await expect(opened({ paths: [given, given], parts: [{ rank: 7 }] })).rejects.toMatchObject({
      reason: 'no-such-process',
    });
  });

  it('M23: says where traces have too little in common', async () => {
    const [one, other] = [
      steps('one.mvtrace', ['abcdefgh']),
      steps('other.mvtrace', ['ijklmnop'], 'quite/another.f90'),
    ];
    const { header } = await openComparison({ paths: [one, other] }, context);
    expect(header.notes.join(' ')).toContain('may be traces of two different programs');
    expect((await openComparison({ paths: [one, one] }, context)).header.notes.join(' ')).not.toContain(
      'two different',
    );
  });

  it('saves what the command line prints, and the rows as a table', async () => {
    const asked = await opened();
    await saveComparison({ ...asked, format: 'json', file: file('saved.json') }, context);
    const report = finished(
      compareTraceInputs(
        paths.map((given) => ({ given, name: path.parse(given).name, part: {} })),
        { metric: 'instructions', sensitivity: 0.05, isRelative: false },
      ),
    );
    expect(JSON.parse(readFileSync(file('saved.json'), 'utf8'))).toEqual(JSON.parse(JSON.stringify(report)));
    await saveComparison({ ...asked, format: 'csv', file: file('saved.csv') }, context);
    const lines = readFileSync(file('saved.csv'), 'utf8').trim().split('\r\n');
    expect(lines).toHaveLength(17);
    expect(lines[0]).toContain('rank1 → rank2');
    expect(lines[6]).toMatch(/^3,receive,MPI_RECV from 4,,,,,,,,,,,,40,.*,750,750,750,,added$/);
  });

  it('refuses what it cannot answer', async () => {
    const asked = await opened();
    const rows = (name: ComparisonName): Promise<unknown> =>
      comparisonRows({ ...name, first: 0, count: 1 }, context);
    await expect(rows({ ...asked, id: 'old' })).rejects.toMatchObject({ reason: 'comparison-changed' });
    await expect(rows({ ...asked, view: 2 })).rejects.toMatchObject({ reason: 'usage' });
    await expect(rows({ ...asked, settings: { ...settings, metric: 'x' } })).rejects.toMatchObject({
      reason: 'no-such-metric',
    });
    await expect(opened({ paths: [paths[0] ?? ''] })).rejects.toMatchObject({ reason: 'usage' });
    await expect(opened({ paths: [...paths, ...paths, ...paths] })).rejects.toMatchObject({
      reason: 'usage',
    });
    await expect(opened({ paths: [...paths, file('none.mvtrace')] })).rejects.toMatchObject({
      reason: 'trace-missing',
    });
  });

  it('reads traces again that have changed, and ends when it is cancelled', async () => {
    const [one, other] = [steps('changing.mvtrace', ['ab']), steps('same.mvtrace', ['ab'])];
    const asked = await opened({ paths: [one, other] });
    steps('changing.mvtrace', ['abc', 'd']);
    await expect(comparisonSummary(asked, context)).rejects.toMatchObject({ reason: 'comparison-changed' });
    const abort = new AbortController();
    const answer = openComparison({ paths: [other, one] }, { ...context, signal: abort.signal });
    abort.abort();
    await expect(answer).rejects.toThrow();
  });
});
