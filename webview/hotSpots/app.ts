import type { HotSpotsEvents, HotSpotsOpened, HotSpotsRequests, Reveal } from '../../src/protocol/hotSpots';
import { announce } from '../ui/base/liveRegion';
import { isCancelled, Newest, type Shell } from '../ui/page/shell';
import { loadProfile } from './load';
import { Model } from './model';
import { ProfileView } from './profileView';
import type { ViewState } from './viewState';

export type HotSpotsShell = Shell<HotSpotsRequests, HotSpotsEvents, ViewState>;

/** The panel's controller: loads profiles, and saves the state of the view. */
export class App {
  private view: ProfileView | undefined;
  private readonly loading = new Newest();
  private revealed: string | undefined;

  constructor(private readonly shell: HotSpotsShell) {
    const { channel, state } = shell;
    this.revealed = state.revealed;
    shell.onKey((event) => this.view?.onKey(event) === true);
    channel.on('opened', (opened) => void this.show(opened));
    channel.on('gone', ({ message }) => this.gone(message));
    channel.on('pins', (pins) => this.view?.setPins(pins));
    channel.on('reveal', (request) => this.reveal(request));
  }

  /** Requests the profile; called again after an error. */
  async open(): Promise<void> {
    this.shell.show({ kind: 'loading', text: 'Reading the profile…' });
    try {
      await this.show(await this.shell.channel.request('open', {}, { patienceMilliseconds: 120_000 }));
    } catch (error) {
      this.fail(error);
    }
  }

  private async show(opened: HotSpotsOpened): Promise<void> {
    const signal = this.loading.next();
    const { channel, saved } = this.shell;
    saved.saveChanged();
    // Saved first, so that the panel is found again if the window reloads at this moment.
    this.shell.keep({ panel: opened.panel });
    try {
      const main = await loadProfile(channel, 'main', opened.main, signal);
      const compare =
        opened.compare === undefined
          ? undefined
          : await loadProfile(channel, 'compare', opened.compare, signal);
      if (signal.aborted) return;
      this.build(opened, new Model(main, compare));
    } catch (error) {
      if (!isCancelled(error)) this.fail(error);
    }
  }

  private build(opened: HotSpotsOpened, model: Model): void {
    const { content, saved, notice } = this.shell;
    saved.saveChanged();
    notice.hide();
    if (model.count === 0) {
      this.view = undefined;
      content.replaceChildren();
      this.shell.show({
        kind: 'empty',
        text: 'The profile has no call paths: no instrumented function was executed in this run.',
      });
      return;
    }
    this.shell.show(undefined);
    const hadFocus = content.contains(document.activeElement);
    const view = new ProfileView(model, opened, saved.state, {
      channel: this.shell.channel,
      onState: (state) =>
        saved.saveSoon(() => ({ ...state(), panel: opened.panel, revealed: this.revealed })),
      onError: (error) => this.shell.warn(error),
    });
    this.view = view;
    content.replaceChildren(view.element);
    view.start();
    if (hadFocus) view.focus();
    if (opened.reveal !== undefined) this.reveal(opened.reveal);
    announce(`${opened.main.title}, ${model.count} call paths`);
  }

  /** Once per request: a new profile repeats the request. */
  private reveal({ what, id }: Reveal): void {
    if (id === this.revealed || this.view === undefined) return;
    this.revealed = id;
    if ('tab' in what) this.view.showTab(what.tab);
    else this.view.revealFunction(what.name);
  }

  private gone(message: string): void {
    if (this.view === undefined) this.fail(message);
    else this.shell.notice.say(`${message} The values that were read before are still shown.`);
  }

  private fail(error: unknown): void {
    if (this.view === undefined) {
      this.shell.fail(error, () => void this.open());
      return;
    }
    this.shell.show(undefined);
    this.shell.warn(error);
  }
}
