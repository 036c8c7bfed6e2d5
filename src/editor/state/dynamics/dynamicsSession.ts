import * as vscode from 'vscode';
import { KymoError } from '../../../core/errors';
import type { DynamicsProgress, DynamicsSettings } from '../../../protocol/dynamics';
import type { DynamicsName, DynamicsQuestion, OpenedDynamics } from '../../../workflows/views/dynamicsView';
import type { EngineClient } from '../../../engine/client';
import type { DocumentQuestions, RequestHooks } from '../../../engine/questions';
import type { NameOf, OptionsOf, PartOf, Requests, ResultOf } from '../../../engine/requests/requests';
import type { EngineEvent } from '../../../engine/wire';
import { watchFile } from '../../base/watchFile';
import { dynamicsSettings } from '../settings/settings';

/** Time that an unused analysis stays in memory, because the user may return to it. */
const idleMilliseconds = 5 * 60_000;
/** Updates faster than this are not noticeable. */
const progressMilliseconds = 100;
/** The files of one run are written together: watching these is enough to notice a new run. */
const watchedFiles = 4;

/** The input of an analysis. */
export type DynamicsInput =
  /** Absolute: series files, a profile with iterations, or an experiment. */
  | { readonly kind: 'files'; readonly files: readonly string[] }
  /** Folder of a target, study or round: its newest experiment with iterations is analysed. */
  | { readonly kind: 'folder'; readonly folder: string };

export type SessionState =
  | { readonly kind: 'analysing'; readonly progress?: DynamicsProgress }
  | { readonly kind: 'done'; readonly opened: OpenedDynamics; readonly question: DynamicsQuestion }
  | { readonly kind: 'noIterations'; readonly message: string }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'failed'; readonly message: string; readonly error: unknown };

/** Requests to an opened analysis. */
type Asking = {
  [Name in NameOf<Requests, 'query', 'document'>]: OptionsOf<Requests, Name> extends DynamicsName
    ? Name
    : never;
}[NameOf<Requests, 'query', 'document'>];
type Asked<Name extends keyof Requests> = Omit<OptionsOf<Requests, Name>, 'question'>;

/**
 * The analysis of one input for whoever shows it: panel, lenses, Properties view. It runs in an engine process of its own, so that other
 * questions do not wait for it, and again when its input changes.
 */
