import type { Property } from '../../core/properties/property';
import { removeForeignLock } from '../../measurement/experiments/studyLock';
import { writeFileAtomically } from '../../measurement/files/disk';
import { acceptRound } from '../../workflows/accept';
import { exportProfile } from '../../workflows/views/exportProfile';
import type { SourcePathRule } from '../../core/lines/sourcePaths';
import type { LineHashes } from '../../core/lines/lineHashes';
import { lineTexts, mapFile, mapLines, measuredAs } from '../../workflows/views/lineMaps';
import { listPins, pin, pinByFilter, undoPin, type PinOptions } from '../../workflows/pins';
import { functionHistory, roundDifference, roundFilter, lastChanges } from '../../workflows/studies/rounds';
import { deleteStudy, listDamagedStudies, listStudies } from '../../workflows/studies/studies';
import { exportProperties, studyProperties } from '../../workflows/studyProperties';
import { functionsHere } from '../../workflows/studies/functionsFile';
import type { SourcesHere } from '../../workflows/studies/places';
import { job, pieces, query, stream } from './request';

/** The extension host parses so many functions in a few milliseconds. */
export const functionsPerPart = 500;
const writes = true;

interface InWorkspace {
  /** Absolute path of the folder with `kymo.json`. */
  readonly workspace: string;
}

interface OfStudy {
  readonly studyDirectory: string;
}

interface WithSources {
  readonly sources: SourcesHere;
}

/** The study names its files as they were measured, or as these rules map them. */
interface OfFile extends OfStudy {
  readonly file: string;
  readonly sourcePaths: readonly SourcePathRule[];
}

interface OfRound extends OfStudy {
  readonly iteration: number;
}

/** Refinements on disk, their sources, and pins. */
export const studyRequests = {
  studies: query(({ workspace }: InWorkspace, context) => listStudies(workspace, context)),
  /** Folders of studies that cannot be read, with the reason. */
  damagedStudies: query(({ workspace }: InWorkspace, context) => listDamagedStudies(workspace, context)),
  /** With the paths of sources here. */
  functions: stream(async function* ({ studyDirectory, sources }: OfStudy & WithSources, context) {
    yield* pieces(await functionsHere(studyDirectory, sources, context), functionsPerPart);
  }),
  deleteStudy: query(({ studyDirectory }: OfStudy) => deleteStudy(studyDirectory), { writes }),
  /** Removes the lock in the folder of a target whose process is unknown to this machine. */
  removeLock: query(({ folder }: { readonly folder: string }) => removeForeignLock(folder), { writes }),

  /** From the lines of a source file as they were measured to those of its text of today. */
  lineMap: query(
    ({ studyDirectory, file, current, sourcePaths }: OfFile & { readonly current: LineHashes }, context) =>
      mapLines(studyDirectory, file, current, sourcePaths, context),
  ),
  /** The same to a file on disk; `path` is where it is today. */
  fileLineMap: query(
    ({ studyDirectory, file, path, sourcePaths }: OfFile & { readonly path: string }, context) =>
      mapFile(studyDirectory, file, path, sourcePaths, context),
  ),
  /** Texts of lines of a file, 1-based; empty where there is none. */
  lineTexts: query(({ path, lines }: { readonly path: string; readonly lines: readonly number[] }) =>
    lineTexts(path, lines),
  ),
  /** What a file was called when it was measured, for one that was moved or renamed since. */
  measuredAs: query(({ studyDirectory, path }: OfStudy & { readonly path: string }, context) =>
    measuredAs(studyDirectory, path, context),
  ),

  /** What was found in a study; `missing` says why there is nothing (yet). */
  properties: query(({ studyDirectory, sources }: OfStudy & WithSources, context) =>
    studyProperties(studyDirectory, sources, context),
  ),
  /** Writes properties to a file: JSON, CSV, Markdown or SARIF, by its extension. */
  exportProperties: query(
    ({
      workspace,
      properties,
      file,
    }: InWorkspace & { readonly properties: readonly Property[]; readonly file: string }) =>
      exportProperties(properties, file, workspace),
    { writes },
  ),
  /** Writes the profile of a round (of its median run) to a file, in the format of its extension. */
  exportProfile: job(
    ({ studyDirectory, iteration, file }: OfRound & { readonly file: string }, context) =>
      exportProfile(studyDirectory, iteration, file, context),
    { writes },
  ),

  /** Makes the selection of a round the target's own. */
  accept: query(({ studyDirectory, iteration }: OfRound) => acceptRound(studyDirectory, iteration), {
    writes,
  }),
  /** Writes the selection of a round as a Score-P filter. */
  exportFilter: query(
    async ({ studyDirectory, iteration, file }: OfRound & { readonly file: string }, context) =>
      writeFileAtomically(file, await roundFilter(studyDirectory, iteration, context)),
    { writes },
  ),
  /** The same as a text. */
  filterText: query(({ studyDirectory, iteration }: OfRound, context) =>
    roundFilter(studyDirectory, iteration, context),
  ),
  /** What became instrumented or stopped being so from one round to another. */
  difference: query(
    ({ studyDirectory, from, to }: OfStudy & { readonly from: number; readonly to: number }, context) =>
      roundDifference(studyDirectory, from, to, context),
  ),
  /** Functions that became instrumented or stopped being so between the last two rounds of a study, by key. */
  lastChanges: query(({ studyDirectory }: OfStudy, context) => lastChanges(studyDirectory, context)),
  /** What each round decided of a function. */
  history: query(({ studyDirectory, key }: OfStudy & { readonly key: string }, context) =>
    functionHistory(studyDirectory, key, context),
  ),

  pins: query(({ workspace }: InWorkspace) => listPins(workspace)),
  /** Pins functions by their keys; `studyDirectory` is the study that showed them. */
  setPin: query(
    (
      {
        keys,
        ...options
      }: Omit<PinOptions, 'functions' | 'byName' | 'target'> & { readonly keys: readonly string[] },
      context,
    ) => pin({ ...options, functions: keys }, context),
    { writes },
  ),
  /** Takes back the last change of pins. */
  undoPin: query(({ workspace }: InWorkspace) => undoPin(workspace), { writes }),
  /** Pins functions for which a filter decides otherwise than the last selection. */
  pinByFilter: query(pinByFilter, { writes }),
};
