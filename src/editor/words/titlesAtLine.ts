import { severityOf } from '../../core/properties/property';
import type { FoundProperty } from '../../workflows/dynamicsInSource';
import { changedText } from './lensText';
import { dynamicsLensTitle } from './dynamicsText';
import type { PropertiesAtLine } from '../state/dynamics/placedProperties';

/** What is said of a degradation at the line of its region. */
export interface TitleAtLine {
  readonly property: FoundProperty;
  readonly title: string;
}

/**
 * Words for the degradations of one line that are as severe as `threshold` (share of the phase time) or more; at most `most` of them, and
 * the last one says how many more there are.
 */
export function titlesAtLine(
  { stale, properties }: PropertiesAtLine,
  threshold: number,
  most: number,
): readonly TitleAtLine[] {
  const shown = properties.filter((property) => severityOf(property) >= threshold);
  const more = shown.length - most;
  return shown.slice(0, most).map((property, at) => ({
    property,
    title: [
      dynamicsLensTitle(property),
      ...(stale ? [changedText] : []),
      ...(at === most - 1 && more > 0 ? [`and ${more} more`] : []),
    ].join(' · '),
  }));
}
