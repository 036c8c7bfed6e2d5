import type { Language } from '../core/scorepOptions/commandLines';
import type {
  OfferedScorep,
  OptionValues,
  ScorepCatalogue,
  ScorepTargetSettings,
  SourceFacts,
} from '../core/scorepOptions/option';

/** The view of Score-P's options: the extension sends the options, and the webview returns the chosen values by option. */
export interface ScorepFlagsRequests {
  readonly open: { readonly parameters: Record<string, never>; readonly result: ScorepFlagsShown };
  /** Writes the values to a target of `kymo.json`, as an unsaved edit. Settings without an option remain unchanged. */
  readonly use: {
    readonly parameters: {
      readonly target: string;
      /** `[option, value]` for each value that differs from Score-P's default. */
      readonly values: readonly (readonly [string, string])[];
      /** Also set the target's back-end to Score-P. */
      readonly setBackend: boolean;
    };
    readonly result: { readonly written: boolean };
  };
  /** Shows `kymo.json` beside the view, or proposes a first one. */
  readonly openConfiguration: {
    readonly parameters: Record<string, never>;
    readonly result: { readonly opened: boolean };
  };
}

export interface ScorepFlagsEvents {
  /** `kymo.json` or the folder or target to show has changed: the view has to request everything again. */
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
  /** Installations by the name of the instrumenter. */
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
  | { readonly offered: OfferedScorep }
  | { readonly problem: string; readonly missing: boolean };

/** The state that the view saves over a reload. */
export interface ScorepFlagsState {
  /** URI of the workspace folder; empty: none. */
  readonly folder: string;
  readonly target?: string;
  /** Values that the user has changed but not written yet. */
  readonly values?: OptionValues;
}

/** Maximum number of values; any catalogue has fewer. */
export const mostValues = 200;
