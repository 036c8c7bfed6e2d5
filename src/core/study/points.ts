import { at } from '../at';

/** A parameter of a study with its values as the program gets them, each once. */
export interface StudyAxis {
  readonly name: string;
  readonly values: readonly string[];
}

/**
 * `all`: all combinations; `one-at-a-time`: one parameter changes while the others have their smallest value; `linear`: the first values of
 * all parameters, then the second ones and so on; `list`: the points are given.
 */
export const studyDesigns = ['all', 'one-at-a-time', 'linear', 'list'] as const;
export type StudyDesign = (typeof studyDesigns)[number];

/** A value of each axis, by name. */
export type StudyCoordinates = Readonly<Record<string, string>>;

/**
 * The points of a design, each once; the last axis changes fastest.
 * @param axes for `linear` with one value or as many as the longest one
 */
export function designedPoints(
  axes: readonly StudyAxis[],
  design: Exclude<StudyDesign, 'list'>,
): readonly StudyCoordinates[] {
  const combine = (of: readonly StudyAxis[]): readonly StudyCoordinates[] =>
    of.reduce<readonly StudyCoordinates[]>(
      (points, { name, values }) =>
        points.flatMap((point) => values.map((value) => ({ ...point, [name]: value }))),
      [{}],
    );
  if (design === 'all') return combine(axes);
  if (design === 'linear') {
    const length = Math.max(...axes.map(({ values }) => values.length));
    const row = (position: number): StudyCoordinates =>
      Object.fromEntries(
        axes.map(({ name, values }) => [name, at(values, values.length === 1 ? 0 : position)]),
      );
    return distinctPoints(Array.from({ length }, (_, position) => row(position)));
  }
  const smallest = Object.fromEntries(axes.map(({ name, values }) => [name, smallestValue(values)]));
  const changed = axes.flatMap(({ name, values }) => values.map((value) => ({ ...smallest, [name]: value })));
  return distinctPoints(changed);
}

/** Points without those that an earlier one equals. */
export function distinctPoints(points: readonly StudyCoordinates[]): readonly StudyCoordinates[] {
  return [...new Map(points.map((point) => [coordinatesKey(point), point])).values()];
}

/** The same for the same values, whatever the order of the axes. */
export function coordinatesKey(point: StudyCoordinates): string {
  return JSON.stringify(Object.entries(point).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** A value as a number; NaN for other texts. */
export function coordinateValue(text: string): number {
  const value = text.trim() === '' ? NaN : Number(text);
  return Number.isFinite(value) ? value : NaN;
}

/** The smallest number; the first value where some are no numbers. */
function smallestValue(values: readonly string[]): string {
  const ascending = [...values].sort((a, b) => coordinateValue(a) - coordinateValue(b));
  return values.every((value) => !Number.isNaN(coordinateValue(value))) ? at(ascending, 0) : at(values, 0);
}
