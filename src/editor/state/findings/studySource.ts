import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import { present } from '../../../core/present';
import type { Property } from '../../../core/properties/property';
import { findRecordingProblems, type RecordingProblem } from '../../../core/problems/recordingProblems';
import type { EngineClient } from '../../../engine/client';
import type { FunctionRow } from '../../../core/functions/functionRow';
import type { LineMaps } from '../places/lineMaps';
import { warningSettings } from '../settings/settings';
import { sourcesHere } from '../settings/sourcePaths';
import type { Pins } from '../studies/pins';
import { linesOf, type Shown } from '../studies/shown';
import { localFolders, type Studies } from '../studies/studies';
import type { FoundIn, PropertySource } from './propertySource';

interface Stored {
  readonly properties: readonly Property[];
  readonly missing?: string;
  readonly unreadable?: string;
}

/** Findings in a run as a whole: in the last study of each folder, or in the profile shown instead. */
export class StudySource implements PropertySource, vscode.Disposable {
  readonly name = 'study';
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.changed.event;
  private readonly subscriptions: readonly { dispose(): unknown }[];

  constructor(
    private readonly engine: EngineClient,
    private readonly studies: Studies,
    private readonly pins: Pins,
    private readonly lineMaps: LineMaps,
    private readonly log: vscode.LogOutputChannel,
  ) {
    this.subscriptions = [
      this.changed,
      studies.onDidChange(() => this.changed.fire()),
      pins.onDidChange(() => this.changed.fire()),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('kymo.warnings')) this.changed.fire();
      }),
    ];
  }

  async *find(): AsyncGenerator<readonly FoundIn[]> {
    // A profile belongs to no folder, so it is shown once.
    const folders = localFolders().slice(0, this.studies.profile === undefined ? undefined : 1);
    const findings = await Promise.all(folders.map((folder) => this.foundIn(folder)));
    yield findings.filter((part) => part !== undefined);
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private async foundIn(folder: vscode.WorkspaceFolder): Promise<FoundIn | undefined> {
    const shown = await this.studies.shownOf(folder);
    if (shown === undefined) return undefined;
    const functions = shown.functions.all;
    const { properties, missing, unreadable } = await this.stored(shown);
    const problems = await this.problemsOf(folder, functions);
    const ids = new Set(properties.map(({ id }) => id));
    const others = [...problems.values()].filter(({ property }) => !ids.has(property.id));
    return {
      folder,
      title: shown.label,
      target: shown.kind === 'profile' ? shown.label : shown.study.target,
      properties: withEnds([...properties, ...others.map(({ property }) => property)], functions),
      ...present({ missing, unreadable }),
      everywhere: shown.kind === 'profile',
      linesOf: linesOf(shown),
      lineMaps: this.lineMaps,
      levelOf: ({ id, kind }, file) => {
        if (!problems.has(id)) return undefined;
        const { overheadLevel, inlinedLevel } = warningSettings(file);
        const level = kind === 'excessive-overhead' ? overheadLevel : inlinedLevel;
        return level === 'off' ? undefined : level;
      },
      related: ({ id }) =>
        (problems.get(id)?.callers ?? []).flatMap((caller) => {
          const { name, file, line } = functions[caller] ?? {};
          return name === undefined
            ? []
            : [{ what: l10n.t`recorded in ${name}`, ...present({ file, line }) }];
        }),
    };
  }

  private async stored(shown: Shown): Promise<Stored> {
    try {
      if (shown.kind === 'profile') return { properties: (await this.studies.profile?.properties()) ?? [] };
      return await this.engine.query('properties', {
        studyDirectory: shown.study.directory,
        sources: sourcesHere(),
      });
    } catch (error) {
      const unreadable = error instanceof Error ? error.message : String(error);
      this.log.error(unreadable);
      return { properties: [], unreadable };
    }
  }

  /** Problems by the id of their property. Pinned functions are decided and not reported. */
  private async problemsOf(
    folder: vscode.WorkspaceFolder,
    functions: readonly FunctionRow[],
  ): Promise<ReadonlyMap<string, RecordingProblem>> {
    const pinned = await this.pins.statesOf(folder);
    const { overheadPercent } = warningSettings(folder);
    const problems = findRecordingProblems(functions, overheadPercent).filter(({ key }) => !pinned.has(key));
    return new Map(problems.map((problem) => [problem.property.id, problem]));
  }
}

/** Adds the last lines of the functions of properties: a change between first and last line makes a place stale. */
function withEnds(properties: readonly Property[], functions: readonly FunctionRow[]): FoundIn['properties'] {
  const ends = new Map<string, number | undefined>();
  for (const { region } of properties)
    if (region?.line !== undefined) ends.set(`${region.file}:${region.line}`, undefined);
  for (const { file, line, endLine } of functions) {
    const place = `${file}:${line}`;
    if (endLine !== undefined && ends.has(place)) ends.set(place, endLine);
  }
  return properties.map((property) => ({
    ...property,
    ...present({ endLine: ends.get(`${property.region?.file}:${property.region?.line}`) }),
  }));
}
