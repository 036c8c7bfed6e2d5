import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { KymoError } from '../../core/errors';
import type { ProgressSink } from '../../core/progress';
import { eachRange, type ProcessRanges } from '../../core/views/ranks/processRanges';
import type { Location } from '../../formats/otf2/definitions/model';
import { openOtf2, type Otf2Archive } from '../../formats/otf2/open';
import { isRound } from '../../measurement/experiments/studies';
import { explainFileError } from '../../measurement/files/explainFileError';
import { folderFiles } from '../../measurement/files/archiveFiles';
import { turn } from '../running/turn';

const anchorName = 'traces.otf2';

/** Which part of a trace. */
export interface TracePart {
  /** Ranks; default: all locations. */
  readonly ranks?: ProcessRanges;
  /** Seconds since the beginning of the trace. */
  readonly from?: number;
  readonly to?: number;
}

export interface TraceContext {
  readonly signal?: AbortSignal;
  readonly progress?: ProgressSink;
}

export interface OpenedTrace {
  /** The anchor file. */
  readonly file: string;
  readonly archive: Otf2Archive;
  /** The chosen locations. */
  readonly locations: readonly Location[];
}

/**
 * Opens a trace for the time of an action.
 * @param given `traces.otf2`, or its folder
 * @throws KymoError of `anchorOf` and `openOtf2`, `no-such-rank`, and `file-unusable`
 */
export async function withTrace<T>(
  given: string,
  ranks: ProcessRanges | undefined,
  action: (trace: OpenedTrace) => Promise<T>,
): Promise<T> {
  const file = anchorOf(given);
  const files = folderFiles(path.dirname(file));
  try {
    const archive = openOtf2(files, path.basename(file));
    return await action({ file, archive, locations: chosen(archive, file, ranks) });
  } finally {
    files.close();
  }
}

/**
 * The anchor file that is meant.
 * @param given `traces.otf2`, its folder, or that of the round or study of a run
 * @throws KymoError `missing-otf2-file`, `not-otf2` for another file of an archive
 */
export function anchorOf(given: string): string {
  const isFolder = statSync(given, { throwIfNoEntry: false })?.isDirectory() === true;
  if (isFolder) return anchorIn(given);
  const anchor = [given.replace(/\.(def|marker)$/i, ''), path.dirname(given)]
    .map((name) => `${name}.otf2`)
    .find((file) => existsSync(file));
  if (!/\.(def|evt|marker|snap)$/i.test(given) || anchor === undefined) return existing(given);
  throw new KymoError('not-otf2', `${given} is a part of an OTF2 archive. Give its anchor file: ${anchor}`, {
    file: given,
  });
}

/** That of the folder itself; of a study or round, that of the first run of the last round that has one. */
function anchorIn(folder: string): string {
  const own = path.join(folder, anchorName);
  if (existsSync(own)) return own;
  const numberOf = (round: string): number => Number(path.basename(round).slice(1));
  const rounds = foldersOf(folder).filter((inner) => isRound(path.basename(inner)));
  const found = [folder, ...rounds.sort((a, b) => numberOf(b) - numberOf(a))]
    .flatMap((round) => foldersOf(round).sort())
    .map((run) => path.join(run, anchorName))
    .find((file) => existsSync(file));
  if (found !== undefined) return found;
  throw new KymoError(
    'missing-otf2-file',
    `“${folder}” has no trace: give a ${anchorName}, or the folder of an experiment, a round or a study that recorded one (kymo measure --trace).`,
    { file: folder },
  );
}

function foldersOf(folder: string): string[] {
  const entries = explainFileError(folder, 'read', () => readdirSync(folder, { withFileTypes: true }));
  return entries.flatMap((entry) => (entry.isDirectory() ? path.join(folder, entry.name) : []));
}

function existing(file: string): string {
  if (existsSync(file)) return file;
  throw new KymoError('missing-otf2-file', `“${file}” cannot be read: there is no such file or folder.`, {
    file,
  });
}

function chosen(archive: Otf2Archive, file: string, ranks: ProcessRanges | undefined): readonly Location[] {
  const { locations } = archive.definitions;
  if (ranks === undefined) return locations;
  const isChosen = rankFilter(ranks);
  const own = locations.filter(({ rank }) => isChosen(rank));
  if (own.length > 0) return own;
  const last = locations.reduce((most, { rank }) => Math.max(most, rank), -1);
  throw new KymoError(
    'no-such-rank',
    last < 0
      ? `${file} has no ranks: leave out --ranks.`
      : `${file} has no location of these ranks. Its ranks are 0 to ${last}.`,
    { file },
  );
}

export function rankFilter(ranks: ProcessRanges): (rank: number) => boolean {
  return (rank) => {
    for (const [first, last] of eachRange(ranks)) if (rank >= first && rank <= last) return true;
    return false;
  };
}

/** Events from which on it is reported how far reading is, and how often. */
const longEvents = 5_000_000;
const steps = 20;

/** Reports progress, and lets a cancellation through between two pieces of long work. */
export class Reading {
  readonly #announced: number;
  #done = 0;
  #step = 0;

  constructor(
    private readonly message: string,
    locations: readonly Location[],
    private readonly context: TraceContext,
  ) {
    this.#announced = locations.reduce((sum, { events }) => sum + events, 0);
  }

  /** @throws if the work is cancelled */
  async passed(events: number): Promise<void> {
    this.#done += events;
    const fraction = Math.min(1, this.#done / this.#announced);
    const step = Math.floor(fraction * steps);
    if (this.#announced >= longEvents && step > this.#step) {
      this.#step = step;
      this.context.progress?.report({ message: this.message, fraction });
    }
    await turn(this.context);
  }
}
