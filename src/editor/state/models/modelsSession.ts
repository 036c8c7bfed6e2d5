import * as vscode from 'vscode';
import { KymoError } from '../../../core/errors';
import type { EngineClient } from '../../../engine/client';
import type { DocumentQuestions, RequestHooks } from '../../../engine/questions';
import type { NameOf, OptionsOf, Requests, ResultOf } from '../../../engine/requests/requests';
import type { ModelsProgress } from '../../../protocol/models';
import type { ModelsName, ModelsQuestion, OpenedModels } from '../../../workflows/views/modelsView';

/** Time that unused models stay in memory, because the user may return to them. */
const idleMilliseconds = 5 * 60_000;
/** Updates faster than this are not noticeable. */
const progressMilliseconds = 100;

/** Absolute: files with measurements, folders with experiments, or studies. */
export interface ModelsInput {
  readonly paths: readonly string[];
}

export type ModelsState =
  | { readonly kind: 'making'; readonly progress?: ModelsProgress }
  | { readonly kind: 'done'; readonly opened: OpenedModels; readonly question: ModelsQuestion }
  | { readonly kind: 'empty'; readonly message: string }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'failed'; readonly message: string };

type Asking = {
  [Name in NameOf<Requests, 'query', 'document'>]: OptionsOf<Requests, Name> extends ModelsName
    ? Name
    : never;
}[NameOf<Requests, 'query', 'document'>];
type Asked<Name extends keyof Requests> = Omit<OptionsOf<Requests, Name>, 'question'>;

/** The performance models of one input, made and kept in an engine process of their own. */
export class ModelsSession implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<ModelsState>();
  /** Another state, or progress. */
  readonly onDidChange = this.changed.event;
  private readonly questions: DocumentQuestions;
  private current: ModelsState = { kind: 'making' };
  private abort: AbortController | undefined;
  private revision = 0;

  constructor(
    engine: EngineClient,
    readonly input: ModelsInput,
  ) {
    this.questions = engine.document(idleMilliseconds);
    void this.make();
  }

  get state(): ModelsState {
    return this.current;
  }

  /** Reads the measurements again, and makes the models. */
  async make(): Promise<void> {
    this.abort?.abort();
    const abort = new AbortController();
    this.abort = abort;
    this.revision += 1;
    this.become({ kind: 'making' });
    const state = await this.outcome(abort.signal);
    // A later one has started, or the session has ended.
    if (this.abort !== abort) return;
    this.abort = undefined;
    this.become(state);
  }

  /** False if no models are being made. */
  cancel(): boolean {
    this.abort?.abort();
    return this.abort !== undefined;
  }

  /** Asks about the models; the engine makes them again if it no longer has them. @throws KymoError */
  async ask<Name extends Asking>(
    name: Name,
    options: Asked<Name>,
    hooks: RequestHooks = {},
  ): Promise<ResultOf<Requests, Name>> {
    const { current } = this;
    if (current.kind !== 'done')
      throw new KymoError('models-changed', 'The models are being made again. Wait for their end.');
    const request = { ...options, question: current.question } as unknown as OptionsOf<Requests, Name>;
    return this.questions.query(name, request, hooks);
  }

  private async outcome(signal: AbortSignal): Promise<ModelsState> {
    const question = { request: { paths: this.input.paths }, revision: this.revision };
    let next = 0;
    try {
      const opened = await this.questions.query('openModels', question, {
        signal,
        onEvent: (event) => {
          if (event.kind !== 'progress' || signal.aborted || performance.now() < next) return;
          next = performance.now() + progressMilliseconds;
          const { message, fraction } = event;
          this.become({
            kind: 'making',
            progress: fraction === undefined ? { message } : { message, fraction },
          });
        },
      });
      return { kind: 'done', opened, question };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const reason = error instanceof KymoError ? (error as KymoError).reason : '';
      if (signal.aborted || reason === 'cancelled') return { kind: 'cancelled' };
      return { kind: reason === 'no-model' ? 'empty' : 'failed', message };
    }
  }

  private become(state: ModelsState): void {
    this.current = state;
    this.changed.fire(state);
  }

  dispose(): void {
    this.abort?.abort();
    this.abort = undefined;
    this.questions.dispose();
    this.changed.dispose();
  }
}
