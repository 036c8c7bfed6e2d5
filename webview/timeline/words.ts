import { counted, formatBytes, formatCount, formatPercent, formatSeconds } from '../../src/core/format';
import { shareOf } from '../../src/core/functions/share';
import type { TimelineHeader, TimelineMessages, TimelineProfile } from '../../src/core/timeline/pieces';
import type { TimelineRange } from '../../src/protocol/timeline';
import type { Message } from './picture/messageLines';
import type { PaintedSpan } from './picture/layers';
import type { TipText } from './picture/tip';
import { momentText, spanText } from './time/axis';
import type { Span } from './time/span';

/** `4 rows over 12.3 s, 26 functions, 120 k events, 1200 messages` */
export function summaryText({ rows, seconds, functions, events, messages }: TimelineHeader): string {
  const parts = [
    `${counted(rows.length, 'row')} over ${formatSeconds(seconds)}`,
    counted(functions.length, 'function'),
    counted(events, 'event'),
    messages === 0 ? 'no messages' : counted(messages, 'message'),
  ];
  return parts.join(', ');
}

/** What is under the pointer. @param resolution seconds that moments are told apart by */
export function spanTip(name: string, row: string, span: PaintedSpan, resolution: number): TipText {
  return { title: name, lines: [row, ...spanFacts(span, resolution)] };
}

/** The same for a screen reader. */
export function spanWords(name: string, span: PaintedSpan, resolution: number): string {
  return [name, ...spanFacts(span, resolution)].join(', ');
}

function spanFacts({ begin, end, share }: PaintedSpan, resolution: number): readonly string[] {
  return [
    `${momentText(begin, resolution)} – ${momentText(end, resolution)}`,
    `${formatSeconds(end - begin)}${share < 0.9995 ? `, ${formatPercent(share)} of it in the function itself` : ''}`,
  ];
}

export function messageTip(message: Message, row: (position: number) => string, resolution: number): TipText {
  const { sender, receiver, sent, received, bytes, tag } = message;
  return {
    title: 'Message',
    lines: [
      `from ${row(sender)} to ${row(receiver)}`,
      `${formatBytes(bytes)}, tag ${tag}`,
      `${momentText(sent, resolution)} – ${momentText(received, resolution)} (${formatSeconds(received - sent)})`,
    ],
  };
}

/** How many messages are shown: `the 500 longest of 120 k`. */
export function messagesText(shown: TimelineMessages | undefined): string {
  if (shown === undefined) return '';
  const count = shown.sender.length;
  if (shown.total === 0) return 'none in sight';
  return count < shown.total
    ? `the ${formatCount(count)} longest of ${formatCount(shown.total)} in sight`
    : `${formatCount(count)} in sight`;
}

/** What a profile is of: `1.2 s – 3.4 s, ranks 0 to 3`. */
export function rangeText(range: TimelineRange, { rows }: TimelineHeader): string {
  const { firstRow, rowCount } = range;
  const name = (position: number): string => rows[position]?.name ?? '';
  if (rowCount >= rows.length && rows.length !== 1)
    return `${spanText(range)}, all ${formatCount(rows.length)} rows`;
  const last = firstRow + rowCount - 1;
  return `${spanText(range)}, ${rowCount === 1 ? name(firstRow) : `${name(firstRow)} to ${name(last)}`}`;
}

/** `132 messages, 1.2 MiB` */
export function messagesOf({ messages: { count, bytes } }: TimelineProfile): string {
  return count === 0 ? '' : `${counted(count, 'message')}, ${formatBytes(bytes)}`;
}

/** The picture in words. */
export function sightWords(
  span: Span,
  rows: string,
  profile: TimelineProfile | undefined,
  name: (position: number) => string,
): string {
  const most = profile?.rows.reduce<TimelineProfile['rows'][number] | undefined>(
    (best, row) => (best === undefined || row.exclusiveSeconds > best.exclusiveSeconds ? row : best),
    undefined,
  );
  const top =
    most === undefined || profile === undefined
      ? ''
      : ` Most of the time of the profile is in ${name(most.function)}: ${formatPercent(shareOf(most.exclusiveSeconds, profile))}.`;
  return `In sight: ${spanText(span)}, ${rows}.${top}`;
}
