import { button } from '../ui/button';
import { RequestError, type VsCodeApi } from '../ui/channel';
import { element } from '../ui/dom';
import { KeptState } from '../ui/keptState';
import { announce } from '../ui/liveRegion';
import { messageArea } from '../ui/messageArea';
import { notice } from '../ui/notice';
import { CubeView } from './cubeView';
import { loadDefinitions, type CubeChannel } from './load';
import { CubeModel } from './model';
import { readViewState, type ViewState } from './viewState';

/** The whole editor: loads the file, says what is wrong with it or with its age, keeps what the user is looking at. */
export class App {
  private readonly message = messageArea();
  private readonly notice = notice();
  private readonly place = element('div', { class: 'cube-place' });
  private readonly otherEditor = button({
    label: 'Reopen Editor With…',
    tooltip: 'Look at the file with another editor, e.g. of bytes',
    onClick: () =>
      void this.channel
        .request('act', { action: 'reopenWith' }, { patienceMilliseconds: 3_600_000 })
        .catch((error: unknown) => this.notice.say(textOf(error))),
  });
  private readonly kept: KeptState<ViewState>;
  private view: CubeView | undefined;
  private loading = new AbortController();

  constructor(
    root: HTMLElement,
    private readonly channel: CubeChannel,
    api: VsCodeApi,
  ) {
    this.kept = new KeptState(api, readViewState(api.getState()));
    root.append(this.notice.element, this.message.element, this.place);
    document.addEventListener('keydown', (event) => {
      if (this.view?.onKey(event) === true) event.preventDefault();
    });
    channel.on('stale', ({ kind }) => this.onStale(kind));
  }

  /** Reads the file as it is now. */
  async open(): Promise<void> {
    this.loading.abort();
    this.loading = new AbortController();
    const { signal } = this.loading;
    this.kept.keepChanged();
    this.notice.hide();
    if (this.view === undefined) this.message.show({ kind: 'loading', text: 'Reading the profile…' });
    try {
      const header = await this.channel.request('open', {}, { signal, patienceMilliseconds: 300_000 });
      const definitions = await loadDefinitions(this.channel, header, signal);
      if (!signal.aborted) this.show(new CubeModel(definitions));
    } catch (error) {
      if (!(error instanceof RequestError && error.reason === 'cancelled')) this.fail(error);
    }
  }

  private show(model: CubeModel): void {
    this.message.show(undefined);
    const hadFocus = this.place.contains(document.activeElement);
    this.view?.dispose();
    const view = new CubeView(model, this.kept.state, {
      channel: this.channel,
      onState: (state) => this.kept.keepSoon(state),
      onError: (error) => this.notice.say(textOf(error)),
    });
    this.view = view;
    this.place.replaceChildren(view.element);
    view.start();
    if (hadFocus) view.focus();
    announce(
      `${model.header.title}, ${model.header.callPaths} call paths, ${model.header.locations} locations`,
    );
  }

  private onStale(kind: 'changed' | 'deleted'): void {
    if (this.view === undefined) {
      // The error page: perhaps the file is whole now.
      if (kind === 'changed') void this.open();
      return;
    }
    if (kind === 'deleted')
      this.notice.say(
        'The file was deleted or moved. What was read before is still shown; other values cannot be read.',
      );
    else this.notice.say('The file has changed on disk.', { label: 'Reload', run: () => void this.open() });
  }

  private fail(error: unknown): void {
    if (this.view !== undefined) {
      this.notice.say(textOf(error), { label: 'Try Again', run: () => void this.open() });
      return;
    }
    this.message.show({
      kind: 'error',
      text: textOf(error),
      action: { label: 'Try Again', run: () => void this.open() },
    });
    this.message.element.append(this.otherEditor.element);
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
