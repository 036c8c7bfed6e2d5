import { isRecord } from '../present';
import { formatPercent, formatSeconds } from '../format';
import type { Region } from './profile';

/**
 * The part of a run in which a function was recorded, where somebody switched it while the program ran: its numbers are of the visits that began then, and its callers have
 * the time of the others. In seconds since the run began, by the wall clock.
 */
export interface RecordedPart {
  /** When it began to be recorded for the first time. */
  readonly from: number;
  /** When it was left out for the last time; `ofSeconds` if it was recorded until the end. */
  readonly to: number;
  /** Seconds of it in which the function was recorded. */
  readonly seconds: number;
  /** Number of stretches; between them it was left out. */
  readonly stretches: number;
  /** Of the whole run, so far if it is under way. */
  readonly ofSeconds: number;
}

/** Attribute of a region with its `RecordedPart`. */
export const recordedPartAttribute = 'kymo::recordedPart';

/** The value of the attribute: `from to seconds stretches ofSeconds`. */
export function recordedPartText({ from, to, seconds, stretches, ofSeconds }: RecordedPart): string {
  const digits = [from, to, seconds].map((value) => value.toFixed(3));
  return [...digits, stretches, ofSeconds.toFixed(3)].join(' ');
}

/** Undefined: the function was recorded in the whole run. Nor does a text that is none say anything. */
export function recordedPartOf(region: Region | undefined): RecordedPart | undefined {
  const text = region?.attributes?.get(recordedPartAttribute);
  const numbers = text?.split(' ', fields + 1).map(Number) ?? [];
  const [from = 0, to = 0, seconds = 0, stretches = 0, ofSeconds = 0] = numbers;
  const part = { from, to, seconds, stretches, ofSeconds };
  return numbers.length === fields && isRecordedPart(part) ? part : undefined;
}

const fields = 5;

/** Whether what a file says can be one. */
export function isRecordedPart(value: unknown): value is RecordedPart {
  const { from, to, seconds, stretches, ofSeconds } = isRecord(value) ? value : {};
  if (!isNumber(from) || !isNumber(to) || !isNumber(seconds) || !isNumber(stretches)) return false;
  if (!isNumber(ofSeconds)) return false;
  const ascends = 0 <= from && from <= to && to <= ofSeconds && ofSeconds <= Number.MAX_SAFE_INTEGER;
  return ascends && 0 <= seconds && seconds <= to - from + rounding && stretches >= 1;
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number';
}

/** Texts have milliseconds. */
const rounding = 0.0015;

/** `recorded from 12.3 s on, for 41 % of the run` */
export function recordedPartWords(part: RecordedPart): string {
  const share = formatPercent(part.ofSeconds > 0 ? part.seconds / part.ofSeconds : 0);
  return `recorded ${whenWords(part)}, for ${share} of the run`;
}

/** `from 12.3 s on`, `until 5 s`, `from 5 s to 12.3 s`, `in 3 stretches from 5 s on` */
export function whenWords({ from, to, stretches, ofSeconds }: RecordedPart): string {
  const [begin, end] = [formatSeconds(from), formatSeconds(to)];
  const isUntilEnd = to >= ofSeconds - rounding;
  const when =
    from < rounding && stretches === 1
      ? `until ${end}`
      : isUntilEnd
        ? `from ${begin} on`
        : `from ${begin} to ${end}`;
  return stretches === 1 ? when : `in ${stretches} stretches ${when}`;
}