export class DynamicsSession implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<SessionState>();
  /** Another state, or progress of the analysis. */
  readonly onDidChange = this.changed.event;
  private readonly questions: DocumentQuestions;
  private current: SessionState = { kind: 'analysing' };
  private abort: AbortController | undefined;
  private watchers: readonly vscode.Disposable[] = [];
  private watched = '';
  /** Options that the user chose in the panel instead of the settings. */
  private chosen: Partial<DynamicsSettings> = {};

  constructor(
    private readonly engine: EngineClient,
    readonly input: DynamicsInput,
  ) {
    this.questions = engine.document(idleMilliseconds);
    void this.analyse();
  }

  get state(): SessionState {
    return this.current;
  }

  get settings(): DynamicsSettings {
    const { burst, improvements } = dynamicsSettings(this.scope);
    return { burst, improvements, ...this.chosen };
  }

  /** Resolves when the analysis has ended. */
  settled(): Promise<SessionState> {
    if (this.current.kind !== 'analysing') return Promise.resolve(this.current);
    return new Promise((resolve) => {
      const subscription = this.onDidChange((state) => {
        if (state.kind === 'analysing') return;
        subscription.dispose();
        resolve(state);
      });
    });
  }

  /** Analyses again, with other settings if given. */
  async analyse(settings?: DynamicsSettings): Promise<void> {
    if (settings !== undefined) this.chosen = settings;
    this.abort?.abort();
    const abort = new AbortController();
    this.abort = abort;
    this.become({ kind: 'analysing' });
    const state = await this.outcome(abort.signal);
    // A later analysis has started, or the session has ended.
    if (this.abort !== abort) return;
    this.abort = undefined;
    this.become(state);
  }

  /** False if no analysis is running. */
  cancel(): boolean {
    this.abort?.abort();
    return this.abort !== undefined;
  }

  /** Analyses again when there is a newer experiment. */
  async follow(): Promise<void> {
    const { current, input } = this;
    if (input.kind === 'files' || current.kind === 'analysing') return;
    const newest = await this.newest(input.folder).catch(() => undefined);
    const analysed = current.kind === 'done' ? current.question.request.inputs[0] : undefined;
    // Another analysis may have started during the lookup.
    if (newest !== undefined && newest !== analysed && this.current === current) await this.analyse();
  }

  /** Asks about the current analysis; the engine makes it again if it no longer has it. @throws KymoError */
  async ask<Name extends Asking>(
    name: Name,
    options: Asked<Name>,
    hooks: RequestHooks = {},
  ): Promise<ResultOf<Requests, Name>> {
    const request = { ...options, question: this.question } as unknown as OptionsOf<Requests, Name>;
    return this.questions.query(name, request, hooks);
  }

  /** The findings at their current places. @throws KymoError as `ask` */
  found(options: Asked<'dynamicsFound'>): AsyncIterable<PartOf<Requests, 'dynamicsFound'>> {
    return this.questions.stream('dynamicsFound', { ...options, question: this.question });
  }

  /** The question that the current analysis answers. @throws KymoError `analysis-changed` */
  private get question(): DynamicsQuestion {
    const { current } = this;
    if (current.kind !== 'done')
      throw new KymoError('analysis-changed', 'The run is being analysed again. Wait for its end.');
    return current.question;
  }

  /** The folder whose settings apply. */
  private get scope(): vscode.Uri {
    const { input } = this;
    return vscode.Uri.file(input.kind === 'folder' ? input.folder : (input.files[0] ?? '/'));
  }

  private async outcome(signal: AbortSignal): Promise<SessionState> {
    let next = 0;
    try {
      const question = await this.makeQuestion();
      this.watch(question.request.inputs);
      const opened = await this.questions.query('openDynamics', question, {
        signal,
        onEvent: (event) => {
          if (event.kind !== 'progress' || signal.aborted || performance.now() < next) return;
          next = performance.now() + progressMilliseconds;
          this.become({ kind: 'analysing', progress: progressOf(event) });
        },
      });
      return { kind: 'done', opened, question };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const reason = error instanceof KymoError ? (error as KymoError).reason : '';
      if (signal.aborted || reason === 'cancelled') return { kind: 'cancelled' };
      return reason === 'no-iterations'
        ? { kind: 'noIterations', message }
        : { kind: 'failed', message, error };
    }
  }

  private async makeQuestion(): Promise<DynamicsQuestion> {
    const { input, scope } = this;
    const { reportThreshold, rules } = dynamicsSettings(scope);
    const inputs = input.kind === 'files' ? input.files : [(await this.newest(input.folder)) ?? input.folder];
    const { burst, improvements } = this.settings;
    const folder = vscode.workspace.getWorkspaceFolder(scope) ?? vscode.workspace.workspaceFolders?.[0];
    const workspace = folder?.uri.fsPath ?? vscode.Uri.joinPath(scope, '..').fsPath;
    const rulesFile = rules === '' ? undefined : await existing(vscode.Uri.file(workspace), rules);
    return {
      request: {
        inputs,
        options: { ...(burst > 0 ? { burst: powerOfTwo(burst) } : {}), improvements, reportThreshold },
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
      .map((file) => watchFile(vscode.Uri.file(file), () => void this.analyse()));
  }

  private become(state: SessionState): void {
    this.current = state;
    this.changed.fire(state);
  }

  dispose(): void {
    this.abort?.abort();
    this.abort = undefined;
    for (const watcher of this.watchers) watcher.dispose();
    this.questions.dispose();
    this.changed.dispose();
  }
}

function progressOf(event: EngineEvent & { readonly kind: 'progress' }): DynamicsProgress {
  const { message, fraction } = event;
  return fraction === undefined ? { message } : { message, fraction };
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
