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
import { exportProperties, studyProperties } from '../../workflows/studies/studyProperties';
import { listParameterStudies } from '../../workflows/study/listParameterStudies';
import { functionsHere } from '../../workflows/studies/functionsFile';
import type { SourcesHere } from '../../workflows/studies/places';
import { job, pieces, query, stream } from './request';

/** The extension host parses this number of functions in a few milliseconds. */
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

/** Path of a source file as the study recorded it, or as these rules map it. */
interface OfFile extends OfStudy {
  readonly file: string;
  readonly sourcePaths: readonly SourcePathRule[];
}

interface OfRound extends OfStudy {
  readonly iteration: number;
}

/** Studies on disk, their sources, and pins. */
export const studyRequests = {
  studies: query(({ workspace }: InWorkspace, context) => listStudies(workspace, context)),
  /** Study folders that cannot be read, with the reason. */
  damagedStudies: query(({ workspace }: InWorkspace, context) => listDamagedStudies(workspace, context)),
  /** Studies over parameters, with the state of each point; and those that cannot be read. */
  parameterStudies: query(({ workspace }: InWorkspace, context) => listParameterStudies(workspace, context)),
  /** The functions of a study, with the paths of sources on this machine. */
  functions: stream(async function* ({ studyDirectory, sources }: OfStudy & WithSources, context) {
    yield* pieces(await functionsHere(studyDirectory, sources, context), functionsPerPart);
  }),
  deleteStudy: query(({ studyDirectory }: OfStudy) => deleteStudy(studyDirectory), { writes }),
  /** Removes the lock in the folder of a target if its process is not one of this machine. */
  removeLock: query(({ folder }: { readonly folder: string }) => removeForeignLock(folder), { writes }),

  /** Maps the measured lines of a source file to those of the given current text. */
  lineMap: query(
    ({ studyDirectory, file, current, sourcePaths }: OfFile & { readonly current: LineHashes }, context) =>
      mapLines(studyDirectory, file, current, sourcePaths, context),
  ),
  /** Maps the measured lines of a source file to those of the file on disk at `path`. */
  fileLineMap: query(
    ({ studyDirectory, file, path, sourcePaths }: OfFile & { readonly path: string }, context) =>
      mapFile(studyDirectory, file, path, sourcePaths, context),
  ),
  /** Texts of lines of a file, 1-based; empty for missing lines. */
  lineTexts: query(({ path, lines }: { readonly path: string; readonly lines: readonly number[] }) =>
    lineTexts(path, lines),
  ),
  /** The recorded name of a file that was moved or renamed since the measurement. */
  measuredAs: query(({ studyDirectory, path }: OfStudy & { readonly path: string }, context) =>
    measuredAs(studyDirectory, path, context),
  ),

  /** The findings of a study; `missing` is the reason if there are none (yet). */
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
  /** Writes the profile of a round (of its typical run) to a file, in the format of its extension. */
  exportProfile: job(
    ({ studyDirectory, iteration, file }: OfRound & { readonly file: string }, context) =>
      exportProfile(studyDirectory, iteration, file, context),
    { writes },
  ),

  /** Accepts the selection of a round as that of the target. */
  accept: query(({ studyDirectory, iteration }: OfRound) => acceptRound(studyDirectory, iteration), {
    writes,
  }),
  /** Writes the selection of a round as a Score-P filter. */
  exportFilter: query(
    async ({ studyDirectory, iteration, file }: OfRound & { readonly file: string }, context) =>
      writeFileAtomically(file, await roundFilter(studyDirectory, iteration, context)),
    { writes },
  ),
  /** The selection of a round as the text of a Score-P filter. */
  filterText: query(({ studyDirectory, iteration }: OfRound, context) =>
    roundFilter(studyDirectory, iteration, context),
  ),
  /** Functions added and removed between two rounds. */
  difference: query(
    ({ studyDirectory, from, to }: OfStudy & { readonly from: number; readonly to: number }, context) =>
      roundDifference(studyDirectory, from, to, context),
  ),
  /** Functions added and removed between the last two rounds of a study, by key. */
  lastChanges: query(({ studyDirectory }: OfStudy, context) => lastChanges(studyDirectory, context)),
  /** The decision of each round on a function. */
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
  /** Undoes the last change of pins. */
  undoPin: query(({ workspace }: InWorkspace) => undoPin(workspace), { writes }),
  /** Pins the functions for which the decision of a filter differs from the last selection. */
  pinByFilter: query(pinByFilter, { writes }),
};
