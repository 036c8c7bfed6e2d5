import { formatPercent, formatValueUpTo } from '../../../src/core/format';
import type { ValueMode } from '../../../src/core/views/valueModes';

/** The text of a value or, in modes that compare, of its share. `largest` is the largest value beside it, which decides the unit of times. */
export function shownValue(
  value: number,
  share: number | undefined,
  { mode, unit, largest }: { readonly mode: ValueMode; readonly unit: string; readonly largest: number },
): string {
  if (mode === 'absolute') return formatValueUpTo(value, unit, largest);
  return share === undefined ? '–' : formatPercent(share);
}
