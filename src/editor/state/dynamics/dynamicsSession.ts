import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import type { EngineClient } from '../../../engine/client';
import type { RequestHooks } from '../../../engine/questions';
import type { PartOf, Requests } from '../../../engine/requests/requests';
import type { DynamicsSettings } from '../../../protocol/dynamics';
import type { DynamicsName, DynamicsQuestion, OpenedDynamics } from '../../../workflows/views/dynamicsView';
import { watchFile } from '../../base/watchFile';
import { OpenedSession, type Asked, type SessionState } from '../opened/openedSession';
import { dynamicsSettings } from '../settings/settings';

/** The files of one run are written together: watching these is enough to notice a new run. */
const watchedFiles = 4;

/** The input of an analysis. */
export type DynamicsInput =
  /** Absolute: series files, a profile with iterations, or an experiment. */
  | { readonly kind: 'files'; readonly files: readonly string[] }
  /** Folder of a target, study or round: its newest experiment with iterations is analysed. */
  | { readonly kind: 'folder'; readonly folder: string };

export type DynamicsState = SessionState<DynamicsQuestion, OpenedDynamics>;

/**
 * The analysis of one input for whoever shows it: panel, lenses, Properties view. It runs again when its input changes.
 */
export class DynamicsSession extends OpenedSession<DynamicsName, OpenedDynamics> {
  private watchers: readonly vscode.Disposable[] = [];
  private watched = '';
  /** Options that the user chose in the panel instead of the settings. */
  private chosen: Partial<DynamicsSettings> = {};

  constructor(
    engine: EngineClient,
    readonly input: DynamicsInput,
  ) {
    super(engine, {
      empty: 'no-iterations',
      changed: ['analysis-changed', l10n.t('The run is being analysed again. Wait for its end.')],
    });
    void this.make();
  }

  get settings(): DynamicsSettings {
    const { burst, improvements } = dynamicsSettings(this.scope);
    return { burst, improvements, ...this.chosen };
  }

  /** Resolves when the analysis has ended. */
  settled(): Promise<DynamicsState> {
    if (this.state.kind !== 'making') return Promise.resolve(this.state);
    return new Promise((resolve) => {
      const subscription = this.onDidChange((state) => {
        if (state.kind === 'making') return;
        subscription.dispose();
        resolve(state);
      });
    });
  }

  /** Analyses again with other settings. */
  async analyse(settings: DynamicsSettings): Promise<void> {
    this.chosen = settings;
    await this.make();
  }

  /** Analyses again when there is a newer experiment. */
  async follow(): Promise<void> {
    const { state: current, input } = this;
    if (input.kind === 'files' || current.kind === 'making') return;
    const newest = await this.newest(input.folder).catch(() => undefined);
    const analysed = current.kind === 'done' ? current.question.request.inputs[0] : undefined;
    // Another analysis may have started during the lookup.
    if (newest !== undefined && newest !== analysed && this.state === current) await this.make();
  }

  /** The findings at their current places. @throws KymoError as `ask` */
  found(options: Asked<'dynamicsFound'>): AsyncIterable<PartOf<Requests, 'dynamicsFound'>> {
    return this.questions.stream('dynamicsFound', { ...options, question: this.question });
  }

  /** The folder whose settings apply. */
  private get scope(): vscode.Uri {
    const { input } = this;
    return vscode.Uri.file(input.kind === 'folder' ? input.folder : (input.files[0] ?? '/'));
  }

  protected open(question: DynamicsQuestion, hooks: RequestHooks): Promise<OpenedDynamics> {
    this.watch(question.request.inputs);
    return this.questions.query('openDynamics', question, hooks);
  }

  protected async newQuestion(): Promise<DynamicsQuestion> {
    const { input, scope } = this;
    const { reportThreshold, rules, method, falseAlarm } = dynamicsSettings(scope);
    const inputs = input.kind === 'files' ? input.files : [(await this.newest(input.folder)) ?? input.folder];
    const { burst, improvements } = this.settings;
    const folder = vscode.workspace.getWorkspaceFolder(scope) ?? vscode.workspace.workspaceFolders?.[0];
    const workspace = folder?.uri.fsPath ?? vscode.Uri.joinPath(scope, '..').fsPath;
    const rulesFile = rules === '' ? undefined : await existing(vscode.Uri.file(workspace), rules);
    return {
      request: {
        inputs,
        options: {
          ...(burst > 0 ? { burst: powerOfTwo(burst) } : {}),
          ...{ improvements, reportThreshold, method, falseAlarm },
        },
        ...(rulesFile === undefined ? {} : { rules: rulesFile }),
      },
      workspace,
    };
  }

  private newest(folder: string): Promise<string | undefined> {
    return this.engine.query('newestIterations', { folder });
  }

  private watch(files: readonly string[]): void {
    const key = JSON.stringify(files);
    if (key === this.watched) return;
    this.watched = key;
    for (const watcher of this.watchers) watcher.dispose();
    this.watchers = files
      .slice(0, watchedFiles)
      .map((file) => watchFile(vscode.Uri.file(file), () => void this.make()));
  }

  override dispose(): void {
    for (const watcher of this.watchers) watcher.dispose();
    super.dispose();
  }
}

/** The nearest value that an analysis accepts. */
function powerOfTwo(burst: number): number {
  return 2 ** Math.min(20, Math.max(4, Math.round(Math.log2(burst))));
}

/** Undefined if the file does not exist. */
async function existing(folder: vscode.Uri, name: string): Promise<string | undefined> {
  const file = name.startsWith('/') ? vscode.Uri.file(name) : vscode.Uri.joinPath(folder, name);
  const stat = await Promise.resolve(vscode.workspace.fs.stat(file)).catch(() => undefined);
  return stat === undefined ? undefined : file.fsPath;
}
