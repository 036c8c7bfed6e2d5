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

/** The user answers a question of the extension meanwhile: where to save, whether to run. */
export const dialogMilliseconds = 24 * 3600 * 1000;

/** What stands around the content of every view: its channel to the extension, its saved state, a notice, and messages in the content's place. */
export class Shell<Requests extends RequestShape<Requests>, Events, State extends object> implements Control {
  readonly channel: Channel<Requests, Events>;
  readonly saved: SavedState<State>;
  readonly element: HTMLElement;
  /** Stays visible while a message stands in the content's place. */
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

  /** Saves changed fields; those that are undefined are removed. */
  keep(part: { readonly [Name in keyof State]?: State[Name] | undefined }): void {
    this.saved.save(present({ ...this.state, ...part }) as State);
  }

  /** Puts a message in the content's place; undefined: shows the content. */
  show(message: Message | undefined): void {
    this.content.hidden = message !== undefined;
    this.message.show(message);
  }

  /** Says in the content's place what failed, and offers to try again. */
  fail(error: unknown, again: () => void, detail?: string, ...more: readonly Control[]): void {
    this.show({
      kind: 'error',
      text: errorText(error),
      ...(detail !== undefined && { detail }),
      action: { label: 'Try Again', run: again },
    });
    this.message.element.append(...more.map((control) => control.element));
  }

  /** Asks the extension to do something. `outcome` is read out; what fails stands in the notice. */
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

  /** Shows above the content what failed, unless the question was cancelled. */
  warn(error: unknown): void {
    if (!isCancelled(error)) this.notice.say(errorText(error));
  }

  /** Keys that work wherever the focus is, also while nothing has it; `handle` returns whether it used the key. */
  onKey(handle: (event: KeyboardEvent) => boolean): void {
    document.addEventListener('keydown', (event) => {
      if (!this.content.hidden && handle(event)) event.preventDefault();
    });
  }
}

/** Starts a view in its page: it exists before the extension hears that the page is ready. */
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

/** A question that is asked again and again: only the answer to the newest one matters. */
export class Newest {
  private asking = new AbortController();

  /** Cancels the earlier question. */
  next(): AbortSignal {
    this.cancel();
    this.asking = new AbortController();
    return this.asking.signal;
  }

  cancel(): void {
    this.asking.abort();
  }
}
