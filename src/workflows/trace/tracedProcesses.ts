import path from 'node:path';
import { KymoError } from '../../core/errors';
import type { AttributeOptions } from '../../core/groups/attributes/artificial';
import { eventContext, type EventProblems } from '../../core/groups/attributes/eventContext';
import type { Process, ProcessContext } from '../../core/groups/context';
import { callEvents } from '../../formats/otf2/callEvents';
import type { Location } from '../../formats/otf2/definitions/model';
import { openOtf2, type Otf2Archive } from '../../formats/otf2/open';
import { folderFiles } from '../../measurement/files/archiveFiles';
import { anchorOf } from './openTrace';

/** What the processes and threads of a trace called. */
export interface TracedProcesses {
  readonly context: ProcessContext;
  /** Sentences: what of the trace is missing or does not match. */
  readonly notes: readonly string[];
}

/**
 * Reads the calls of an OTF2 archive; memory is for the definitions, and the call stack and the set of pairs of each location.
 * @param given `traces.otf2`
 * @throws KymoError of `anchorOf`, `openOtf2`, `file-unusable`, and `no-events`
 */
export function tracedProcesses(given: string, options: AttributeOptions): TracedProcesses {
  const anchorFile = anchorOf(given);
  const files = folderFiles(path.dirname(anchorFile));
  try {
    const archive = openOtf2(files, path.basename(anchorFile));
    const byId = new Map(archive.definitions.locations.map((location) => [String(location.id), location]));
    const describe = (id: string): Partial<Process> => describedLocation(byId.get(id));
    const { context, problems } = eventContext(callEvents(archive), { ...options, describe });
    if (context.processes.length === 0) throw noEvents(anchorFile, archive);
    return { context, notes: [...archive.notes().map(({ message }) => message), ...sentences(problems)] };
  } finally {
    files.close();
  }
}

function noEvents(file: string, archive: Otf2Archive): KymoError {
  const reasons = archive.notes().map(({ message }) => message);
  return new KymoError(
    'no-events',
    [`${file} has no calls that can be read: there is nothing to group.`, ...reasons.slice(0, 3)].join(' '),
    { file },
  );
}

/** Numbers of accelerators' streams are not those of threads: a stream has its name instead. */
function describedLocation(location: Location | undefined): Partial<Process> {
  if (location === undefined) return {};
  const { name, type, group, rank, thread } = location;
  if (type === 'CPU_THREAD') return { name, rank, thread };
  return { name: `${group?.name ?? ''} ${name}`.trim(), rank: -1, thread };
}

function sentences({ unmatchedLeaves, missingLeaves }: EventProblems): readonly string[] {
  return [
    ...(unmatchedLeaves > 0
      ? [`Leaves of functions that were not entered in the trace are ignored: ${unmatchedLeaves}.`]
      : []),
    ...(missingLeaves > 0
      ? [`Calls whose end is not in the trace end with their callers: ${missingLeaves}.`]
      : []),
  ];
}
