import { visibleControls } from '../../src/core/names/visibleControls';
import { shownNames } from '../../src/core/names/shownNames';
import type { TimelineFunction, TimelineHeader } from '../../src/core/timeline/pieces';
import type { TimelineEvents, TimelineRequests } from '../../src/protocol/timeline';
import type { Channel } from '../ui/page/channel';
import { colorGroup } from './picture/colors';

export type TimelineChannel = Channel<TimelineRequests, TimelineEvents>;

/** Long ranges of large traces are read from disk. */
export const patienceMilliseconds = 10 * 60_000;

/** Escapes invisible and bidirectional characters in names, which come from files. */
export function visibleHeader(header: TimelineHeader): TimelineHeader {
  return {
    ...header,
    rows: header.rows.map((row) => ({ ...row, name: visibleControls(row.name) })),
    functions: header.functions.map((one) => ({
      ...one,
      name: visibleControls(one.name),
      paradigm: visibleControls(one.paradigm),
    })),
    notes: header.notes.map(visibleControls),
  };
}

/** Names of functions where there is little room: without result and parameters, as far as they are told from each other so. */
export function briefNames(functions: readonly TimelineFunction[]): readonly string[] {
  return shownNames(
    functions.map(({ name, paradigm }) => ({
      name,
      paradigm: colorGroup(paradigm) === 'user' ? 'compiler' : paradigm,
    })),
  );
}
