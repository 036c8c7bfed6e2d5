import path from 'node:path';
import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import { present } from '../../../core/present';
import { kindRecord } from '../../../core/properties/kinds';
import { severityOf } from '../../../core/properties/property';
import type { EngineClient } from '../../../engine/client';
import type { Threshold } from '../../../protocol/diagnosis';
import type { DiagnosisInSource } from '../../../workflows/views/diagnosisInSource';
import { searchedFor, type DiagnosisInput } from '../diagnosis/diagnosisSession';
import { annotationSettings, propertyThreshold } from '../settings/settings';
import { sourcesHere } from '../settings/sourcePaths';
import { localFolders } from '../studies/studies';
import type { FoundIn, PropertySource } from './propertySource';

const memoryKey = 'kymo.diagnosis';

/**
 * Why the program was slow, and where: of the measurement that was diagnosed last in this window, with the thresholds of its panel, until it is hidden. A search
 * takes processor time, so nothing is searched that nobody has asked for.
 */
export class DiagnosisSource implements PropertySource, vscode.Disposable {
  readonly name = 'diagnosis';
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.changed.event;
  private input: DiagnosisInput | undefined;
  private found: string | undefined;

  constructor(
    private readonly engine: EngineClient,
    private readonly memory: vscode.Memento,
    private readonly log: Pick<vscode.LogOutputChannel, 'warn'>,
  ) {
    this.input = inputIn(memory.get<unknown>(memoryKey));
    this.setContext();
  }

  /**
   * Shows a diagnosis in the source, or none. It is shown again after a reload.
   * @param found changes with what was found in the same input
   */
  async show(input: DiagnosisInput | undefined, found?: string): Promise<void> {
    if (JSON.stringify(input) === JSON.stringify(this.input)) {
      if (input !== undefined) this.update(input, found);
      return;
    }
    this.input = input;
    this.found = found;
    this.setContext();
    this.changed.fire();
    await this.memory.update(memoryKey, input);
  }

  /** The same where the diagnosis of this input is shown; else nothing. */
  update(input: DiagnosisInput, found: string | undefined): void {
    if (found === this.found || JSON.stringify(input) !== JSON.stringify(this.input)) return;
    this.found = found;
    this.changed.fire();
  }

  async *find(signal: AbortSignal): AsyncGenerator<readonly FoundIn[]> {
    const { input } = this;
    const folder = input && folderOf(input.path);
    if (input === undefined || folder === undefined) {
      yield [];
      return;
    }
    // A process of its own: a large profile would keep other questions waiting.
    const questions = this.engine.document(0);
    try {
      const asked = { ...searchedFor(input), sources: sourcesHere() };
      yield [foundIn(folder, input, await questions.query('diagnosisInSource', asked, { signal }))];
    } catch (error) {
      if (signal.aborted) return;
      this.log.warn(`Diagnosis: ${error instanceof Error ? error.message : String(error)}`);
      yield [];
    } finally {
      questions.dispose();
    }
  }

  private setContext(): void {
    void vscode.commands.executeCommand('setContext', 'kymo.diagnosisShown', this.input !== undefined);
  }

  dispose(): void {
    this.changed.dispose();
  }
}

/** The folder that a measurement is in, or any: a `.cubex` may lie anywhere. */
function folderOf(file: string): vscode.WorkspaceFolder | undefined {
  const folders = localFolders();
  return folders.find(({ uri }) => file.startsWith(uri.fsPath + path.sep)) ?? folders[0];
}

function inputIn(value: unknown): DiagnosisInput | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { path: given, thresholds } = value as Partial<Record<keyof DiagnosisInput, unknown>>;
  if (typeof given !== 'string') return undefined;
  return { path: given, ...(Array.isArray(thresholds) && { thresholds: thresholds.filter(isThreshold) }) };
}

function isThreshold(value: unknown): value is Threshold {
  if (typeof value !== 'object' || value === null) return false;
  const { hypothesis, threshold } = value as Partial<Record<keyof Threshold, unknown>>;
  return typeof hypothesis === 'string' && typeof threshold === 'number';
}

function foundIn(
  folder: vscode.WorkspaceFolder,
  input: DiagnosisInput,
  { title, target, studyDirectory, properties, missingSources }: DiagnosisInSource,
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
      title: l10n.t('Show in Diagnosis Panel'),
      command: 'kymo.diagnose',
      arguments: [input],
    }),
  };
}
