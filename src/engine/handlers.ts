import type { ProgressSink } from '../core/progress';
import type { Target } from '../measurement/config/config';
import { loadConfig } from '../measurement/config/loadConfig';
import { writeFileAtomically } from '../measurement/files/disk';
import { removeForeignLock } from '../measurement/experiments/studyLock';
import { acceptIteration } from '../workflows/accept';
import { buildProgram } from '../workflows/build';
import {
  cubeCallPaths,
  cubeIsSame,
  cubeLocations,
  cubeRegions,
  cubeSystem,
  cubeTotal,
  cubeValues,
  openCubeView,
} from '../workflows/cubeView';
import { doctor } from '../workflows/doctor';
import { convertProfile } from '../workflows/convertProfile';
import { proposeConfig, writeConfig } from '../workflows/init';
import { effectiveDecisions } from '../workflows/filters/inspectFilter';
import { functionHistory, iterationDifference, iterationFilter } from '../workflows/studies/iterations';
import { exportProfile } from '../workflows/exportProfile';
import { lastChanges } from '../workflows/studies/iterations';
import { exportProperties, studyProperties } from '../workflows/studyProperties';
import { lineTexts, mapFile, mapLines, measuredAs } from '../workflows/lineMaps';
import { listPins, pin, pinByFilter, undoPin } from '../workflows/pins';
import {
  comparableProfiles,
  openProfile,
  profileLocations,
  profileRegions,
  profileRows,
  studyProfile,
} from '../workflows/profileView';
import { measure } from '../workflows/measure';
import { refine } from '../workflows/refine';
import { scorepOptions, scorepTargets } from '../workflows/scorepOptions';
import { profileFunctions, profileProperties } from '../workflows/profileInSource';
import type { FunctionRow } from '../core/functions/functionRow';
import { deleteStudy, listDamagedStudies, listStudies } from '../workflows/studies/studies';
import { functionRows } from '../workflows/studies/functionsFile';
import { dynamicsHandlers } from './dynamicsHandlers';
import { filterHandlers } from './filterHandlers';
import type { ConfiguredTarget, EngineEvent, RequestName, RequestOptions, RequestResult } from './messages';
import { targetCommands } from './targetCommands';

/** What a handler gets besides its options. */
export interface HandlerContext {
  readonly signal: AbortSignal;
  readonly progress: ProgressSink;
  readonly emit: (event: EngineEvent) => void;
}

type Handlers = {
  readonly [Name in RequestName]: (
    options: RequestOptions<Name>,
    context: HandlerContext,
  ) => Promise<RequestResult<Name>>;
};

/** An event with so many functions is parsed by the extension host in a few milliseconds. */
const functionsPerEvent = 500;

/** Requests that run what the workspace defines, or write what is run next; they are refused until it is trusted. */
export const runsCommands: ReadonlySet<RequestName> = new Set([
  'proposal',
  'writeConfiguration',
  'refine',
  'build',
  'measure',
]);

