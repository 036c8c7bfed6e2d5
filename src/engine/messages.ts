import type { FilterEdit } from '../formats/scorep-filter/diagnostics';
import type { ErrorPlace } from '../core/errors';
import type {
  CubeCallPaths,
  CubeHeader,
  CubeRegion,
  CubeSelected,
  CubeSystemNodes,
  CubeValues,
} from '../core/views/cubePieces';
import type { LocationValues } from '../core/views/locationValues';
import type { ProfileRows } from '../core/views/profilePieces';
import type { LineHashes } from '../core/lines/lineHashes';
import type { Property } from '../core/properties/property';
import type { WorkPhase } from '../core/progress';
import type { Launcher } from '../measurement/config/config';
import type { Accepted } from '../workflows/accept';
import type { CubeName, CubeRange } from '../workflows/cubeView';
import type { AskedFunction, EffectiveDecision, RuleMatches } from '../workflows/filters/inspectFilter';
import type { FunctionSource } from '../workflows/filters/knownFunctions';
import type { RoundDecision, SelectionDifference } from '../workflows/studies/iterations';
import type { LineMapParts } from '../workflows/lineMaps';
import type { FilterPinOptions, PinList, PinsChanged, PinState } from '../workflows/pins';
import type { ProfileFormat } from '../workflows/convertProfile';
import type { ProfileFunctions, ProfileInSource } from '../workflows/profileInSource';
import type {
  ComparableProfile,
  OpenedProfile,
  ProfileName,
  ProfileRange,
  ProfileRegion,
} from '../workflows/profileView';
import type { RefineIteration, RefineResult } from '../workflows/studies/refine.types';
import type { BuildProgramResult } from '../workflows/build';
import type { DoctorResult } from '../workflows/doctor';
import type { MeasureResult } from '../workflows/measure';
import type { ScorepOptions, ScorepTargets, ScorepTargetsRequest } from '../workflows/scorepOptions';
import type { FunctionRow } from '../core/functions/functionRow';
import type { DamagedStudy, StudySummary } from '../workflows/studies/studies';
import type { DynamicsEngineRequests, FoundProperty } from './dynamicsMessages';
import type { FilterCompletions, FilterMatchesOptions, FilterWord, ShownFilter } from './filterHandlers';

