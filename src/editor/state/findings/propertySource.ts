import type * as vscode from 'vscode';
import type { PropertyKindRecord } from '../../../core/properties/kinds/record';
import type { FoundProperty } from '../../../workflows/dynamicsInSource';
import type { LineMaps } from '../places/lineMaps';

/** An analysis that finds properties of what is shown. Lenses, hovers, Problems and the Properties view show what registered sources find. */
export interface PropertySource {
  readonly name: string;
  /** Something else is shown, or is found in it. */
  readonly onDidChange: vscode.Event<void>;
  /** What is found now, for each folder; each further value takes the place of the one before. */
  find(signal: AbortSignal): AsyncIterable<readonly FoundIn[]>;
}

export type ProblemLevel = Exclude<PropertyKindRecord['level'], 'note'> | 'hint';

/** What a source found for one folder, and what surfaces can do with it beyond showing it. */
export interface FoundIn {
  readonly folder: vscode.WorkspaceFolder;
  /** `study 2026-11-23`, `profile.cubex (Score-P 8.4)` */
  readonly title: string;
  readonly target: string;
  readonly properties: readonly FoundProperty[];
  /** Why there is nothing, or what cannot be read. */
  readonly missing?: string;
  /** Sources outside the folder are shown, too. */
  readonly everywhere?: boolean;
  /** Folder of the study that has kept the lines of its sources; where none has, lines are followed from when a file is first looked at. */
  readonly linesOf?: string;
  /** Default: maps of the source's own. */
  readonly lineMaps?: LineMaps;
  /** Names of sources that are not here. */
  readonly missingSources?: readonly string[];
  /** What stands for the source in the Problems view, unless that is plainly Kymo. */
  readonly problemSource?: string;
  /** Default: the level of the kind, for what is above the threshold of the Properties view. */
  readonly levelOf?: (property: FoundProperty, file: vscode.Uri) => ProblemLevel | undefined;
  /** Functions that the problem leads to, and what they are to it. */
  readonly related?: (property: FoundProperty) => readonly RelatedPlace[];
  /** What a click on the lens does. */
  readonly command?: (property: FoundProperty) => Omit<vscode.Command, 'title'>;
}

export interface RelatedPlace {
  readonly what: string;
  readonly file?: string;
  readonly line?: number;
}
