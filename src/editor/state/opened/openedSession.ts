import * as vscode from 'vscode';
import { KymoError } from '../../../core/errors';
import type { EngineClient } from '../../../engine/client';
import type { DocumentQuestions, RequestHooks } from '../../../engine/questions';
import type { NameOf, OptionsOf, Requests, ResultOf } from '../../../engine/requests/requests';
import type { MakingProgress, Opened } from '../../../protocol/opened';

/** Time that an unused document stays in memory, because the user may return to it. */
const idleMilliseconds = 5 * 60_000;
/** Updates faster than this are not noticeable. */
const progressMilliseconds = 100;

export type SessionState<Question, Document> =
  | Exclude<Opened<never>, { readonly kind: 'done' }>
  | { readonly kind: 'done'; readonly opened: Document; readonly question: Question };

/** What requests about an opened document name it by. */
interface Named {
  readonly question: unknown;
  readonly id: string;
}

type DocumentRequest = NameOf<Requests, 'query', 'document'>;
/** Requests about documents that are named so. */
type Asking<Name extends Named> = {
  [Request in DocumentRequest]: OptionsOf<Requests, Request> extends Name ? Request : never;
}[DocumentRequest];
export type Asked<Request extends keyof Requests> = Omit<OptionsOf<Requests, Request>, 'question'>;

/** Reasons and messages of errors that a kind of document has. */
interface OpenedWords {
  /** The reason of the error when the input has nothing to show. */
  readonly empty: string;
  /** The error of a question while the document is made. */
  readonly changed: readonly [reason: string, message: string];
}

/**
 * A document that is made of one input, in an engine process of its own, so that other questions do not wait for it. Making shows progress, can be
 * cancelled, and ends when it begins anew.
 */
export abstract class OpenedSession<Name extends Named, Document> implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<SessionState<Name['question'], Document>>();
  /** Another state, or progress. */
  readonly onDidChange = this.changed.event;
  protected readonly questions: DocumentQuestions;
  private current: SessionState<Name['question'], Document> = { kind: 'making' };
  private abort: AbortController | undefined;

  protected constructor(
    protected readonly engine: EngineClient,
    private readonly words: OpenedWords,
  ) {
    this.questions = engine.document(idleMilliseconds);
  }

  get state(): SessionState<Name['question'], Document> {
    return this.current;
  }

  /** The question that the current document answers. @throws KymoError while it is made */
  protected get question(): Name['question'] {
    if (this.current.kind === 'done') return this.current.question;
    throw new KymoError(...this.words.changed);
  }

  protected abstract newQuestion(): Name['question'] | Promise<Name['question']>;

  protected abstract open(question: Name['question'], hooks: RequestHooks): Promise<Document>;

  /** Reads the input again, and makes the document. */
  async make(): Promise<void> {
    this.abort?.abort();
    const abort = new AbortController();
    this.abort = abort;
    this.become({ kind: 'making' });
    const state = await this.outcome(abort.signal);
    // A later one has started, or the session has ended.
    if (this.abort !== abort) return;
    this.abort = undefined;
    this.become(state);
  }

  /** False if nothing is being made. */
  cancel(): boolean {
    this.abort?.abort();
    return this.abort !== undefined;
  }

  /** Asks about the document; the engine makes it again if it no longer has it. @throws KymoError */
  async ask<Request extends Asking<Name>>(
    name: Request,
    options: Asked<Request>,
    hooks: RequestHooks = {},
  ): Promise<ResultOf<Requests, Request>> {
    const request = { ...options, question: this.question } as unknown as OptionsOf<Requests, Request>;
    return this.questions.query(name, request, hooks);
  }

  private async outcome(signal: AbortSignal): Promise<SessionState<Name['question'], Document>> {
    let next = 0;
    try {
      const question = await this.newQuestion();
      const opened = await this.open(question, {
        signal,
        onEvent: (event) => {
          if (event.kind !== 'progress' || signal.aborted || performance.now() < next) return;
          next = performance.now() + progressMilliseconds;
          const { message, fraction } = event;
          const progress: MakingProgress = fraction === undefined ? { message } : { message, fraction };
          this.become({ kind: 'making', progress });
        },
      });
      return { kind: 'done', opened, question };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const reason = error instanceof KymoError ? (error as KymoError).reason : '';
      if (signal.aborted || reason === 'cancelled') return { kind: 'cancelled' };
      return { kind: reason === this.words.empty ? 'empty' : 'failed', message };
    }
  }

  protected become(state: SessionState<Name['question'], Document>): void {
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

/** What a panel shows of a state. */
export function openedOf<Header>(state: SessionState<unknown, { readonly header: Header }>): Opened<Header> {
  return state.kind === 'done' ? { kind: 'done', header: state.opened.header } : state;
}