/** The workflows behind the requests. */
export const handlers: Handlers = {
  targets: async ({ workspace }, { progress }) => {
    const { config, warnings } = await loadConfig(workspace);
    for (const { message } of warnings) progress.log(message);
    return { file: config.file, targets: config.targets.map(describeTarget) };
  },

  writeConfiguration: async (options) => ({ file: await writeConfig(options) }),

  proposal: async (options, { signal, progress }) => {
    const { file, text, config, notes } = await proposeConfig({ ...options, signal, progress });
    return { file, text, notes, targets: config.targets.map(describeTarget) };
  },

  studies: ({ workspace }) => listStudies(workspace),

  damagedStudies: ({ workspace }) => listDamagedStudies(workspace),

  functions: async ({ studyDirectory }, { emit }) => {
    const functions = await functionRows(studyDirectory);
    emitFunctions(functions, emit);
    return { count: functions.length };
  },

  lineMap: ({ studyDirectory, file, current }) => mapLines(studyDirectory, file, current),

  fileLineMap: ({ studyDirectory, file, path }) => mapFile(studyDirectory, file, path),

  lineTexts: ({ path, lines }) => lineTexts(path, lines),

  measuredAs: async ({ studyDirectory, path }) => {
    const file = await measuredAs(studyDirectory, path);
    return file === undefined ? {} : { file };
  },

  openProfile: ({ file }) => openProfile(file),
  profileRows,
  profileRegions,
  profileLocations,
  studyProfile: ({ studyDirectory, iteration }) => studyProfile(studyDirectory, iteration),
  comparableProfiles: ({ file }) => comparableProfiles(file),
  convertProfile,

  openCube: ({ file }) => openCubeView(file),
  cubeIsSame,
  cubeCallPaths,
  cubeRegions,
  cubeSystem,
  cubeValues,
  cubeTotal,
  cubeLocations: (question, { signal }) => cubeLocations(question, signal),

  accept: ({ studyDirectory, iteration }) => acceptIteration(studyDirectory, iteration),

  exportFilter: async ({ studyDirectory, iteration, file }) => {
    await writeFileAtomically(file, await iterationFilter(studyDirectory, iteration));
    return { file };
  },

  filterText: async ({ studyDirectory, iteration }) => ({
    text: await iterationFilter(studyDirectory, iteration),
  }),
  ...filterHandlers,
  ...dynamicsHandlers,
  filterDecisions: ({ filter, asked, source }) => effectiveDecisions(filter, asked, source),
  pinByFilter,

  difference: ({ studyDirectory, from, to }) => iterationDifference(studyDirectory, from, to),

  history: ({ studyDirectory, key }) => functionHistory(studyDirectory, key),

  deleteStudy: async ({ studyDirectory }) => {
    await deleteStudy(studyDirectory);
    return { deleted: true };
  },

  removeLock: async ({ folder }) => {
    await removeForeignLock(folder);
    return { removed: true };
  },

  lastChanges: ({ studyDirectory }) => lastChanges(studyDirectory),

  properties: ({ studyDirectory }) => studyProperties(studyDirectory),

  profileFunctions: async (options, { emit }) => {
    const { functions, ...rest } = await profileFunctions(options);
    emitFunctions(functions, emit);
    return rest;
  },

  profileProperties,

  exportProperties: async ({ workspace, properties, file }) => {
    await exportProperties(properties, file, workspace);
    return { file };
  },

  exportProfile: async ({ studyDirectory, iteration, file }) => {
    await exportProfile(studyDirectory, iteration, file);
    return { file };
  },

  pins: ({ workspace }) => listPins(workspace),

  setPin: ({ keys, ...options }) => pin({ ...options, functions: keys }),

  undoPin: ({ workspace }) => undoPin(workspace),

  refine: ({ workspace, target, moreIterations }, { signal, progress, emit }) =>
    refine({
      workspace,
      target,
      ...(moreIterations === undefined ? {} : { moreIterations }),
      signal,
      progress,
      onStudy: (directory) => emit({ kind: 'study', directory }),
      onIteration: (iteration) => emit({ kind: 'iteration', iteration }),
    }),

  build: (options, { signal, progress }) => buildProgram({ ...options, signal, progress }),

  measure: (options, { signal, progress }) => measure({ ...options, signal, progress }),

  scorepOptions: (options, { signal }) => scorepOptions(options, signal),
  scorepTargets,

  doctor: ({ workspace }, { signal }) => doctor(workspace, signal),
};

function emitFunctions(functions: readonly FunctionRow[], emit: HandlerContext['emit']): void {
  for (let first = 0; first < functions.length; first += functionsPerEvent)
    emit({ kind: 'functions', functions: functions.slice(first, first + functionsPerEvent) });
}

function describeTarget(target: Target): ConfiguredTarget {
  return { name: target.name, commands: targetCommands(target) };
}
