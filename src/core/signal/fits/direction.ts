import { atFloat } from '../../at';

/** Rises and peaks are searched in the signal, falls and valleys (-1) in the mirrored signal. */
export type Direction = 1 | -1;

/** A value of the signal as one of the signal in this direction, and the other way round. */
export function towards(value: number, direction: Direction): number {
  return direction === 1 ? value : -value;
}

/** The height of a sample of the signal in this direction. */
export function heightAt(values: Float64Array, place: number, direction: Direction): number {
  return towards(atFloat(values, place), direction);
}
