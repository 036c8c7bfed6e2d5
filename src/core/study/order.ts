import { at } from '../at';
import { randomNumbers } from '../randomNumbers';
import { coordinateValue, type StudyCoordinates } from './points';

export interface PlannedRun {
  /** Position of the point. */
  readonly point: number;
  /** From 1. */
  readonly repetition: number;
}

/**
 * The order of a study's runs: repetition by repetition over all points, each time in another random order. Noise that changes slowly then
 * spreads over all points instead of looking like growth. The points that `firstPoints` names begin the first repetition.
 * @param seed whole number; the same one gives the same order
 */
export function interleavedRuns(
  points: number,
  repetitions: number,
  seed: number,
  first: readonly number[] = [],
): readonly PlannedRun[] {
  const all = Array.from({ length: points }, (_, point) => point);
  const runs: PlannedRun[] = [];
  for (let repetition = 1; repetition <= repetitions; repetition++) {
    const shuffled = shuffle(all, randomNumbers(seed + 0x9e3779b9 * repetition));
    const order =
      repetition === 1 ? [...first, ...shuffled.filter((point) => !first.includes(point))] : shuffled;
    for (const point of order) runs.push({ point, repetition });
  }
  return runs;
}

/**
 * The cheap points that show how the time of a run grows: where all parameters have their smallest value, and then where one of them has its
 * second smallest. Only points that are among the given ones; texts count by their place.
 */
export function firstPoints(points: readonly StudyCoordinates[]): readonly number[] {
  const names = Object.keys(points[0] ?? {});
  const ranksOf = new Map(
    names.map((name) => {
      const values = [...new Set(points.map((point) => point[name] ?? ''))];
      const isNumeric = values.every((value) => !Number.isNaN(coordinateValue(value)));
      if (isNumeric) values.sort((a, b) => coordinateValue(a) - coordinateValue(b));
      return [name, new Map(values.map((value, rank) => [value, rank]))] as const;
    }),
  );
  const steps = (point: StudyCoordinates): number =>
    names.reduce((sum, name) => sum + (ranksOf.get(name)?.get(point[name] ?? '') ?? 0), 0);
  return points
    .map((point, position) => ({ position, steps: steps(point) }))
    .filter((candidate) => candidate.steps <= 1)
    .sort((a, b) => a.steps - b.steps)
    .map(({ position }) => position);
}

/** Fisher and Yates. */
function shuffle(values: readonly number[], random: () => number): readonly number[] {
  const shuffled = [...values];
  for (let last = shuffled.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    const value = at(shuffled, last);
    shuffled[last] = at(shuffled, other);
    shuffled[other] = value;
  }
  return shuffled;
}
