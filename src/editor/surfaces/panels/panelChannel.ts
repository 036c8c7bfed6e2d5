import { readToExtension, type RequestShape, type ToWebview } from '../../../protocol/channel';
import type { Guard } from '../../../protocol/guards';
import { ownArrays } from './ownArrays';

/** The part of a webview that the channel needs, so that tests need no editor. */
export interface Wire {
  postMessage(message: ToWebview): unknown;
  onDidReceiveMessage(listener: (message: unknown) => void): { dispose(): unknown };
}

/** The check of the parameters of one kind of request, and the work that answers it. */
export interface Answer<Parameters, Result> {
  readonly guard: Guard<Parameters>;
  readonly answer: (parameters: Parameters, signal: AbortSignal) => Promise<Result> | Result;
}

export type Answers<Requests extends RequestShape<Requests>> = {
  readonly [Name in keyof Requests]: Answer<Requests[Name]['parameters'], Requests[Name]['result']>;
};

/** Maximum number of concurrent requests; a webview with more of them is faulty. */
const mostAtOnce = 64;

/** The extension's end of the connection to one webview. It sends nothing before the webview is ready, and checks every message. */
export class PanelChannel<Requests extends RequestShape<Requests>, Events> {
  private readonly running = new Map<number, AbortController>();
  private readonly subscription: { dispose(): unknown };
  private isReady = false;

  /**
   * @param onReady receives the state that the view stored before a reload (unchecked)
   * @param onRefused receives the reason why a message was refused, for the log
   */
  constructor(
    private readonly wire: Wire,
    private readonly answers: Answers<Requests>,
    private readonly onReady: (state: unknown) => void,
    private readonly onRefused: (why: string) => void,
  ) {
    this.subscription = wire.onDidReceiveMessage((message) => this.receive(message));
  }

  /** Sends an event, unless the view is not ready: it asks for its data when it is. */
  tell<Name extends keyof Events & string>(name: Name, value: Events[Name]): void {
    if (this.isReady) void this.wire.postMessage({ kind: 'event', name, value });
  }

  /** Pauses until the webview is ready again: sends nothing, and aborts the running requests. */
  pause(): void {
    this.isReady = false;
    for (const abort of this.running.values()) abort.abort();
    this.running.clear();
  }

  dispose(): void {
    this.subscription.dispose();
    this.pause();
  }

  private receive(data: unknown): void {
    const message = readToExtension(data);
    if (message === undefined) this.onRefused('a message that is not of the protocol');
    else if (message.kind === 'ready') {
      this.isReady = true;
      this.onReady(message.state);
    } else if (message.kind === 'cancel') this.running.get(message.id)?.abort();
    else void this.respond(message.id, message.name, message.parameters);
  }

  private async respond(id: number, name: string, given: unknown): Promise<void> {
    const refuse = (why: string): void => {
      this.onRefused(why);
      void this.wire.postMessage({ kind: 'failure', id, reason: 'refused', message: why });
    };
    if (!Object.hasOwn(this.answers, name)) {
      refuse(`an unknown request "${name.slice(0, 60)}"`);
      return;
    }
    if (this.running.has(id) || this.running.size >= mostAtOnce) {
      refuse('too many requests at a time');
      return;
    }
    const { guard, answer } = this.answers[name as keyof Requests] as Answer<unknown, unknown>;
    const parameters = guard(given);
    if (parameters === undefined) {
      refuse(`request "${name}" with parameters that do not fit`);
      return;
    }
    const abort = new AbortController();
    this.running.set(id, abort);
    try {
      const result = await answer(parameters, abort.signal);
      if (!abort.signal.aborted)
        void this.wire.postMessage({ kind: 'response', id, result: ownArrays(result) });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const reason = (error as { reason?: unknown } | undefined)?.reason;
      if (!abort.signal.aborted)
        void this.wire.postMessage({
          kind: 'failure',
          id,
          reason: typeof reason === 'string' ? reason : 'failed',
          message,
        });
    } finally {
      this.running.delete(id);
    }
  }
}
