import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { LineHashes } from '../../core/lines/lineHashes';
import { differences, packHunks } from '../../core/lines/lineHunks';
import { mapSourcePath, type SourcePathRule } from '../../core/lines/sourcePaths';
import { movedSource, type RecordedSource } from '../../core/lines/movedSource';
import { hashFile, measuredLines, recordedFiles } from '../studies/sources';
import { readRegularFile } from '../../measurement/files/regularFile';
import { turn, type Cancellable } from '../running/turn';

/** The data that an editor needs to follow the lines of a file: see `LineMap`. */
export interface LineMapParts {
  /** Undefined if the study stored no lines. */
  readonly measured?: LineHashes;
  /** Number of lines of the read file. */
  readonly current?: LineHashes;
  /** From the measured text to the current one, packed. */
  readonly hunks: Uint32Array;
}

/** Maps the measured text of a study to given lines. @param file path in the study, or on this machine by a rule */
export async function mapLines(
  studyDirectory: string,
  file: string,
  current: LineHashes,
  sourcePaths: readonly SourcePathRule[] = [],
  context: Cancellable = {},
): Promise<LineMapParts> {
  const measured =
    (await measuredLines(studyDirectory, file)) ?? (await mappedLines(studyDirectory, file, sourcePaths));
  await turn(context);
  return measured === undefined
    ? { hunks: packHunks([]) }
    : { measured, hunks: packHunks(differences(measured, current)) };
}

async function mappedLines(
  studyDirectory: string,
  file: string,
  sourcePaths: readonly SourcePathRule[],
): Promise<LineHashes | undefined> {
  const recorded = await recordedFiles(studyDirectory);
  const name = recorded.find((source) => mapSourcePath(source, sourcePaths) === file);
  return name === undefined ? undefined : measuredLines(studyDirectory, name);
}

/** Maps the measured text to a file on disk; undefined for unreadable and too large files. */
export async function mapFile(
  studyDirectory: string,
  file: string,
  today: string,
  sourcePaths: readonly SourcePathRule[] = [],
  context: Cancellable = {},
): Promise<LineMapParts> {
  const current = await hashFile(today);
  await turn(context);
  return current === undefined
    ? { hunks: packHunks([]) }
    : { ...(await mapLines(studyDirectory, file, current, sourcePaths, context)), current };
}

/**
 * The recorded name of a file that was moved or renamed since the measurement. Only missing files are candidates, because a copy is not the
 * original.
 */
export async function measuredAs(
  studyDirectory: string,
  file: string,
  context: Cancellable = {},
): Promise<string | undefined> {
  const gone: RecordedSource[] = [];
  for (const recorded of await recordedFiles(studyDirectory)) {
    await turn(context);
    if (await exists(recorded)) continue;
    const lines = await measuredLines(studyDirectory, recorded);
    if (lines !== undefined) gone.push({ file: recorded, lines });
  }
  if (gone.length === 0) return undefined;
  const text = await hashFile(file);
  await turn(context);
  return text === undefined ? undefined : movedSource(path.basename(file), text, gone);
}

const maximumLineCharacters = 2000;
const maximumBytes = 16 << 20;

/** The texts of lines (1-based) of a file, truncated if very long; empty for missing lines. */
export async function lineTexts(file: string, lines: readonly number[]): Promise<readonly string[]> {
  const bytes = await readRegularFile(file, maximumBytes).catch(() => Buffer.alloc(0));
  const all = bytes
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/);
  return lines.map((line) => (all[line - 1] ?? '').slice(0, maximumLineCharacters));
}

function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    (error: unknown) => (error as NodeJS.ErrnoException).code !== 'ENOENT',
  );
}
