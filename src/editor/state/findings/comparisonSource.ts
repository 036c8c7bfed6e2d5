import path from 'node:path';
import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import { differences } from '../../../core/gate/differences';
import { present } from '../../../core/present';
import { kindRecord } from '../../../core/properties/kinds';
import { severityOf } from '../../../core/properties/property';
import type { EngineClient } from '../../../engine/client';
import type { RequestHooks } from '../../../engine/questions';
import type { GatedFiles, JudgedBaseline } from '../../../workflows/views/baselineView';
import type { ComparedFiles, ComparisonInSource } from '../../../workflows/views/comparisonView';
import { annotationSettings, propertyThreshold } from '../settings/settings';
import { sourcesHere } from '../settings/sourcePaths';
import { localFolders } from '../studies/studies';
import type { FoundIn, PropertySource } from './propertySource';

const memoryKey = 'kymo.comparison';

/** Two profiles, or a measurement and the baseline that judges it. */
type Compared = ComparedFiles | GatedFiles;

/**
 * What changed since a baseline: of the two measurements that were compared last in this window, or of the measurement that was judged by a baseline last, until
 * that is stopped.
 */
export class ComparisonSource implements PropertySource, vscode.Disposable {
  readonly name = 'comparison';
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.changed.event;
  private files: Compared | undefined;
  private verdict: JudgedBaseline | undefined;

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
    return this.files === undefined || isGated(this.files) ? undefined : this.files;
  }

  /** The measurement that a baseline judges, and the verdict if it is known; undefined: none is judged. */
  get judged(): { readonly files: GatedFiles; readonly verdict: JudgedBaseline | undefined } | undefined {
    return this.files !== undefined && isGated(this.files)
      ? { files: this.files, verdict: this.verdict }
      : undefined;
  }

  /** Judges a measurement by a baseline, and shows nothing. @throws EngineError */
  judge(files: GatedFiles, hooks: RequestHooks): Promise<JudgedBaseline> {
    return this.engine.job('judgeBaseline', { ...files, sources: sourcesHere() }, hooks);
  }

  /**
   * Shows a comparison in the source, or none. It is shown again after a reload.
   * @param verdict of a measurement that was judged just now
   */
  async show(files: Compared | undefined, verdict?: JudgedBaseline): Promise<void> {
    if (verdict === undefined && JSON.stringify(files) === JSON.stringify(this.files)) return;
    this.files = files;
    this.verdict = verdict;
    this.setContext();
    this.changed.fire();
    await this.memory.update(memoryKey, files);
  }

  private setContext(): void {
    void vscode.commands.executeCommand('setContext', 'kymo.comparing', this.files !== undefined);
    void vscode.commands.executeCommand('setContext', 'kymo.judged', this.judged !== undefined);
  }

  async *find(signal: AbortSignal): AsyncGenerator<readonly FoundIn[]> {
    const { files } = this;
    if (files === undefined) {
      yield [];
      return;
    }
    const folder = folderOf(isGated(files) ? files.candidate : files.file);
    if (folder === undefined) return;
    try {
      yield [
        isGated(files)
          ? judgedIn(folder, files, await this.verdictOf(files, signal))
          : foundIn(
              folder,
              files,
              await this.engine.query('comparisonInSource', { ...files, sources: sourcesHere() }, { signal }),
            ),
      ];
    } catch (error) {
      if (signal.aborted) return;
      this.log.warn(`Comparison: ${error instanceof Error ? error.message : String(error)}`);
      yield [];
    }
  }

  private async verdictOf(files: GatedFiles, signal: AbortSignal): Promise<JudgedBaseline> {
    const verdict = this.verdict ?? (await this.judge(files, { signal }));
    if (files === this.files) this.verdict = verdict;
    return verdict;
  }

  dispose(): void {
    this.changed.dispose();
  }
}

function isGated(files: Compared): files is GatedFiles {
  return 'candidate' in files;
}

/** The folder that a profile is in, or any: a `.cubex` may lie anywhere. */
function folderOf(file: string): vscode.WorkspaceFolder | undefined {
  const folders = localFolders();
  return folders.find(({ uri }) => file.startsWith(uri.fsPath + path.sep)) ?? folders[0];
}

function filesIn(value: unknown): Compared | undefined {
  if (gatedIn(value) !== undefined) return gatedIn(value);
  if (typeof value !== 'object' || value === null) return undefined;
  const { file, baseline } = value as Partial<Record<keyof ComparedFiles, unknown>>;
  return typeof file === 'string' && typeof baseline === 'string' ? { file, baseline } : undefined;
}

/** What the memory of a window, or a command's argument, has of a judged measurement. */
export function gatedIn(value: unknown): GatedFiles | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { workspace, target, baseline, candidate, allow } = value as Partial<
    Record<keyof GatedFiles, unknown>
  >;
  const allowed = differences.filter((one) => Array.isArray(allow) && allow.includes(one));
  return typeof workspace === 'string' &&
    typeof target === 'string' &&
    typeof baseline === 'string' &&
    typeof candidate === 'string'
    ? { workspace, target, baseline, candidate, ...(allowed.length > 0 && { allow: allowed }) }
    : undefined;
}

/** A gate decides itself which changes matter; only what it cannot tell has the threshold of the other findings. */
function judgedIn(
  folder: vscode.WorkspaceFolder,
  files: GatedFiles,
  { properties, missingSources, studyDirectory }: JudgedBaseline,
): FoundIn {
  const { target, baseline, candidate } = files;
  return {
    ...{ folder, target, properties, missingSources, linesOf: studyDirectory },
    title: l10n.t('{0} compared with {1}', path.basename(candidate), path.basename(baseline)),
    levelOf: (property, uri) => {
      const { level } = kindRecord(property.kind);
      if (level === 'note' || !annotationSettings(uri).enabled) return undefined;
      return level === 'error' || severityOf(property) >= propertyThreshold(uri) ? level : undefined;
    },
    command: () => ({ title: l10n.t('Show Verdict'), command: 'kymo.showVerdict' }),
    fixes: [
      {
        title: l10n.t('Accept as New Baseline'),
        command: 'kymo.acceptBaseline',
        arguments: [files],
      },
    ],
  };
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
