import { describe, expect, it } from 'vitest';
import { defaultDynamicsOptions } from '../../../../../src/core/degradations/model/options';
import type { DynamicsResult } from '../../../../../src/core/degradations/model/result';
import { reportCsv } from '../../../../../src/formats/dynamics-report/csv';
import { analyseByLikelihood } from '../../../../../src/core/detect/detectedSeries';
import { dynamicsDocument } from '../../../../../src/formats/dynamics-report/document';
import { lineCells, reportMarkdown } from '../../../../../src/formats/dynamics-report/markdown';
import { hasChances, reportLines } from '../../../../../src/formats/dynamics-report/rows';
import { burstsOf, teraTf } from '../../../../fixtures/dynamics/published';
import { gauss } from '../../../../fixtures/dynamics/signals';
import { DynamicsAnalysis } from '../../../../../src/core/degradations/analysis';
import { readReportCsv, readReportMarkdown } from '../../../formats/dynamics-report/readReport';
import { alone, analysed, send, series, solve, step } from '../bursts';

function tera(): DynamicsResult {
  const analysis = new DynamicsAnalysis();
  for (const burst of burstsOf(teraTf(), 64)) analysis.addBurst(burst);
  return analysis.finish();
}

/** With the models, which are made when they are asked for. */
function drawn(result: DynamicsResult) {
  return { ...result, series: result.series.map((own) => ({ ...own, model: own.model?.() })) };
}

