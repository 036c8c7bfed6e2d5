import { InvalidArgumentError } from 'commander';
import { isKymoError } from '../../core/errors';
import type { ProcessRanges } from '../../core/views/ranks/processRanges';
import { valuesOfRange } from '../../core/study/range';
import { plainText } from '../../measurement/config/configurations';

/** Parses option values for several commands; errors count as wrong usage. */
export function positiveInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1)
    throw new InvalidArgumentError('It must be a whole number, 1 or more.');
  return value;
}

/** `2,4,8`, `1:16:*2` */
export function positiveIntegers(text: string): readonly number[] {
  return listItems(text).map(positiveInteger);
}

/** `2,4,8`, with ranges such as `1:16:*2` written out. */
export function listItems(text: string): readonly string[] {
  try {
    return text.split(',').flatMap((item) => valuesOfRange(item)?.map(plainText) ?? [item.trim()]);
  } catch (error) {
    throw isKymoError(error) ? new InvalidArgumentError(error.message) : error;
  }
}

export function wholeNumber(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isSafeInteger(value) || value < 0)
    throw new InvalidArgumentError('It must be a whole number, 0 or more.');
  return value;
}

export function nonNegative(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value < 0)
    throw new InvalidArgumentError('It must be a number from 0 on.');
  return value;
}

export function positiveSeconds(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value > 0 && value < Infinity))
    throw new InvalidArgumentError('It must be a number above 0.');
  return value;
}

/** Commander's parser of a share. */
export function share(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && value >= 0 && value <= 1) return value;
  throw new InvalidArgumentError('Give a number from 0 to 1.');
}

/** Commander's parser of ranks: `0-3,7`. */
export function rankRanges(text: string): ProcessRanges {
  return text.split(',').flatMap((part) => {
    const [, first = '', last = first] = /^\s*(\d{1,15})\s*(?:[-–]\s*(\d{1,15})\s*)?$/.exec(part) ?? [];
    if (first === '' || Number(last) < Number(first))
      throw new InvalidArgumentError('Give ranks such as 0-3,7.');
    return [Number(first), Number(last)];
  });
}

/** Adds the value of a repeatable `name=value` option. */
export function assignment(
  text: string,
  before: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const separator = text.indexOf('=');
  if (separator < 1) throw new InvalidArgumentError('It must be name=value.');
  return { ...before, [text.slice(0, separator)]: text.slice(separator + 1) };
}
