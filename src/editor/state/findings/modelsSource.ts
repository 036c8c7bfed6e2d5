import path from 'node:path';
import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import { kindRecord } from '../../../core/properties/kinds';
import { severityOf } from '../../../core/properties/property';
import { present } from '../../../core/present';
import type { EngineClient } from '../../../engine/client';
import type { FoundModels } from '../../../workflows/views/modelsInSource';
import type { ModelsInput } from '../models/modelsSession';
import { annotationSettings, propertyThreshold } from '../settings/settings';
import { sourcesHere } from '../settings/sourcePaths';
import { localFolders, type Studies } from '../studies/studies';
import type { FoundIn, PropertySource } from './propertySource';

interface Known {
  readonly identity: string;
  readonly found: FoundModels;
}

/** How functions grow, by the newest study over parameters of each folder. */
export class ModelsSource implements PropertySource, vscode.Disposable {
  readonly name = 'models';
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.changed.event;
  /** By folder: models are made again only when the study, or what is expected of it, is another one. */
  private readonly known = new Map<string, Known>();
  private readonly subscriptions: readonly { dispose(): unknown }[];

  constructor(
    private readonly engine: EngineClient,
    studies: Studies,
    private readonly log: Pick<vscode.LogOutputChannel, 'warn'>,
  ) {
    const configurations = vscode.workspace.createFileSystemWatcher('**/kymo.json');
    const fire = (): void => this.changed.fire();
    this.subscriptions = [
      this.changed,
      configurations,
      configurations.onDidChange(fire),
      configurations.onDidCreate(fire),
      configurations.onDidDelete(fire),
      studies.onDidChange(fire),
    ];
  }

  async *find(signal: AbortSignal): AsyncGenerator<readonly FoundIn[]> {
    const found = await Promise.all(localFolders().map((folder) => this.foundIn(folder, signal)));
    yield found.filter((part) => part !== undefined);
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private async foundIn(folder: vscode.WorkspaceFolder, signal: AbortSignal): Promise<FoundIn | undefined> {
    const key = folder.uri.toString();
    const before = this.known.get(key);
    try {
      const options = {
        workspace: folder.uri.fsPath,
        sources: sourcesHere(),
        ...present({ known: before?.identity }),
      };
      const answer = await this.engine.query('modelsInSource', options, { signal });
      if (answer?.found !== undefined) {
        const { identity, found } = answer;
        if (found.missing !== undefined) this.log.warn(`Models of ${found.studyDirectory}: ${found.missing}`);
        this.known.set(key, { identity, found });
      } else if (answer === undefined) this.known.delete(key);
    } catch (error) {
      if (signal.aborted) return undefined;
      this.log.warn(`Models of ${folder.name}: ${error instanceof Error ? error.message : String(error)}`);
      this.known.delete(key);
    }
    const now = this.known.get(key);
    return now && asFound(folder, now.found);
  }
}

function asFound(
  folder: vscode.WorkspaceFolder,
  { studyDirectory, target, properties, missingSources }: FoundModels,
): FoundIn {
  const input: ModelsInput = { paths: [studyDirectory] };
  return {
    folder,
    title: path.basename(studyDirectory),
    target,
    properties,
    missingSources,
    linesOf: studyDirectory,
    levelOf: (property, file) => {
      const { level } = kindRecord(property.kind);
      return level === 'note' ||
        !annotationSettings(file).enabled ||
        severityOf(property) < propertyThreshold(file)
        ? undefined
        : level;
    },
    command: () => ({
      title: l10n.t('Show in Models Panel'),
      command: 'kymo.showModels',
      arguments: [input],
    }),
  };
}
