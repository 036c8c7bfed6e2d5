import { describe, expect, it } from 'vitest';
import { DynamicsAnalysis } from '../../../../src/core/degradations/analysis';
import type { DynamicsResult, ReportRow } from '../../../../src/core/degradations/model/result';
import { hiccups, runWithHiccups, type Hiccup } from '../../../fixtures/dynamics/hiccups';

function analysed(seed: number, which?: readonly Hiccup[], reportThreshold?: number): DynamicsResult {
  const analysis = new DynamicsAnalysis(reportThreshold === undefined ? {} : { reportThreshold });
  analysis.addBurst({ first: 0, length: 100, series: runWithHiccups(seed, which) });
  return analysis.finish();
}

const changes = ({ rows }: DynamicsResult): readonly ReportRow[] =>
  rows.filter(({ excess }) => excess !== undefined);
const eventsOf = (result: DynamicsResult): readonly ReportRow[] =>
  changes(result).filter(({ partOf }) => partOf === undefined);
const placeOf = ({ region, ranks, iterations }: ReportRow) => [region.name, ranks, iterations];
const placeOfHiccup = ({ region, rank, iteration }: Hiccup) => [
  region,
  String(rank),
  [[iteration, iteration]],
];
const sorted = (places: readonly unknown[]) => places.map((place) => JSON.stringify(place)).sort();

describe('hiccups of the machine', () => {
  it.each([1, 2, 3, 4, 5])(
    'are one event each, which begins with the function on the rank that the others wait for (seed %i)',
    (seed) => {
      const result = analysed(seed);
      expect(sorted(eventsOf(result).map(placeOf))).toEqual(sorted(hiccups.map(placeOfHiccup)));
    },
  );

  it.each([1, 2, 3, 4, 5])(
    'have what waits and what is imbalanced below them, each once, and at their iteration (seed %i)',
    (seed) => {
      const result = analysed(seed);
      for (const event of eventsOf(result)) {
        const parts = changes(result).filter(({ partOf }) => partOf === event.property);
        expect(new Set(parts.map(({ iterations }) => JSON.stringify(iterations)))).toEqual(
          new Set([JSON.stringify(event.iterations)]),
        );
        const waiting = parts.filter(({ region: { kind } }) => kind === 'mpi');
        expect(new Set(waiting.map(({ region }) => region.name)).size).toBe(2);
        for (const { kind, ranks } of parts) if (kind === 'late-rank') expect(ranks).toBe(event.ranks);
        const imbalance = parts.filter(({ title }) => title.endsWith('imbalance'));
        expect(imbalance.map(placeOf)).toEqual([placeOf(event)]);
        expect(new Set(parts.map(({ title, region }) => title + region.name)).size).toBe(parts.length);
      }
    },
  );

  it('begin with the imbalance, which names the late rank, where the function itself is below the threshold', () => {
    const region = 'CalcKinematicsForElems';
    const which = hiccups.map((own) => ({ ...own, region }));
    const result = analysed(1, which, 0.25);
    expect(result.rows.filter(({ rule }) => rule === 'hot-spot')).toEqual([]);
    expect(sorted(eventsOf(result).map(placeOf))).toEqual(sorted(which.map(placeOfHiccup)));
    for (const { title } of eventsOf(result)) expect(title).toBe('Degradation peak in imbalance');
  });

  it('of one rank in one function are one event with all their iterations', () => {
    const same = hiccups.map(({ iteration }) => ({ iteration, rank: 4, region: 'CalcQForElems' }));
    const result = analysed(1, same);
    expect(eventsOf(result).map(placeOf)).toEqual([
      ['CalcQForElems', '4', hiccups.map(({ iteration }) => [iteration, iteration])],
    ]);
  });

  it('at the same time are one event', () => {
    const [first, second] = hiccups as [Hiccup, Hiccup, ...Hiccup[]];
    const result = analysed(1, [first, { ...second, iteration: first.iteration }]);
    expect(eventsOf(result).map(({ iterations }) => iterations)).toEqual([[[34, 34]]]);
  });
});
