import {
  maximumState,
  type HotSpotsEvents,
  type HotSpotsOpened,
  type HotSpotsRequests,
  type MovedFunctions,
  type Reveal,
} from '../../src/protocol/hotSpots';
import { isRecord } from '../../src/core/present';
import { announce } from '../ui/base/liveRegion';
import { History } from '../ui/page/history';
import { isCancelled, Newest, type Shell } from '../ui/page/shell';
import { loadProfile } from './data/load';
import { Model } from './data/model';
import { ProfileActions } from './profileActions';
import { ProfileView } from './profileView';
import { hostStep, mergesSteps, movesBetween, type Snapshot } from './steps';
import { readViewState, type ViewState } from './viewState';

export type HotSpotsShell = Shell<HotSpotsRequests, HotSpotsEvents, ViewState>;

/** What is shown, and what it was made of. */
interface Shown {
  readonly view: ProfileView;
  readonly opened: HotSpotsOpened;
  readonly model: Model;
}

/** The panel's controller: loads profiles, saves the state of the view, undoes and redoes what the user changed. */
export class App {
  private shown: Shown | undefined;
  private readonly loading = new Newest();
  private revealed: string | undefined;
  private moved: MovedFunctions = [];
  private history: History<Snapshot> | undefined;
  /** The state to show next, in place of the saved one: of an earlier step, or of an earlier panel. */
  private next: ViewState | undefined;
  /** What is asked of the extension is part of an undo, not a step of its own. */
  private isRestoring = false;

