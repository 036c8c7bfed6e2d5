import type { Base } from './base';

declare const shareBrand: unique symbol;

/** A part (0…1) of a base. Only made here, so that every share has an explicit base. */
export type Share = number & { readonly [shareBrand]: true };

/** 0 of a base that is nothing. */
export function shareOf(seconds: number, { seconds: whole }: Pick<Base, 'seconds'>): Share {
  const share = whole > 0 ? seconds / whole : 0;
  // Sums of many small values differ in their last digits from the sum of all; and a slow run can have taken longer than the whole of a quick one.
  return Math.min(1, Math.max(0, share)) as Share;
}