/** What the extension may ask of the engine process: options and result of each request. Both are plain JSON. */
export interface EngineRequests extends DynamicsEngineRequests {
  /** The targets of `kymo.json` with the commands that would run, to be shown before their first run. */
  readonly targets: { readonly options: WorkspaceOptions; readonly result: ConfiguredTargets };
  /** A first `kymo.json`, to be shown before it is written. Asks the build system, which runs code of the workspace. */
  readonly proposal: { readonly options: ProposalRequest; readonly result: ProposedConfiguration };
  /** Writes a proposed `kymo.json`. */
  readonly writeConfiguration: {
    readonly options: WorkspaceOptions & { readonly text: string; readonly force?: boolean };
    readonly result: { readonly file: string };
  };
  readonly studies: { readonly options: WorkspaceOptions; readonly result: readonly StudySummary[] };
  /** Folders of studies that cannot be read, with the reason. */
  readonly damagedStudies: { readonly options: WorkspaceOptions; readonly result: readonly DamagedStudy[] };
  /** The functions of a study come in `functions` events of bounded size; the result is their number. */
  readonly functions: {
    readonly options: { readonly studyDirectory: string };
    readonly result: { readonly count: number };
  };
  /** From the lines of a source file as they were measured to those of its text of today. */
  readonly lineMap: {
    readonly options: {
      readonly studyDirectory: string;
      readonly file: string;
      readonly current: LineHashes;
    };
    readonly result: LineMapParts;
  };
  /** The same to a file on disk, which is read here; `path` is where it is today. */
  readonly fileLineMap: {
    readonly options: { readonly studyDirectory: string; readonly file: string; readonly path: string };
    readonly result: LineMapParts;
  };
  /** Texts of lines of a file, 1-based; empty where there is none. */
  readonly lineTexts: {
    readonly options: { readonly path: string; readonly lines: readonly number[] };
    readonly result: readonly string[];
  };
  /** What a file was called when it was measured, for one that was moved or renamed since. */
  readonly measuredAs: {
    readonly options: { readonly studyDirectory: string; readonly path: string };
    readonly result: { readonly file?: string };
  };
  /** A profile, for viewers: what there is, then columns, regions and locations piece by piece. */
  readonly openProfile: { readonly options: { readonly file: string }; readonly result: OpenedProfile };
  readonly profileRows: { readonly options: ProfileRange; readonly result: ProfileRows };
  readonly profileRegions: { readonly options: ProfileRange; readonly result: readonly ProfileRegion[] };
  readonly profileLocations: {
    readonly options: ProfileName & { readonly callPath: number; readonly metric: number };
    readonly result: LocationValues;
  };
  /** The typical profile of a study's last iteration, or of the given one. */
  readonly studyProfile: {
    readonly options: { readonly studyDirectory: string; readonly iteration?: number };
    readonly result: { readonly file: string };
  };
  /** Experiments of the same target. */
  readonly comparableProfiles: {
    readonly options: { readonly file: string };
    readonly result: readonly ComparableProfile[];
  };
  readonly convertProfile: {
    readonly options: ProfileName & { readonly format: ProfileFormat; readonly destination: string };
    readonly result: { readonly callPaths: number };
  };
  readonly deleteStudy: {
    readonly options: { readonly studyDirectory: string };
    readonly result: { readonly deleted: true };
  };
  /** Functions that entered or left between the last two iterations of a study, by key. */
  readonly lastChanges: {
    readonly options: { readonly studyDirectory: string };
    readonly result: readonly { readonly key: string; readonly change: 'entered' | 'left' }[];
  };
  /** Removes the lock in the folder of a target whose process this machine knows nothing of. */
  readonly removeLock: {
    readonly options: { readonly folder: string };
    readonly result: { readonly removed: true };
  };
  /** What was found in a study; `missing` says why there is nothing (yet). */
  readonly properties: {
    readonly options: { readonly studyDirectory: string };
    readonly result: { readonly properties: readonly Property[]; readonly missing?: string };
  };
  /** The same of any profile, for the source: functions come in `functions` events. */
  readonly profileFunctions: {
    readonly options: ProfileInSource;
    readonly result: Omit<ProfileFunctions, 'functions'>;
  };
  readonly profileProperties: {
    readonly options: ProfileInSource;
    readonly result: { readonly properties: readonly Property[]; readonly missing?: string };
  };
  /** Writes properties to a file: JSON, CSV, Markdown or SARIF, by its extension. */
  readonly exportProperties: {
    readonly options: WorkspaceOptions & { readonly properties: readonly Property[]; readonly file: string };
    readonly result: { readonly file: string };
  };
  /** Writes the profile of an iteration (of its median run) to a file, in the format of its extension. */
  readonly exportProfile: {
    readonly options: {
      readonly studyDirectory: string;
      readonly iteration: number;
      readonly file: string;
    };
    readonly result: { readonly file: string };
  };
  /** Definitions of a Cube profile; no value is read. */
  readonly openCube: { readonly options: { readonly file: string }; readonly result: CubeHeader };
  /** Whether a file still has the content of that id. */
  readonly cubeIsSame: { readonly options: CubeName; readonly result: { readonly same: boolean } };
  readonly cubeCallPaths: { readonly options: CubeRange; readonly result: CubeCallPaths };
  readonly cubeRegions: { readonly options: CubeRange; readonly result: readonly CubeRegion[] };
  readonly cubeSystem: { readonly options: CubeRange; readonly result: CubeSystemNodes };
  readonly cubeValues: {
    readonly options: CubeRange & { readonly metric: number };
    readonly result: CubeValues;
  };
  readonly cubeTotal: {
    readonly options: CubeName & { readonly metric: number };
    readonly result: { readonly total: number };
  };
  readonly cubeLocations: {
    readonly options: CubeName & {
      readonly metric: number;
      readonly minus: readonly number[];
      readonly selected: readonly CubeSelected[];
    };
    readonly result: { readonly values: Float64Array };
  };
  /** Makes the selection of an iteration the target's own. */
  readonly accept: {
    readonly options: { readonly studyDirectory: string; readonly iteration: number };
    readonly result: Accepted;
  };
  /** Writes the selection of an iteration as a Score-P filter. */
  readonly exportFilter: {
    readonly options: { readonly studyDirectory: string; readonly iteration: number; readonly file: string };
    readonly result: { readonly file: string };
  };
  /** The same as a text. */
  readonly filterText: {
    readonly options: { readonly studyDirectory: string; readonly iteration: number };
    readonly result: { readonly text: string };
  };
  /** All that an editor shows of a filter. */
  readonly inspectFilter: {
    readonly options: { readonly text: string; readonly source: FunctionSource };
    readonly result: ShownFilter;
  };
  /** The functions that rules of a filter match; `rules` are their positions in the file. */
  readonly filterMatches: {
    readonly options: FilterMatchesOptions & { readonly rules: readonly number[] };
    readonly result: RuleMatches;
  };
  /** The word at a place of a filter; with what its rule matches, if it is a pattern. */
  readonly filterWord: {
    readonly options: FilterMatchesOptions & { readonly offset: number };
    readonly result: FilterWord | undefined;
  };
  /** What may be written at a place of a filter. */
  readonly filterCompletions: {
    readonly options: { readonly text: string; readonly offset: number; readonly source: FunctionSource };
    readonly result: FilterCompletions;
  };
  /** The layout of a filter, or of some of its lines (from 1, inclusive); no edit: it is laid out already, or cannot be. */
  readonly formatFilter: {
    readonly options: {
      readonly text: string;
      readonly lines?: { readonly first: number; readonly last: number };
    };
    readonly result: FilterEdit | undefined;
  };
  /** What a filter decides of a function; `text` where an editor has another one than the file. */
  readonly filterDecisions: {
    readonly options: {
      readonly filter: { readonly file: string; readonly text?: string };
      readonly asked: AskedFunction;
      readonly source: FunctionSource;
    };
    readonly result: readonly EffectiveDecision[];
  };
  /** Pins what a filter decides otherwise than the last selection. */
  readonly pinByFilter: { readonly options: FilterPinOptions; readonly result: PinsChanged };
  /** What entered and left from one iteration to another. */
  readonly difference: {
    readonly options: { readonly studyDirectory: string; readonly from: number; readonly to: number };
    readonly result: readonly SelectionDifference[];
  };
  /** What each iteration decided of a function. */
  readonly history: {
    readonly options: { readonly studyDirectory: string; readonly key: string };
    readonly result: readonly RoundDecision[];
  };
  /** What the user wants in or out. */
  readonly pins: { readonly options: WorkspaceOptions; readonly result: PinList };
  /** Pins functions by their keys; `studyDirectory` is the study that they were shown of. */
  readonly setPin: {
    readonly options: WorkspaceOptions & {
      readonly keys: readonly string[];
      readonly state: PinState | 'none';
      readonly studyDirectory?: string;
    };
    readonly result: PinsChanged;
  };
  /** Takes back the last change of pins. */
  readonly undoPin: { readonly options: WorkspaceOptions; readonly result: PinsChanged };
  readonly refine: {
    readonly options: WorkspaceOptions & { readonly target: string; readonly moreIterations?: number };
    readonly result: RefineResult;
  };
  /** Builds with sites and runs nothing. */
  readonly build: {
    readonly options: WorkspaceOptions & { readonly target: string };
    readonly result: BuildProgramResult;
  };
  /** One experiment; `filter` is absolute. */
  readonly measure: {
    readonly options: WorkspaceOptions & {
      readonly target: string;
      readonly filter?: string;
      readonly repetitions?: number;
      readonly parameters?: Readonly<Record<string, string>>;
    };
    readonly result: MeasureResult;
  };
  /** What can be asked of Score-P, and what the targets of `kymo.json` ask of it. */
  readonly scorepOptions: { readonly options: ScorepTargetsRequest; readonly result: ScorepOptions };
  readonly scorepTargets: { readonly options: ScorepTargetsRequest; readonly result: ScorepTargets };
  /** What this machine has and lacks. */
  readonly doctor: { readonly options: WorkspaceOptions; readonly result: DoctorResult };
}

