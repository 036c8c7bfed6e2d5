import type { RequestShape } from '../../../src/protocol/channel';
import { present } from '../../../src/core/present';
import { type Control, element } from '../base/dom';
import { announce } from '../base/liveRegion';
import { Channel, RequestError, type VsCodeApi } from './channel';
import { SavedState } from './savedState';
import { type Message, messageArea } from './messageArea';
import { notice } from './notice';
import { pageRoot } from './page';

declare function acquireVsCodeApi(): VsCodeApi;

/** Patience for requests during which the extension asks the user: for a file to save, or for permission to run. */
export const dialogMilliseconds = 24 * 3600 * 1000;

/** The frame around the content of every view: its channel to the extension, its saved state, a notice, and messages in place of the content. */
export class Shell<Requests extends RequestShape<Requests>, Events, State extends object> implements Control {
  readonly channel: Channel<Requests, Events>;
  readonly saved: SavedState<State>;
  readonly element: HTMLElement;
  /** The part above the content, which remains visible while a message replaces the content. */
  readonly top = element('div', { class: 'view-top' });
  readonly content = element('div', { class: 'view-content fill' });
  readonly notice = notice();
  private readonly message = messageArea();

  constructor(name: string, api: VsCodeApi, state: State) {
    this.channel = new Channel<Requests, Events>(api);
    this.saved = new SavedState(api, state);
    this.content.hidden = true;
    this.element = element(
      'div',
      { class: `view fill ${name}` },
      this.notice.element,
      this.top,
      this.message.element,
      this.content,
    );
  }

  get state(): State {
    return this.saved.state;
  }

  /** Saves changed fields and removes those that are undefined. */
  keep(part: { readonly [Name in keyof State]?: State[Name] | undefined }): void {
    this.saved.save(present({ ...this.state, ...part }) as State);
  }

  /** Shows a message in place of the content; undefined shows the content. */
  show(message: Message | undefined): void {
    this.content.hidden = message !== undefined;
    this.message.show(message);
  }

  /** Shows an error in place of the content, and offers to try again. */
  fail(error: unknown, again: () => void, detail?: string, ...more: readonly Control[]): void {
    this.show({
      kind: 'error',
      text: errorText(error),
      ...(detail !== undefined && { detail }),
      action: { label: 'Try Again', run: again },
    });
    this.message.element.append(...more.map((control) => control.element));
  }

  /** Asks the extension to do something. Announces `outcome`; an error appears in the notice. */
  act<Name extends keyof Requests & string>(
    name: Name,
    parameters: Requests[Name]['parameters'],
    outcome: (result: Requests[Name]['result']) => string | undefined = () => undefined,
  ): void {
    this.notice.hide();
    this.channel.request(name, parameters, { patienceMilliseconds: dialogMilliseconds }).then(
      (result) => {
        const text = outcome(result);
        if (text !== undefined) announce(text);
      },
      (error: unknown) => this.warn(error),
    );
  }

  /** Shows an error above the content, unless the request was cancelled. */
  warn(error: unknown): void {
    if (!isCancelled(error)) this.notice.say(errorText(error));
  }

  /** Registers keys that work with any focus, even without one; `handle` returns whether it used the key. */
  onKey(handle: (event: KeyboardEvent) => boolean): void {
    document.addEventListener('keydown', (event) => {
      if (!this.content.hidden && handle(event)) event.preventDefault();
    });
  }
}

/** Starts a view in its page. The view exists before the extension learns that the page is ready. */
export function startView<Requests extends RequestShape<Requests>, Events, State extends object>(
  name: string,
  readState: (saved: unknown) => State,
  view: (shell: Shell<Requests, Events, State>) => { open(): Promise<void> },
): void {
  const api = acquireVsCodeApi();
  const shell = new Shell<Requests, Events, State>(name, api, readState(api.getState()));
  const made = view(shell);
  pageRoot().append(shell.element);
  shell.channel.ready();
  void made.open();
}

/** Ctrl+F or Cmd+F. */
export function isFindKey(event: KeyboardEvent): boolean {
  return (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'f';
}

export function isCancelled(error: unknown): boolean {
  return error instanceof RequestError && error.reason === 'cancelled';
}

export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Cancels superseded requests: only the answer to the newest one matters. */
export class Newest {
  private asking = new AbortController();

  /** Cancels the previous request and returns the signal for the next one. */
  next(): AbortSignal {
    this.cancel();
    this.asking = new AbortController();
    return this.asking.signal;
  }

  cancel(): void {
    this.asking.abort();
  }
}
