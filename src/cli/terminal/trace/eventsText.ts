import type { EventList, ListedEvent } from '../../../workflows/trace/events';
import { printable, shortened } from '../table';
import { notesText } from './notes';

/** A line for each event: seconds, location, kind, fields. */
export function eventsText({ events, hasMore, notes }: EventList): string {
  return [
    ...(events.length === 0 ? ['There are no events in this part of the trace.'] : events.map(lineOf)),
    ...(hasMore ? ['', `These are the first ${events.length} events: --most lists more.`] : []),
    ...notesText(notes),
  ].join('\n');
}

/** Nanoseconds: clocks are hardly finer. */
const decimals = 9;

function lineOf({ seconds, rank, thread, location, kind, fields }: ListedEvent): string {
  const place = rank < 0 ? `location ${location}` : `${rank}:${thread}`;
  const values = fields.map(({ name, value }) => `${shortened(name)}=${shortened(String(value))}`);
  return printable([seconds.toFixed(decimals), place, kind, ...values].join('  '));
}