export type RequestName = keyof EngineRequests;
export type RequestOptions<Name extends RequestName> = EngineRequests[Name]['options'];
export type RequestResult<Name extends RequestName> = EngineRequests[Name]['result'];

export interface WorkspaceOptions {
  /** Absolute path of the folder with `kymo.json`. */
  readonly workspace: string;
}

/** What the user decides in place of a guess. */
export interface ProposalRequest extends WorkspaceOptions {
  readonly executable?: string;
  readonly launcher?: Launcher['kind'];
}

export interface ProposedConfiguration extends ConfiguredTargets {
  readonly text: string;
  /** What was found and guessed, and why. */
  readonly notes: readonly string[];
}

export interface ConfiguredTargets {
  /** Absolute path of `kymo.json`. */
  readonly file: string;
  readonly targets: readonly ConfiguredTarget[];
}

export interface ConfiguredTarget {
  readonly name: string;
  /** The workspace's own commands as they would be started, each with what it is for. */
  readonly commands: readonly {
    readonly purpose: 'clean' | 'configure' | 'build' | 'instrument' | 'run' | 'with';
    readonly line: string;
  }[];
}

/** Extension → engine. */
export type ToEngine =
  | {
      readonly [Name in RequestName]: {
        readonly kind: 'request';
        readonly id: number;
        readonly name: Name;
        readonly options: RequestOptions<Name>;
        /** Whether the window trusts its workspace. */
        readonly trusted: boolean;
      };
    }[RequestName]
  | { readonly kind: 'cancel'; readonly id: number };

