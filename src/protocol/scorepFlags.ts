import type { Language } from '../core/scorepOptions/commandLines';
import type {
  OfferedScorep,
  OptionValues,
  ScorepCatalogue,
  ScorepTargetSettings,
  SourceFacts,
} from '../core/scorepOptions/option';

/** The view of Score-P's options: what can be chosen comes from the extension, what is chosen goes back by option and value. */
export interface ScorepFlagsRequests {
  readonly open: { readonly parameters: Record<string, never>; readonly result: ScorepFlagsShown };
  /** Writes the values to a target of `kymo.json`, as an edit that is not saved yet. What no option knows stays as it is there. */
  readonly use: {
    readonly parameters: {
      readonly target: string;
      /** `[option, value]` of each that is not Score-P's default. */
      readonly values: readonly (readonly [string, string])[];
      /** Measure the target with Score-P from now on. */
      readonly setBackend: boolean;
    };
    readonly result: { readonly written: boolean };
  };
  /** Shows `kymo.json` beside the view, or makes a first one. */
  readonly openConfiguration: {
    readonly parameters: Record<string, never>;
    readonly result: { readonly opened: boolean };
  };
}

export interface ScorepFlagsEvents {
  /** `kymo.json` changed, or what the view was asked to show: it has to be asked for again. */
  readonly changed: Record<string, never>;
}

export interface ScorepFlagsShown {
  /** URI of the workspace folder; empty: none is open. */
  readonly folder: string;
  readonly catalogue: ScorepCatalogue;
  readonly targets: readonly ShownTarget[];
  /** The target that the user asked for; absent: the first. */
  readonly target?: string;
  /** Why there are no targets, as a sentence. */
  readonly problem?: string;
  /** By the name of the instrumenter. */
  readonly installations: Readonly<Record<string, ShownInstallation>>;
  readonly facts?: SourceFacts;
  readonly languages: readonly Language[];
}

export interface ShownTarget {
  readonly name: string;
  readonly backend: string;
  readonly instrumenter: string;
  readonly settings: ScorepTargetSettings;
}

export type ShownInstallation =
  { readonly offered: OfferedScorep } | { readonly problem: string; readonly missing: boolean };

/** What the view saves over a reload. */
export interface ScorepFlagsState {
  /** URI of the workspace folder; empty: none. */
  readonly folder: string;
  readonly target?: string;
  /** What the user has changed and not written yet. */
  readonly values?: OptionValues;
}

/** More than any catalogue has. */
export const mostValues = 200;
