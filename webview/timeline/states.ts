import type { TimelineHeader } from '../../src/core/timeline/pieces';
import type { TimelineRange, TimelineShown } from '../../src/protocol/timeline';
import type { Message } from '../ui/page/messageArea';
import { wholeSpan } from './time/span';

/** What stands in place of the picture while a trace is read, or when it cannot be. */
export function messageOf(
  shown: TimelineShown & { readonly kind: 'making' | 'cancelled' | 'empty' },
  make: () => void,
): Message {
  if (shown.kind === 'making') return { kind: 'loading', text: 'Reading the trace' };
  const text = shown.kind === 'empty' ? shown.message : 'Reading the trace was cancelled.';
  return { kind: 'empty', text, action: { label: 'Read the Trace Again', run: make } };
}

/** What stands in place of a picture of nothing. */
export function emptyMessage({ rows, events }: TimelineHeader, make: () => void): Message | undefined {
  if (rows.length > 0 && events > 0) return undefined;
  const text = 'Nothing was recorded in this trace.';
  return { kind: 'empty', text, action: { label: 'Read the Trace Again', run: make } };
}

/** Whether a range that was kept is one of this trace. */
export function isInside(
  { firstRow, rowCount, to }: TimelineRange,
  { rows, seconds }: TimelineHeader,
): boolean {
  return rowCount > 0 && firstRow + rowCount <= rows.length && to <= wholeSpan(seconds).to;
}
