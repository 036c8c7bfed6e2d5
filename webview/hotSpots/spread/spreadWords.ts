import { capitalised, processNamer, processNoun } from '../../../src/core/groups/words';
import type { ProfileHeader } from '../../../src/core/views/profilePieces';
import { rangeOfPart, type RowSpread, type SpreadPart } from '../../../src/core/views/ranks/rowSpread';

type Format = (value: number) => string;

const names = [
  ['p2', '2nd percentile'],
  ['lower', 'lower quartile'],
  ['median', 'median'],
  ['upper', 'upper quartile'],
  ['p98', '98th percentile'],
] as const;

const parts: Readonly<Record<SpreadPart, string>> = {
  below: 'below the 2nd percentile',
  lowerWhisker: 'between 2nd percentile and lower quartile',
  lowerBox: 'between lower quartile and median',
  upperBox: 'between median and upper quartile',
  upperWhisker: 'between upper quartile and 98th percentile',
  above: 'above the 98th percentile',
  upperHalf: 'above the median',
};

export function partText(part: SpreadPart): string {
  return parts[part];
}

/** What the locations of a profile are called. */
export function nounOf({ locations }: Pick<ProfileHeader, 'locations'>): string {
  return processNoun(locations) === 'rank' ? 'processes' : 'threads';
}

/** The five numbers in words, for screen readers. */
export function spreadText(spread: RowSpread, format: Format): string {
  return names.map(([name, text]) => `${text} ${format(spread[name])}`).join(', ');
}

/** The five numbers in a cell of a spreadsheet. */
export function spreadNumbers(spread: RowSpread, format: Format): string {
  return names.map(([name]) => format(spread[name])).join(' / ');
}

/** The same with their names, for people. */
export function spreadLine({ p2, lower, median, upper, p98, mean }: RowSpread, format: Format): string {
  return `P2 ${format(p2)} · P25 ${format(lower)} · median ${format(median)} · P75 ${format(upper)} · P98 ${format(p98)} · mean ${format(mean)}`;
}

/** `Between median and upper quartile: 1.2 s to 1.4 s` */
export function rangeText(spread: RowSpread, part: SpreadPart, format: Format): string {
  const [low, high] = rangeOfPart(spread, part).map(format);
  const title = capitalised(partText(part));
  return low === high ? `${title}: ${low}` : `${title}: ${low} to ${high}`;
}

/** `26 of 100 processes: ranks 50, 63–87` */
export function processesText(
  header: Pick<ProfileHeader, 'locations'>,
  positions: readonly number[],
): string {
  const { locations } = header;
  const count = `${positions.length} of ${locations.length} ${nounOf(header)}`;
  return positions.length === 0 ? count : `${count}: ${processNamer(locations)(positions).text}`;
}
