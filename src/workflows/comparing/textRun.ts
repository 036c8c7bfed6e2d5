import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { at } from '../../core/at';
import { KymoError } from '../../core/errors';
import { readMvtrace, readMvtraceHeader } from '../../formats/mvtrace/read';
import { folderFiles } from '../../measurement/files/archiveFiles';
import { ThreadReading, type OpenedRun, type RunInput } from './threadReading';

/** Opens traces in text form: one, or all of a folder. @throws KymoError `no-trace`, `no-such-process`, `invalid-mvtrace` */
export function openTextRun(input: RunInput): OpenedRun {
  const { given, table, kept } = input;
  const isFolder = statSync(given, { throwIfNoEntry: false })?.isDirectory() === true;
  const folder = isFolder ? given : path.dirname(given);
  const files = folderFiles(folder);
  const reading = new ThreadReading(input);
  try {
    const texts = (isFolder ? mvtracesIn(folder) : [path.basename(given)])
      .map((name) => {
        const source = files.open(name);
        if (source === undefined)
          throw new KymoError('no-trace', `${path.join(folder, name)} is missing.`, { file: given });
        return { source, header: readMvtraceHeader(source) };
      })
      .sort((a, b) => a.header.rank - b.header.rank);
    requireOneRun(texts.map(({ source: { file }, header }) => ({ file, ...header })));
    const { ranks } = at(texts, 0).header;
    const own = {
      thread: 0,
      ranks,
      isFirst: true,
      isPhase: phaseOf(input),
      firstIteration: 1,
      counters: ['instructions'],
    };
    const sources = reading.wanted(texts.map(({ header }) => header.rank)).map((position) => {
      const { source, header } = at(texts, position);
      return kept.source(header.rank, () => {
        try {
          return reading.read({ ...own, rank: header.rank }, (sink) => {
            const { sizeUnit, hasInstructions, notes } = readMvtrace(source, table, () => sink);
            return {
              ...{ sizeUnit, isWithoutCounters: !hasInstructions },
              notes: notes.map((note) => `${source.file}: ${note}`),
            };
          });
        } finally {
          files.close();
        }
      });
    });
    const missing =
      isFolder && texts.length < ranks
        ? [`${given} has traces of ${texts.length} of its ${ranks} processes.`]
        : [];
    return {
      ...{ ranks, sources },
      iterations: () => reading.iterations,
      notes: () => [...missing, ...reading.notes()],
    };
  } finally {
    files.close();
  }
}

export function mvtracesIn(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((file) => /\.mvtrace$/i.test(file))
    .sort();
}

/** Contexts of traces in text form are known once they are met. */
function phaseOf({ phase, table }: RunInput): ((key: number) => boolean) | undefined {
  if (phase === undefined) return undefined;
  const known: (boolean | undefined)[] = [];
  return (number) =>
    (known[number] ??= ((): boolean => {
      const key = at(table.keys, number);
      return (
        key.kind === 'context' && (key.name === phase || `${key.name}:${key.place.line ?? ''}` === phase)
      );
    })());
}

function requireOneRun(
  traces: readonly { readonly file: string; readonly rank: number; readonly ranks: number }[],
): void {
  traces.forEach(({ file, rank, ranks }, position) => {
    const before = traces[position - 1];
    if (before === undefined) return;
    if (before.rank === rank)
      throw new KymoError('invalid-mvtrace', `${before.file} and ${file} are both of rank ${rank}.`, {
        file,
      });
    if (before.ranks !== ranks)
      throw new KymoError(
        'invalid-mvtrace',
        `${before.file} is of ${before.ranks} processes and ${file} of ${ranks}: these are two runs.`,
        { file },
      );
  });
}
