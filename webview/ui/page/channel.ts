import { readToWebview, type RequestShape, type ToExtension } from '../../../src/protocol/channel';

/** What `acquireVsCodeApi()` returns (VS Code webview guide). */
export interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

/** The failure of a request: the extension refused it, it failed, or no answer came. */
export class RequestError extends Error {
  constructor(
    readonly reason: string,
    message: string,
  ) {
    super(message);
  }
}

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly timer: ReturnType<typeof setTimeout>;
}

const usualPatienceMilliseconds = 30_000;

/** The webview's end of the connection to the extension. */
export class Channel<Requests extends RequestShape<Requests>, Events> {
  private readonly waiting = new Map<number, Waiting>();
  private readonly listeners = new Map<keyof Events, Set<(value: never) => void>>();
  private nextId = 1;

  constructor(
    private readonly api: VsCodeApi,
    source: Pick<Window, 'addEventListener'> = window,
  ) {
    source.addEventListener('message', (event) => this.receive(event.data));
  }

  /** Announces that all listeners are registered; the extension sends nothing before. */
  ready(): void {
    const state = this.api.getState();
    this.send({ kind: 'ready', ...(state === undefined ? {} : { state }) });
  }

  /** @throws RequestError with reason `timeout` when no answer comes, `cancelled` when `signal` aborts, else with the reason that the extension gives */
  request<Name extends keyof Requests & string>(
    name: Name,
    parameters: Requests[Name]['parameters'],
    options: { readonly signal?: AbortSignal; readonly patienceMilliseconds?: number } = {},
  ): Promise<Requests[Name]['result']> {
    const id = this.nextId++;
    return new Promise((resolve, reject) => {
      const give = (error: RequestError): void => {
        if (!this.settle(id)) return;
        this.send({ kind: 'cancel', id });
        reject(error);
      };
      const timer = setTimeout(
        () => give(new RequestError('timeout', 'The extension did not answer in time. Try again.')),
        options.patienceMilliseconds ?? usualPatienceMilliseconds,
      );
      this.waiting.set(id, {
        resolve: (result) => resolve(result),
        reject,
        timer,
      });
      options.signal?.addEventListener('abort', () => give(new RequestError('cancelled', 'Cancelled.')), {
        once: true,
      });
      this.send({ kind: 'request', id, name, parameters });
    });
  }

  /** Registers a listener and returns a function that removes it. */
  on<Name extends keyof Events>(name: Name, listener: (value: Events[Name]) => void): () => void {
    const listeners = this.listeners.get(name) ?? new Set();
    this.listeners.set(name, listeners);
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  private send(message: ToExtension): void {
    this.api.postMessage(message);
  }

  private receive(data: unknown): void {
    const message = readToWebview(data);
    if (message === undefined) return;
    mendLists(message);
    if (message.kind === 'event') {
      for (const listener of this.listeners.get(message.name as keyof Events) ?? [])
        listener(message.value as never);
      return;
    }
    const waiting = this.waiting.get(message.id);
    if (waiting === undefined || !this.settle(message.id)) return;
    if (message.kind === 'response') waiting.resolve(message.result);
    else waiting.reject(new RequestError(message.reason, message.message));
  }

  private settle(id: number): boolean {
    const waiting = this.waiting.get(id);
    if (waiting === undefined) return false;
    clearTimeout(waiting.timer);
    return this.waiting.delete(id);
  }
}

/** VS Code sends JSON, in which lists have `null` for what is undefined. No view's protocol has `null` in a list. */
function mendLists(value: unknown): void {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return;
  if (Array.isArray(value)) {
    const list: unknown[] = value;
    for (const [index, one] of list.entries()) list[index] = one ?? undefined;
  }
  for (const one of Object.values(value)) mendLists(one);
}
