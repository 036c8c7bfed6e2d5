import path from 'node:path';
import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import { present } from '../../../core/present';
import { kindRecord } from '../../../core/properties/kinds';
import { severityOf } from '../../../core/properties/property';
import type { EngineClient } from '../../../engine/client';
import type { ComparedFiles, ComparisonInSource } from '../../../workflows/views/comparisonView';
import { annotationSettings, propertyThreshold } from '../settings/settings';
import { sourcesHere } from '../settings/sourcePaths';
import { localFolders } from '../studies/studies';
import type { FoundIn, PropertySource } from './propertySource';

const memoryKey = 'kymo.comparison';

/** What changed since a baseline: of the two measurements that were compared last in this window, until that is stopped. */
export class ComparisonSource implements PropertySource, vscode.Disposable {
  readonly name = 'comparison';
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.changed.event;
  private files: ComparedFiles | undefined;

  constructor(
    private readonly engine: EngineClient,
    private readonly memory: vscode.Memento,
    private readonly log: Pick<vscode.LogOutputChannel, 'warn'>,
  ) {
    this.files = filesIn(memory.get<unknown>(memoryKey));
    this.setContext();
  }

  /** The compared profiles; undefined: none are. */
  get compared(): ComparedFiles | undefined {
    return this.files;
  }

  /** Shows a comparison in the source, or none. It is shown again after a reload. */
  async show(files: ComparedFiles | undefined): Promise<void> {
    if (files?.file === this.files?.file && files?.baseline === this.files?.baseline) return;
    this.files = files;
    this.setContext();
    this.changed.fire();
    await this.memory.update(memoryKey, files);
  }

  private setContext(): void {
    void vscode.commands.executeCommand('setContext', 'kymo.comparing', this.files !== undefined);
  }

  async *find(signal: AbortSignal): AsyncGenerator<readonly FoundIn[]> {
    const { files } = this;
    if (files === undefined) {
      yield [];
      return;
    }
    const folder = folderOf(files.file);
    if (folder === undefined) return;
    try {
      const found = await this.engine.query(
        'comparisonInSource',
        { ...files, sources: sourcesHere() },
        { signal },
      );
      yield [foundIn(folder, files, found)];
    } catch (error) {
      if (signal.aborted) return;
      this.log.warn(`Comparison: ${error instanceof Error ? error.message : String(error)}`);
      yield [];
    }
  }

  dispose(): void {
    this.changed.dispose();
  }
}

/** The folder that a profile is in, or any: a `.cubex` may lie anywhere. */
function folderOf(file: string): vscode.WorkspaceFolder | undefined {
  const folders = localFolders();
  return folders.find(({ uri }) => file.startsWith(uri.fsPath + path.sep)) ?? folders[0];
}

function filesIn(value: unknown): ComparedFiles | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { file, baseline } = value as Partial<Record<keyof ComparedFiles, unknown>>;
  return typeof file === 'string' && typeof baseline === 'string' ? { file, baseline } : undefined;
}

function foundIn(
  folder: vscode.WorkspaceFolder,
  { file, baseline }: ComparedFiles,
  { title, target, studyDirectory, properties, missingSources }: ComparisonInSource,
): FoundIn {
  return {
    ...{ folder, title, target, properties, missingSources },
    everywhere: studyDirectory === undefined,
    ...present({ linesOf: studyDirectory }),
    levelOf: (property, uri) => {
      const { level } = kindRecord(property.kind);
      return level === 'note' ||
        !annotationSettings(uri).enabled ||
        severityOf(property) < propertyThreshold(uri)
        ? undefined
        : level;
    },
    command: () => ({
      title: l10n.t('Show Changes in Hot Spots'),
      command: 'kymo.showHotSpots',
      arguments: [{ file, compare: baseline, title: target }],
    }),
  };
}