describe('report', () => {
  it('report: description, iterations, region, ranks, severity and excess, the costliest first', () => {
    const lines = reportLines(tera()).map((line) => lineCells(line).join(' | '));
    expect(lines).toMatchInlineSnapshot(`
      [
        "Excessive communication time | [1-128] | MPI_Wait | 0-2,4-5,8,16,27,30-31 | 26.0 % |  | ",
        "Degradation trend in communication time | [1-92] | MPI_Wait | 4,27,30 | 19.8 % | 22.2 % ± <0.1 % | ",
        "└ Degradation trend in communication time | [2-72] | MPI_Wait | 5,8,12,16 | 16.3 % | 19.9 % | ",
        "Excessive communication time | [1-128] | MPI_Allreduce | 0-31 | 16.0 % |  | ",
        "Degradation trend in communication time | [1-128] | MPI_Wait | 0-2,31 | 26.5 % | 15.9 % ± 0.1 % | ",
        "Excessive communication time | [1-128] | MPI_Wait | 9,12,15,17,20,23,26,29 | 15.0 % |  | ",
        "Degradation trend in communication time | [2-51] | MPI_Wait | 23,26,29 | 11.4 % | 11.7 % | ",
        "Degradation peaks in communication time | [5-7],[51-57],[67-69],[118-120] | MPI_Allreduce | 1-31 | 5.5 % | 4.0 % (below the threshold) | ",
        "└ Late rank: lacks the peaks in communication time | [5-7],[51-57],[67-69],[118-120] | MPI_Allreduce | 0 | 5.5 % | 4.0 % (below the threshold) | ",
      ]
    `);
  });

  it('report: what was made more precise is not there', () => {
    const { rows, trace } = tera();
    expect(trace.some(({ rule, holds }) => rule === 'significant-variability' && holds)).toBe(true);
    expect(rows.map(({ rule }) => rule)).not.toContain('significant-variability');
    expect(rows.map(({ rule }) => rule)).not.toContain('degradation-trends');
  });

  it('report: iterations without any value are told, and what can be done', () => {
    const everyTenth = Float64Array.from({ length: 400 }, (_, i) => (i % 10 === 9 ? 1 : NaN));
    expect(analysed(alone(everyTenth)).notes).toContain(
      '90 % of the iterations have no value in any series and count as 0. If the program logs only some of its iterations, --set missing=linear (or constant) fills the gaps.',
    );
    const few = Float64Array.from({ length: 400 }, (_, i) => (i % 50 === 9 ? NaN : 1));
    expect(analysed(alone(few)).notes.join()).not.toContain('no value in any series');
  });

  it('report: an imbalance between ranks that do not wait for each other is at most all of the phase', () => {
    const ranks = Array.from({ length: 16 }, (_, rank) =>
      Float64Array.from({ length: 64 }, (_unused, i) => (i % 16 === rank ? 10 : 1)),
    );
    const { rows } = analysed(
      ranks.flatMap((values, rank) => [series(step, rank, values), series(solve, rank, values)]),
    );
    expect(rows.find(({ kind }) => kind === 'imbalance')?.severity).toBe(1);
  });

  it('report: that nothing changes is said', () => {
    const flat = analysed(alone(new Float64Array(128).fill(1)));
    expect(flat.noDynamics).toBe(true);
    expect(flat.notes).toEqual([
      'No dynamics: the findings do not become worse over the iterations, so the time dimension does not matter here.',
    ]);
    expect(reportMarkdown(flat)).toContain('No dynamics');
    const nothing = analysed([
      series(step, 0, new Float64Array(128).fill(1)),
      series(send, 0, new Float64Array(128).fill(0.01)),
    ]);
    expect(nothing.rows).toEqual([]);
    expect(nothing.notes[0]).toContain('nothing reaches the report threshold');
  });

  it('report: CSV, JSON and Markdown can be read back', () => {
    const hostile = { ...solve, name: '=evil, "x"\r\n| `<b>` | operator||<a,b>', file: '/a "b",c.cpp' };
    const run = alone(Float64Array.from({ length: 128 }, (_, i) => 1 + i / 64)).map((one) =>
      one.context.region.name === 'solve' ? { ...one, context: { ...one.context, region: hostile } } : one,
    );
    for (const result of [tera(), analysed(run)]) {
      const lines = reportLines(result);
      expect(readReportCsv(reportCsv(lines))).toEqual(lines);
      const { rows } = JSON.parse(JSON.stringify(dynamicsDocument(result, {}))) as {
        rows: { region: string; severity?: number }[];
      };
      expect(rows.map(({ region, severity }) => [region, severity])).toEqual(
        lines.map(({ region, severity }) => [region, severity]),
      );
      const oneLine = (text: string) => text.replace(/[\p{Cc}]+/gu, ' ');
      expect(readReportMarkdown(reportMarkdown(result))).toEqual(
        lines.map((line) => lineCells(line, hasChances(result.rows)).map(oneLine)),
      );
    }
  });

  it('settings are part of the result, so that a report can be made again', () => {
    const result = analysed(alone([1, 2, 3]), { reportThreshold: 0.3, improvements: true });
    expect(result.settings).toEqual({ ...defaultDynamicsOptions, reportThreshold: 0.3, improvements: true });
    expect(drawn(analysed(alone([1, 2, 3]), result.settings))).toEqual(drawn(result));
  });

  it('has the model of each series, that of its analysis where no other rank shares it', () => {
    const values = Float64Array.from({ length: 64 }, (_, i) => (i < 32 ? 1 : 3) + (i % 3) / 10);
    const models = drawn(analysed(alone(values))).series.map(({ model }) => model);
    expect(models).toEqual([analyseByLikelihood(values).model]);
  });

  it('has the models of its own values, also where they are looked at when more iterations have come', () => {
    const analysis = new DynamicsAnalysis();
    const add = (first: number, level: number) =>
      analysis.addBurst({ first, length: 64, series: alone(new Float64Array(64).fill(level)) });
    add(0, 1);
    const result = analysis.finish();
    add(64, 3);
    expect(drawn(result).series.map(({ model }) => model)).toEqual([new Float64Array(64).fill(1)]);
  });

  it('names each property once, and each refines what it is part of', () => {
    const { properties, rows } = tera();
    expect(new Set(properties.map(({ id }) => id)).size).toBe(properties.length);
    expect(rows.every(({ property }) => properties.some(({ id }) => id === property))).toBe(true);
    const known = new Set(properties.map(({ id }) => id));
    for (const { kind, refines } of properties) {
      expect(refines === undefined).toBe(kind === 'communication');
      if (refines !== undefined) expect(known).toContain(refines);
    }
  });

  it('tells the period of checkpoints, and which degradation follows which', () => {
    let seed = 1;
    const noisy = (shape: (i: number) => number) => {
      const noise = gauss(seed++);
      return Float64Array.from({ length: 256 }, (_, i) => shape(i) + 0.02 * noise());
    };
    const spikes = noisy((i) => (i % 16 === 9 ? 1.6 : 0.2));
    const irregular = [20, 60, 75, 140, 200];
    const first = noisy((i) => (irregular.includes(i) ? 3 : 0.2));
    const second = noisy((i) => (irregular.includes(i - 5) ? 3 : 0.2));
    const io = { name: 'checkpoint', kind: 'function' as const };
    const run = [
      series(step, 0, new Float64Array(256).fill(1)),
      series(io, 0, spikes),
      series({ name: 'adapt', kind: 'function' }, 0, first),
      series(solve, 0, second),
    ];
    const { properties, series: all } = analysed(run, {}, 64);
    expect(all.map(({ period }) => period)).toEqual([16, undefined, undefined]);
    expect(
      properties
        .filter(({ kind }) => kind === 'periodic-peaks')
        .map(({ title }) => title)
        .sort(),
    ).toEqual([
      expect.stringMatching(
        /^Time of checkpoint peaks every 16 iterations \(each costs 1\.4\d? s, all of them 22\.\d s, jitter 0\)$/,
      ),
    ]);
    const follows = properties.filter(({ kind }) => kind === 'dependent-degradation');
    expect(follows.map(({ evidence }) => evidence.lagIterations)).toEqual([5]);
    expect(follows[0]?.title).toMatch(/^Time of solve follows time of adapt 5 iterations later/);
  });

  it('tells no lag of two rises that begin once', () => {
    const rise = (start: number) =>
      Float64Array.from({ length: 400 }, (_, i) => 1 + Math.max(0, i - start) / 100);
    const titles = (start: number): string[] => {
      const run = [
        series(
          step,
          0,
          Float64Array.from(rise(100), (value) => 3 * value),
        ),
        series({ name: 'adapt', kind: 'function' }, 0, rise(100)),
        series(solve, 0, rise(start)),
      ];
      return analysed(run)
        .properties.filter(({ kind }) => kind === 'dependent-degradation')
        .map(({ title }) => title);
    };
    // The one is part of the event that the other begins; and a lag that is seen once may be chance.
    expect(titles(104)).toEqual([]);
    expect(titles(130)).toEqual([]);
  });

  it('lists what gets better when asked', () => {
    const falling = alone(Float64Array.from({ length: 128 }, (_, i) => 3 - i / 64));
    expect(analysed(falling).rows.map(({ kind }) => kind)).toEqual(['hot-spot']);
    const asked = analysed(falling, { improvements: true });
    expect(asked.rows.map(({ kind, iterations }) => [kind, iterations])).toEqual([
      ['hot-spot', [[1, 128]]],
      ['improvement', [[1, 128]]],
    ]);
  });
});
