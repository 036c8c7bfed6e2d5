import { isRecord } from '../../core/present';
import { OverlayError } from '../packets/overlayError';

/** Reads a value that another process sent; throws `malformed` when it has another shape. */
export type Shape<Value> = (value: unknown, name: string) => Value;
type Read<Shaped> = Shaped extends Shape<infer Value> ? Value : never;

/** Lists are bounded, so that no message makes a process work for long. */
const longestList = 2 ** 20;

export const count: Shape<number> = (value, name) => {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
    throw wrong(name, 'is no whole number from 0');
  return value;
};

export const amount: Shape<number> = (value, name) => {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw wrong(name, 'is no number');
  return value;
};

export function text(longest: number): Shape<string> {
  return (value, name) => {
    if (typeof value !== 'string' || value.length > longest)
      throw wrong(name, `is no text of up to ${longest} characters`);
    return value;
  };
}

export function oneOf<const Word extends string>(...words: readonly Word[]): Shape<Word> {
  return (value, name) => {
    const word = words.find((known) => known === value);
    if (word === undefined) throw wrong(name, `is none of ${words.join(', ')}`);
    return word;
  };
}

export function list<Element>(element: Shape<Element>): Shape<readonly Element[]> {
  return (value, name) => {
    if (!Array.isArray(value) || value.length > longestList) throw wrong(name, 'is no list');
    return value.map((one) => element(one, name));
  };
}

export function pair<First, Second>(
  first: Shape<First>,
  second: Shape<Second>,
): Shape<readonly [First, Second]> {
  return (value, name) => {
    if (!Array.isArray(value) || value.length !== 2) throw wrong(name, 'is no pair');
    return [first(value[0], name), second(value[1], name)];
  };
}

/** Further fields are left out: a newer process may send more. */
export function record<const Fields extends Readonly<Record<string, Shape<unknown>>>>(
  fields: Fields,
): Shape<{ readonly [Name in keyof Fields]: Read<Fields[Name]> }> {
  const entries = Object.entries(fields);
  return (value, name) => {
    if (!isRecord(value)) throw wrong(name, 'is no object');
    return Object.fromEntries(
      entries.map(([field, shape]) => [field, shape(value[field], `${name}.${field}`)]),
    ) as { readonly [Name in keyof Fields]: Read<Fields[Name]> };
  };
}

function wrong(name: string, what: string): OverlayError {
  return new OverlayError('malformed', `A control message is not as agreed: ${name.slice(0, 80)} ${what}.`);
}
