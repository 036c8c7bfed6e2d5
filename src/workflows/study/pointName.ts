import type { StudyCoordinates } from '../../core/study/points';

/** `p = 4, n = 100` */
export function pointName(coordinates: StudyCoordinates): string {
  return Object.entries(coordinates)
    .map(([name, value]) => `${name} = ${value}`)
    .join(', ');
}
