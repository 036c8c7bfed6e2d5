import { KymoError } from '../errors';

/** More values are a mistake. */
const mostValues = 1000;

/**
 * The values of `16:256:*2` (each twice the one before) and `100:500:+100` (each 100 more), with the last one where it is met.
 * @returns undefined for a text that is no range
 * @throws KymoError `usage` for a step that does not lead to the end, and for far too many values
 */
export function valuesOfRange(text: string): readonly number[] | undefined {
  const [, first, last, operator, by] =
    /^(\d+(?:\.\d+)?):(\d+(?:\.\d+)?):([*+])(\d+(?:\.\d+)?)$/.exec(text.trim()) ?? [];
  if (first === undefined) return undefined;
  const [start, end, step] = [Number(first), Number(last), Number(by)];
  const grows = operator === '*' ? start > 0 && step > 1 : step > 0;
  if (!grows || end < start) throw noRange(text, 'its step does not lead from the first value to the last');
  // Sums of decimals are not exact: 0.1:0.3:+0.1 has three values.
  const value = (position: number): number =>
    Number((operator === '*' ? start * step ** position : start + step * position).toPrecision(12));
  const values: number[] = [];
  for (let next = start; next <= end; next = value(values.length)) {
    if (values.length === mostValues) throw noRange(text, `it has more than ${mostValues} values`);
    values.push(next);
  }
  return values;
}

function noRange(text: string, why: string): KymoError {
  return new KymoError(
    'usage',
    `“${text}” cannot be used: ${why}. Ranges are such as 16:256:*2 or 100:500:+100.`,
  );
}
