import type { HotSpotsOpened, Reveal } from '../../src/protocol/hotSpots';
import { RequestError, type VsCodeApi } from '../ui/channel';
import { element } from '../ui/dom';
import { announce } from '../ui/liveRegion';
import { messageArea } from '../ui/messageArea';
import { loadProfile, type HotSpotsChannel } from './load';
import { Model } from './model';
import { ProfileView } from './profileView';
import { readViewState, type ViewState } from './viewState';

/** Time after the last change, before it is kept: dragging a border changes much. */
const keepMilliseconds = 200;

/** The whole panel: loads what it shows, says what went wrong, keeps what the user is looking at. */
export class App {
  private readonly message = messageArea();
  private readonly notice = element('div', { class: 'notice', role: 'alert' });
  private readonly place = element('div', { class: 'profile-place' });
  private state: ViewState;
  private view: ProfileView | undefined;
  private loading = new AbortController();
  private revealed: string | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** What is not kept yet. */
  private changed: (() => ViewState) | undefined;

  constructor(
    root: HTMLElement,
    private readonly channel: HotSpotsChannel,
    private readonly api: VsCodeApi,
  ) {
    this.state = readViewState(api.getState());
    this.revealed = this.state.revealed;
    this.notice.hidden = true;
    root.append(this.notice, this.message.element, this.place);
    document.addEventListener('keydown', (event) => {
      if (this.view?.onKey(event) === true) event.preventDefault();
    });
    channel.on('opened', (opened) => void this.show(opened));
    channel.on('gone', ({ message }) => this.gone(message));
    channel.on('pins', (pins) => this.view?.setPins(pins));
    channel.on('reveal', (wanted) => this.reveal(wanted));
  }

  /** Asks for what is shown; again after an error. */
  async open(): Promise<void> {
    this.message.show({ kind: 'loading', text: 'Reading the profile…' });
    try {
      await this.show(await this.channel.request('open', {}, { patienceMilliseconds: 120_000 }));
    } catch (error) {
      this.fail(error);
    }
  }

  private async show(opened: HotSpotsOpened): Promise<void> {
    this.loading.abort();
    this.loading = new AbortController();
    const { signal } = this.loading;
    this.keepChanged();
    // Before anything else: the panel must be found again after a reload in this moment.
    this.keep({ ...this.state, panel: opened.panel });
    try {
      const main = await loadProfile(this.channel, 'main', opened.main, signal);
      const compare =
        opened.compare === undefined
          ? undefined
          : await loadProfile(this.channel, 'compare', opened.compare, signal);
      if (signal.aborted) return;
      this.build(opened, new Model(main, compare));
    } catch (error) {
      if (!(error instanceof RequestError && error.reason === 'cancelled')) this.fail(error);
    }
  }

  private build(opened: HotSpotsOpened, model: Model): void {
    this.keepChanged();
    this.notice.hidden = true;
    if (model.count === 0) {
      this.view = undefined;
      this.place.replaceChildren();
      this.message.show({
        kind: 'empty',
        text: 'The profile has no call paths: no instrumented function was executed in this run.',
      });
      return;
    }
    this.message.show(undefined);
    const hadFocus = this.place.contains(document.activeElement);
    const view = new ProfileView(model, opened, this.state, {
      channel: this.channel,
      onState: (state) => {
        this.changed = () => ({ ...state(), panel: opened.panel, revealed: this.revealed });
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.keepChanged(), keepMilliseconds);
      },
      onError: (error) => this.say(error instanceof Error ? error.message : String(error)),
    });
    this.view = view;
    this.place.replaceChildren(view.element);
    view.start();
    if (hadFocus) view.focus();
    if (opened.reveal !== undefined) this.reveal(opened.reveal);
    announce(`${opened.main.title}, ${model.count} call paths`);
  }

  /** Once for each wish, also when it comes again with a profile that is opened anew. */
  private reveal({ name, id }: Reveal): void {
    if (id === this.revealed || this.view === undefined) return;
    this.revealed = id;
    this.view.revealFunction(name);
  }

  private keepChanged(): void {
    if (this.changed !== undefined) this.keep(this.changed());
  }

  private keep(state: ViewState): void {
    clearTimeout(this.timer);
    this.changed = undefined;
    this.state = state;
    this.api.setState(state);
  }

  private gone(message: string): void {
    if (this.view === undefined) this.fail(message);
    else this.say(`${message} What was read before is still shown.`);
  }

  private fail(error: unknown): void {
    const text = error instanceof Error ? error.message : String(error);
    if (this.view === undefined)
      this.message.show({ kind: 'error', text, action: { label: 'Try Again', run: () => void this.open() } });
    else {
      this.message.show(undefined);
      this.say(text);
    }
  }

  /** Something went wrong, and what is shown stays. */
  private say(text: string): void {
    const close = element('button', {
      class: 'notice-close',
      text: 'Dismiss',
      attributes: { type: 'button' },
    });
    close.addEventListener('click', () => (this.notice.hidden = true));
    this.notice.replaceChildren(element('span', { text }), close);
    this.notice.hidden = false;
  }
}
