import type * as vscode from 'vscode';
import type { PropertyKindRecord } from '../../../core/properties/kinds/record';
import type { FoundProperty } from '../../../workflows/views/dynamicsInSource';
import type { LineMaps } from '../places/lineMaps';

/** An analysis that finds properties of the shown result. Lenses, hovers, Problems and the Properties view show the findings of registered sources. */
export interface PropertySource {
  readonly name: string;
  /** The shown result or its findings changed. */
  readonly onDidChange: vscode.Event<void>;
  /** The findings for each folder; each further value replaces the previous one. */
  find(signal: AbortSignal): AsyncIterable<readonly FoundIn[]>;
}

export type ProblemLevel = Exclude<PropertyKindRecord['level'], 'note'> | 'hint';

/** The findings of a source for one folder, and actions on them. */
export interface FoundIn {
  readonly folder: vscode.WorkspaceFolder;
  /** `study 2026-11-23`, `profile.cubex (Score-P 8.4)` */
  readonly title: string;
  readonly target: string;
  readonly properties: readonly FoundProperty[];
  /** Why there are no findings. */
  readonly missing?: string;
  /** Which input cannot be read: also shown beside the findings of other sources. */
  readonly unreadable?: string;
  /** Sources outside the folder are shown, too. */
  readonly everywhere?: boolean;
  /** Folder of the study that stored the lines of its sources; without one, lines are followed from the first look at a file. */
  readonly linesOf?: string;
  /** Default: maps of the source's own. */
  readonly lineMaps?: LineMaps;
  /** Names of sources that are missing on this machine. */
  readonly missingSources?: readonly string[];
  /** Name of the source in the Problems view; default: Kymo. */
  readonly problemSource?: string;
  /** Default: the level of the kind, for findings above the threshold of the Properties view. */
  readonly levelOf?: (property: FoundProperty, file: vscode.Uri) => ProblemLevel | undefined;
  /** Functions related to the problem, and their relation. */
  readonly related?: (property: FoundProperty) => readonly RelatedPlace[];
  /** Shows more of it: of the lens, and in hovers and the Properties view. */
  readonly command?: (property: FoundProperty) => vscode.Command;
  /** Further quick fixes of each finding. */
  readonly fixes?: readonly vscode.Command[];
}

export interface RelatedPlace {
  readonly what: string;
  readonly file?: string;
  readonly line?: number;
}
