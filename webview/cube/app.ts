import type { CubeEvents, CubeRequests } from '../../src/protocol/cube';
import { announce } from '../ui/base/liveRegion';
import { button } from '../ui/controls/button';
import { errorText, isCancelled, Newest, type Shell } from '../ui/page/shell';
import { CubeView } from './cubeView';
import { loadDefinitions } from './load';
import { CubeModel } from './model';
import type { ViewState } from './viewState';

export type CubeShell = Shell<CubeRequests, CubeEvents, ViewState>;

/** The whole editor: loads the file, reports damage and later changes of the file, and saves what the user is looking at. */
export class App {
  private readonly otherEditor = button({
    label: 'Reopen Editor With…',
    tooltip: 'Look at the file with another editor, for example of bytes',
    onClick: () => this.shell.act('act', { action: 'reopenWith' }),
  });
  private view: CubeView | undefined;
  private readonly loading = new Newest();

  constructor(private readonly shell: CubeShell) {
    shell.onKey((event) => this.view?.onKey(event) === true);
    shell.channel.on('stale', ({ kind }) => this.onStale(kind));
  }

  /** Reads the file in its current state. */
  async open(): Promise<void> {
    const signal = this.loading.next();
    const { channel, saved, notice } = this.shell;
    saved.saveChanged();
    notice.hide();
    if (this.view === undefined) this.shell.show({ kind: 'loading', text: 'Reading the profile…' });
    try {
      const header = await channel.request('open', {}, { signal, patienceMilliseconds: 300_000 });
      const definitions = await loadDefinitions(channel, header, signal);
      if (!signal.aborted) this.show(new CubeModel(definitions));
    } catch (error) {
      if (!isCancelled(error)) this.fail(error);
    }
  }

  private show(model: CubeModel): void {
    const { channel, content, saved } = this.shell;
    this.shell.show(undefined);
    const hadFocus = content.contains(document.activeElement);
    this.view?.dispose();
    const view = new CubeView(model, saved.state, {
      channel,
      onState: (state) => saved.saveSoon(state),
      onError: (error) => this.shell.warn(error),
    });
    this.view = view;
    content.replaceChildren(view.element);
    view.start();
    if (hadFocus) view.focus();
    announce(
      `${model.header.title}, ${model.header.callPaths} call paths, ${model.header.locations} locations`,
    );
  }

  private onStale(kind: 'changed' | 'deleted'): void {
    const { notice } = this.shell;
    if (this.view === undefined) {
      // An error is shown: the changed file may be complete now.
      if (kind === 'changed') void this.open();
      return;
    }
    if (kind === 'deleted')
      notice.say(
        'The file was deleted or moved. The values that were read before are still shown; others cannot be read.',
      );
    else notice.say('The file has changed on disk.', { label: 'Reload', run: () => void this.open() });
  }

  private fail(error: unknown): void {
    const again = (): void => void this.open();
    if (this.view === undefined) this.shell.fail(error, again, undefined, this.otherEditor);
    else this.shell.notice.say(errorText(error), { label: 'Try Again', run: again });
  }
}
