import type { Region } from '../profile/profile';
import type { Property } from './property';

/** Where a region is defined, as properties show it. */
export function placeOf(region: Region): NonNullable<Property['region']> {
  return {
    name: region.name,
    ...(region.file === undefined ? {} : { file: region.file }),
    ...(region.firstLine === undefined || region.firstLine <= 0 ? {} : { line: region.firstLine }),
  };
}

/** Between 0 and 1, also when the whole is nothing. */
export function shareOf(part: number, whole: number): number {
  return whole > 0 ? Math.min(1, Math.max(0, part / whole)) : 0;
}
