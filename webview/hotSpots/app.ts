import type { HotSpotsOpened, Reveal } from '../../src/protocol/hotSpots';
import { RequestError, type VsCodeApi } from '../ui/channel';
import { element } from '../ui/dom';
import { KeptState } from '../ui/keptState';
import { announce } from '../ui/liveRegion';
import { messageArea } from '../ui/messageArea';
import { notice } from '../ui/notice';
import { loadProfile, type HotSpotsChannel } from './load';
import { Model } from './model';
import { ProfileView } from './profileView';
import { readViewState, type ViewState } from './viewState';

/** The whole panel: loads what it shows, says what went wrong, keeps what the user is looking at. */
export class App {
  private readonly message = messageArea();
  private readonly notice = notice();
  private readonly place = element('div', { class: 'profile-place' });
  private readonly kept: KeptState<ViewState>;
  private view: ProfileView | undefined;
  private loading = new AbortController();
  private revealed: string | undefined;

  constructor(
    root: HTMLElement,
    private readonly channel: HotSpotsChannel,
    api: VsCodeApi,
  ) {
    this.kept = new KeptState(api, readViewState(api.getState()));
    this.revealed = this.kept.state.revealed;
    root.append(this.notice.element, this.message.element, this.place);
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
    this.kept.keepChanged();
    // Before anything else: the panel must be found again after a reload in this moment.
    this.kept.keep({ ...this.kept.state, panel: opened.panel });
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
    this.kept.keepChanged();
    this.notice.hide();
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
    const view = new ProfileView(model, opened, this.kept.state, {
      channel: this.channel,
      onState: (state) =>
        this.kept.keepSoon(() => ({ ...state(), panel: opened.panel, revealed: this.revealed })),
      onError: (error) => this.notice.say(error instanceof Error ? error.message : String(error)),
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

  private gone(message: string): void {
    if (this.view === undefined) this.fail(message);
    else this.notice.say(`${message} What was read before is still shown.`);
  }

  private fail(error: unknown): void {
    const text = error instanceof Error ? error.message : String(error);
    if (this.view === undefined)
      this.message.show({ kind: 'error', text, action: { label: 'Try Again', run: () => void this.open() } });
    else {
      this.message.show(undefined);
      this.notice.say(text);
    }
  }
}