/** What a request reports while it runs. */
export type EngineEvent =
  | {
      readonly kind: 'progress';
      readonly message: string;
      /** 0…1 of the whole work. */
      readonly fraction?: number;
      readonly remainingSeconds?: number;
      readonly phase?: WorkPhase;
    }
  | { readonly kind: 'log'; readonly lines: readonly string[] }
  /** The study that is written from now on. */
  | { readonly kind: 'study'; readonly directory: string }
  | { readonly kind: 'iteration'; readonly iteration: RefineIteration }
  | { readonly kind: 'functions'; readonly functions: readonly FunctionRow[] }
  | { readonly kind: 'properties'; readonly properties: readonly FoundProperty[] };

/** Engine → extension. */
export type FromEngine =
  | { readonly kind: 'event'; readonly id: number; readonly event: EngineEvent }
  | { readonly kind: 'result'; readonly id: number; readonly result: unknown }
  | { readonly kind: 'error'; readonly id: number; readonly error: EngineFailure };

/** A `KymoError` on its way between processes. */
export interface EngineFailure {
  readonly reason: string;
  readonly message: string;
  readonly where: ErrorPlace;
  readonly diagnostics: readonly BuildDiagnostic[];
  /** Only for reason `internal`. */
  readonly stack?: string;
}

/** A message of a compiler. */
export interface BuildDiagnostic {
  /** Absolute path. */
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  readonly column?: number;
  readonly severity: string;
  readonly message: string;
}
