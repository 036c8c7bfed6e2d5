import path from 'node:path';
import { Otf2Calls } from '../../formats/otf2/callTraces';
import { losesBegin, recordedIterations } from '../../formats/otf2/completeness';
import { openOtf2, type Otf2Archive } from '../../formats/otf2/open';
import type { NoteReason } from '../../formats/otf2/problems/notes';
import { at } from '../../core/at';
import { folderFiles } from '../../measurement/files/archiveFiles';
import { anchorOf } from '../trace/openTrace';
import { counted, ThreadReading, type OpenedRun, type RunInput } from './threadReading';

/** Notes on traces that lack events. */
const losses: readonly NoteReason[] = ['truncated', 'damaged', 'missing-events', 'count'];

/** Opens an OTF2 archive. Its files are open while it is read only. @throws KymoError `no-such-process`, `no-iterations`, and those of the format */
export function openOtf2Run(input: RunInput): OpenedRun {
  const { given, part, phase, table, kept } = input;
  const file = anchorOf(given);
  const files = folderFiles(path.dirname(file));
  const reading = new ThreadReading(input);
  try {
    const archive = openOtf2(files, path.basename(file));
    const calls = new Otf2Calls(archive, table);
    const ranks = calls.processes.length;
    const wanted = reading.wanted(calls.processes.map(({ rank }) => rank));
    const phases = new Set(calls.phases(phase));
    if (phase !== undefined && phases.size === 0) throw reading.noPhase();
    const isPhase = phases.size === 0 ? undefined : (key: number) => phases.has(key);
    const marked = new Set(calls.phases(undefined));
    const isMarked = [...phases].every((key) => marked.has(key));
    const firstIteration = isMarked ? (recordedIterations(archive.anchor)?.first ?? 1) : 1;
    const threads = wanted.flatMap((position) => {
      const { rank, threads } = at(calls.processes, position);
      return threads.map((location, number) => ({ rank, location, number }));
    });
    // Iterations are those of the first thread: others have no marks of them.
    const compared = part.iterations === undefined ? threads : threads.filter(({ number }) => number === 0);
    const sources = compared.map(({ rank, location, number }) =>
      kept.source(rank, () => {
        const own = { rank, thread: location.thread, ranks, isPhase, firstIteration };
        try {
          return reading.read({ ...own, isFirst: number === 0, counters: calls.counters }, (sink) => ({
            ...calls.read(location, sink),
            sizeUnit: 'bytes',
          }));
        } finally {
          files.close();
        }
      }),
    );
    const others = counted(
      threads.length - compared.length,
      `${given}: of iterations, only the first thread of each process is compared; other threads`,
    );
    const notes = (): readonly string[] => [
      ...lostBegin(file, archive, input),
      ...reading.notes(),
      ...others,
      ...faultNotes(given, archive),
    ];
    return { ranks, sources, iterations: () => reading.iterations, notes };
  } finally {
    files.close();
  }
}

function lostBegin(file: string, { anchor }: Otf2Archive, { part }: RunInput): readonly string[] {
  if (part.iterations === undefined || !losesBegin(anchor)) return [];
  return [
    `${file} has lost the events of its begin: its iterations are counted from the first one that it has, in each process.`,
  ];
}

function faultNotes(given: string, archive: Otf2Archive): readonly string[] {
  const faults = archive.notes();
  return [
    ...faults.map(({ message }) => message),
    ...(faults.some(({ reason }) => losses.includes(reason))
      ? [`What ${given} lacks is among the differences: they are not all of the program.`]
      : []),
  ];
}
