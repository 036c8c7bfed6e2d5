import { foldTemplates } from '../../../src/core/names/foldTemplates';
import { unqualifiedName } from '../../../src/core/names/unqualifiedName';
import { formatCount, formatPercent, formatSeconds } from '../../../src/core/format';
import { chanceSentence } from '../../../src/core/properties/chance';
import type { Letter, Pattern } from '../../../src/core/signal/signal';
import type { SeriesRow } from '../../../src/core/views/dynamicsPieces';
import { kindRecord, type PropertyKind } from '../../../src/core/properties/kinds';

/** The label of a kind; an unknown kind is its own label. */
export function kindName(kind: PropertyKind): string {
  return kindRecord(kind).label;
}

/** A name per kind of pattern: colour is never the only difference. */
export function patternName({ type, improvement }: Pattern): string {
  if (improvement !== true) return type;
  return { peak: 'valley', trend: 'fall', step: 'step down' }[type];
}

/** `trend 47–160, begins 46–48 (95 %), costs 12.4 s ± 0.8 s. In 1 of 2000 series …`; where only the place is known, that. */
export function patternSentence(pattern: Pattern, unit: string): string {
  const { from, to, onset, excess, aftermath, costDeviation, chance } = pattern;
  const place = `${patternName(pattern)} ${spanText(from, to)}`;
  if (chance === undefined) return place;
  const begin = onset === undefined ? [] : [`begins ${spanText(...onset)} (95 %)`];
  const cost = valueText(excess + aftermath, unit);
  const deviation = costDeviation === undefined ? '' : ` ± ${valueText(costDeviation, unit)}`;
  return `${[place, ...begin, `costs ${cost}${deviation}`].join(', ')}. ${chanceSentence(chance)}`;
}

const letterNames: Readonly<Record<Letter, string>> = {
  A: 'rises and slows down',
  B: 'falls faster and faster',
  C: 'falls and slows down',
  D: 'rises faster and faster',
  E: 'rises steadily',
  F: 'falls steadily',
  G: 'is flat',
};

/** The meaning of an episode's letter. */
export function letterName(letter: Letter): string {
  return letterNames[letter];
}

/** The direction of an episode. */
export function direction(letter: Letter): 'up' | 'down' | 'flat' {
  if (letter === 'G') return 'flat';
  return letter === 'A' || letter === 'D' || letter === 'E' ? 'up' : 'down';
}

/** A value in the unit of the analysis. */
export function valueText(value: number | undefined, unit: string): string {
  if (value === undefined || !Number.isFinite(value)) return 'not measured';
  if (unit === 's' || unit === 'sec') return formatSeconds(value);
  const short = Math.abs(value) < 1000 ? String(Number(value.toPrecision(4))) : formatCount(value);
  return unit === '' ? short : `${short} ${unit}`;
}

/** A number for a file; empty if nothing was measured. */
export function numberCell(value: number | undefined): number | '' {
  return value !== undefined && Number.isFinite(value) ? value : '';
}

/** `12` or `12–25`, from 1. */
export function spanText(first: number, last: number): string {
  return first === last ? String(first + 1) : `${first + 1}–${last + 1}`;
}

/** Longer names are shown without scope and parameters; the tooltip has the full name. */
const longName = 40;

/** The name of a region for narrow places. */
export function shortRegion(name: string): string {
  return name.length > longName ? unqualifiedName(foldTemplates(name)) : name;
}

/** Title of a series: `MPI_Wait · communication · rank 4`. */
export function seriesTitle({ region, problem, metric, rank, thread }: SeriesRow): string {
  return [
    shortRegion(region),
    problem === undefined ? metric : kindName(problem).toLowerCase(),
    placeText(rank, thread),
  ].join(' · ');
}

export function placeText(rank: number, thread: number): string {
  return thread > 0 ? `rank ${rank}, thread ${thread}` : `rank ${rank}`;
}

export function share(value: number | undefined): string {
  return value === undefined ? '–' : formatPercent(value);
}