  constructor(private readonly shell: HotSpotsShell) {
    const { channel, state } = shell;
    this.revealed = state.revealed;
    shell.onKey((event) => this.view?.onKey(event) === true);
    channel.on('opened', (opened) => void this.show(opened));
    channel.on('gone', ({ message }) => this.gone(message));
    channel.on('pins', (pins) => this.view?.setPins(pins));
    channel.on('moved', (moved) => this.setMoved(moved));
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

  private get view(): ProfileView | undefined {
    return this.shown?.view;
  }

  private async show(opened: HotSpotsOpened): Promise<void> {
    const signal = this.loading.next();
    const { channel, saved } = this.shell;
    saved.saveChanged();
    if (saved.state.panel === undefined) this.next = rememberedState(opened.remembered);
    // Saved first, so that the panel is found again if the window reloads at this moment.
    this.shell.keep({ panel: opened.panel });
    try {
      const main = await loadProfile(channel, 'main', opened.main, signal);
      const compare =
        opened.compare === undefined
          ? undefined
          : await loadProfile(channel, 'compare', opened.compare, signal);
      if (signal.aborted) return;
      this.moved = opened.moved;
      this.build(opened, new Model(main, compare));
      if (opened.reveal !== undefined) this.reveal(opened.reveal);
      announce(`${opened.main.title}, ${main.header.callPaths} call paths`);
    } catch (error) {
      if (!isCancelled(error)) this.fail(error);
    }
  }

  private build(opened: HotSpotsOpened, model: Model): void {
    const { content, saved, notice } = this.shell;
    saved.saveChanged();
    notice.hide();
    if (model.count === 0) {
      this.shown = undefined;
      content.replaceChildren();
      this.shell.show({
        kind: 'empty',
        text: 'The profile has no call paths: no instrumented function was executed in this run.',
      });
      return;
    }
    this.shell.show(undefined);
    const focus = focusIn(content);
    const state = this.next ?? saved.state;
    this.next = undefined;
    const view = new ProfileView(model, opened, state, {
      channel: this.shell.channel,
      onState: (now) => this.saveSoon(opened, now),
      onStep: (step) => this.record(step),
      onUndo: () => this.restore(this.history?.undo()),
      onRedo: () => this.restore(this.history?.redo()),
      onError: (error) => this.shell.warn(error),
      moved: new Map(this.moved),
    });
    this.shown = { view, opened, model };
    content.replaceChildren(view.element);
    view.start();
    if (focus === 'undo' || focus === 'redo') view.controls.focusHistory(focus);
    else if (focus === 'content') view.focus();
    this.history ??= new History(this.snapshot(this.shown));
    this.recordHost();
  }

  private saveSoon(opened: HotSpotsOpened, now: () => ViewState): void {
    this.shell.saved.saveSoon(() => {
      const state = { ...now(), panel: opened.panel, revealed: this.revealed };
      const text = JSON.stringify(state);
      if (text.length <= maximumState)
        this.shell.channel.request('remember', { state: text }).catch(() => undefined);
      return state;
    });
  }

  private snapshot({ view, opened }: Shown): Snapshot {
    const { main, compared } = opened;
    return { state: view.wholeState, processes: main.chosen?.processes ?? [], compared, moved: this.moved };
  }

  private record(step: string): void {
    if (this.shown === undefined) return;
    this.history?.record(this.snapshot(this.shown), step, performance.now(), mergesSteps(step));
    this.showHistory();
  }

  /** Records what the extension changed for the user. */
  private recordHost(): void {
    const { shown, history, isRestoring } = this;
    if (shown === undefined || history === undefined) return;
    const step = hostStep(history.current, this.snapshot(shown));
    if (step !== undefined && !isRestoring) this.record(step);
    this.showHistory();
  }

  private showHistory(): void {
    this.view?.controls.setHistory(this.history?.undoes, this.history?.redoes);
  }

  /** Shows an earlier or later state; asks the extension for its part. */
  private restore(snapshot: Snapshot | undefined): void {
    const { shown } = this;
    if (snapshot === undefined || shown === undefined) return;
    const { opened, model } = shown;
    const now = this.snapshot(shown);
    const { channel } = this.shell;
    const warn = (error: unknown): void => {
      this.next = undefined;
      this.shell.warn(error);
    };
    const actions = new ProfileActions(channel, model, warn);
    const asked: Promise<unknown>[] = movesBetween(now.moved, snapshot.moved).map(([name, group]) =>
      // A profile without the function does not show where it is either.
      model.names.includes(name)
        ? actions.regroup(model.names.indexOf(name), group === undefined ? 'own' : { group })
        : Promise.resolve(),
    );
    const isOther = hostStep({ ...now, moved: [] }, { ...snapshot, moved: [] }) !== undefined;
    this.moved = snapshot.moved;
    this.next = snapshot.state;
    if (!isOther) this.build(opened, model);
    const { processes, compared } = snapshot;
    if (now.processes.join() !== processes.join())
      asked.push(channel.request('choose', { processes }).catch(warn));
    if (now.compared !== compared)
      asked.push(channel.request('compare', { experiment: compared }).catch(warn));
    this.isRestoring = true;
    void Promise.all(asked).finally(() => {
      this.isRestoring = false;
    });
  }

  private setMoved(moved: MovedFunctions): void {
    this.moved = moved;
    this.view?.setMoved(new Map(moved));
    this.recordHost();
  }

  /** Once per request: a new profile repeats the request. */
  private reveal({ what, id }: Reveal): void {
    if (id === this.revealed || this.view === undefined) return;
    this.revealed = id;
    if ('tab' in what) this.view.showView(what.tab);
    else this.view.revealFunction(what.name);
  }

  private gone(message: string): void {
    if (this.view === undefined) this.fail(message);
    else this.shell.notice.say(`${message} The values that were read before are still shown.`);
  }

  private fail(error: unknown): void {
    this.next = undefined;
    if (this.view === undefined) {
      this.shell.fail(error, () => void this.open());
      return;
    }
    this.shell.show(undefined);
    this.shell.warn(error);
  }
}

/** State of the last panel of the same program. What was searched for, and which panel it was, is no part of how the user looks at it. */
function rememberedState(text: string | undefined): ViewState | undefined {
  if (text === undefined) return undefined;
  try {
    const state = JSON.parse(text) as unknown;
    return isRecord(state)
      ? readViewState({ ...state, search: undefined, panel: undefined, revealed: undefined })
      : undefined;
  } catch {
    return undefined;
  }
}

/** Where the focus is, to be put there again in a new view. */
function focusIn(content: HTMLElement): 'undo' | 'redo' | 'content' | undefined {
  const { activeElement } = document;
  if (activeElement === null || !content.contains(activeElement)) return undefined;
  const label = activeElement.getAttribute('aria-label');
  return label === 'Undo' ? 'undo' : label === 'Redo' ? 'redo' : 'content';
}
