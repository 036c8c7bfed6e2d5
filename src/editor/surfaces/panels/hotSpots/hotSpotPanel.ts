import { randomUUID } from 'node:crypto';
import path from 'node:path';
import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import type {
  HotSpotsEvents,
  HotSpotsOpened,
  HotSpotsRequests,
  Reveal,
  RevealTarget,
  Side,
} from '../../../../protocol/hotSpots';
import { KymoError } from '../../../../core/errors';
import { present } from '../../../../core/present';
import type { ChangeTable } from '../../../../core/views/changeRows';
import type { ProfileHeader } from '../../../../core/views/profilePieces';
import type { ProcessRanges } from '../../../../core/views/ranks/processRanges';
import type { ComparableProfile } from '../../../../workflows/views/profileView';
import { pinFunctions } from '../../../actions/pinFunctions';
import type { Kymo } from '../../../state/kymo';
import type { Answers } from '../panelChannel';
import type { Panel, PanelOwner } from '../panels';
import { goToSource } from '../../../actions/goToSource';
import { hotSpotsGuards as guards, panelName, type HotSpotsShown } from './requests';
import { pickBaseline } from '../../../actions/pickBaseline';
import { pickGroup } from '../../../actions/pickGroup';
import { saveProfile } from '../../../actions/saveProfile';
import { ShownProfile } from './shownProfile';

/** The owner of one hot-spot panel. */
export class HotSpotPanel implements PanelOwner<HotSpotsRequests> {
  readonly answers: Answers<HotSpotsRequests>;
  private readonly main: ShownProfile;
  private compare: ShownProfile | undefined;
  private comparable: readonly ComparableProfile[] = [];
  /** Profiles that were chosen to compare with, and are of no experiment of this program. */
  private readonly others = new Map<string, ComparableProfile>();
  /** What to select or to show as soon as the webview is ready. */
  private pendingReveal: Reveal | undefined;
  private readonly subscriptions: vscode.Disposable[];

  constructor(
    private readonly kymo: Kymo,
    private readonly panel: Panel<HotSpotsEvents>,
    private shown: HotSpotsShown,
  ) {
    this.main = this.profile('main', shown.main);
    if (shown.compare !== undefined) this.compare = this.profile('compare', shown.compare);
    this.subscriptions = [
      kymo.studies.onDidChange(() => void this.check('main')),
      kymo.pins.onDidChange(() => void this.sendPins()),
      new vscode.Disposable(
        kymo.programs.onDidMove((program) => {
          if (program === this.main.program) panel.tell('moved', kymo.programs.moved(program));
        }),
      ),
    ];
    this.answers = this.makeAnswers();
  }

  get file(): string {
    return this.shown.main;
  }

  get comparedFile(): string | undefined {
    return this.shown.compare;
  }

  /** Brings the panel to the front and selects the function or view there, if given. */
  reveal(what?: RevealTarget): void {
    this.selectWhenShown(what);
    if (this.pendingReveal !== undefined && this.panel.webviewPanel.visible)
      this.panel.tell('reveal', this.pendingReveal);
    this.panel.webviewPanel.reveal(undefined, false);
  }

  /** Sets what the webview selects when it shows the profile. */
  selectWhenShown(what: RevealTarget | undefined): void {
    this.pendingReveal = what === undefined ? undefined : { what, id: randomUUID() };
  }

  dispose(): void {
    void this.showInSource(undefined);
    this.main.dispose();
    this.compare?.dispose();
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private makeAnswers(): Answers<HotSpotsRequests> {
    return {
      open: { guard: guards.open, answer: () => this.open() },
      rows: { guard: guards.rows, answer: ({ side, first, count }) => this.side(side).rows(first, count) },
      regions: {
        guard: guards.regions,
        answer: ({ side, first, count }) => this.side(side).regions(first, count),
      },
      locations: {
        guard: guards.locations,
        answer: ({ side, callPath, metric }) => this.side(side).locations(callPath, metric),
      },
      rankRows: { guard: guards.rankRows, answer: (asked) => this.main.rankRows(asked) },
      rankTimes: { guard: guards.rankTimes, answer: ({ region }) => this.main.rankTimes(region) },
      spreads: { guard: guards.spreads, answer: (asked) => this.side(asked.side).spreads(asked) },
      rowValues: { guard: guards.rowValues, answer: (asked) => this.side(asked.side).rowValues(asked) },
      spreadScores: {
        guard: guards.spreadScores,
        answer: (asked) => this.side(asked.side).spreadScores(asked),
      },
      pathScores: { guard: guards.pathScores, answer: (asked) => this.side(asked.side).spreadScores(asked) },
      communication: {
        guard: guards.communication,
        answer: ({ first, count }) => this.main.communication(first, count),
      },
      groups: { guard: guards.groups, answer: (asked, signal) => this.main.groups(asked, signal) },
      groupMatrix: {
        guard: guards.groupMatrix,
        answer: (asked, signal) => this.main.groupMatrix(asked, signal),
      },
      groupDetails: {
        guard: guards.groupDetails,
        answer: (asked, signal) => this.main.groupDetails(asked, signal),
      },
      groupGraph: {
        guard: guards.groupGraph,
        answer: (asked, signal) => this.main.groupGraph(asked, signal),
      },
      groupFile: { guard: guards.groupFile, answer: (asked, signal) => this.main.groupFile(asked, signal) },
      choose: { guard: guards.choose, answer: ({ processes }) => this.choose(processes) },
      openSource: {
        guard: guards.openSource,
        answer: async ({ side, region }) => {
          const profile = this.side(side);
          const source = await profile.region(region);
          await goToSource(this.kymo, source, profile.file, this.panel.webviewPanel.viewColumn);
          return { opened: true };
        },
      },
      regroup: { guard: guards.regroup, answer: (asked) => this.regroup(asked) },
      remember: {
        guard: guards.remember,
        answer: async ({ state }) => {
          await this.kymo.programs.remember(this.main.program, state);
          return {};
        },
      },
      pin: { guard: guards.pin, answer: ({ side, region, state }) => this.pin(side, region, state) },
      chooseBaseline: { guard: guards.chooseBaseline, answer: () => this.chooseBaseline() },
      changes: { guard: guards.changes, answer: (_, signal) => this.changes(signal) },
      compare: { guard: guards.compare, answer: ({ experiment }) => this.compareWith(experiment) },
      save: {
        guard: guards.save,
        answer: async (given) => ({
          saved: await saveProfile(this.kymo, given, 'side' in given ? this.side(given.side) : this.main),
        }),
      },
    };
  }

  private async open(): Promise<HotSpotsOpened> {
    const main = await this.openMain();
    this.panel.webviewPanel.title = l10n.t`Hot Spots: ${main.title}`;
    void this.showInSource(main.chosen?.processes);
    // If the compared profile cannot be read, the comparison ends and the main profile stays.
    const compare = await this.compare?.openLike(main).catch((error: unknown) => {
      this.kymo.log.warn(error instanceof Error ? error.message : String(error));
      return undefined;
    });
    if (compare === undefined) this.setCompare(undefined);
    this.comparable = await this.findComparable(compare);
    if (compare !== undefined) void this.compareInSource();
    const { pendingReveal } = this; // VS Code may load the page again, and the new page needs it, too.
    return {
      panel: panelName(this.shown),
      main,
      ...(compare === undefined ? {} : { compare }),
      ...(pendingReveal === undefined ? {} : { reveal: pendingReveal }),
      moved: this.kymo.programs.moved(this.main.program),
      ...present({ remembered: this.kymo.programs.remembered(this.main.program) }),
      comparable: this.comparable.map(({ label, detail }) => ({ label, detail })),
      compared: this.comparable.findIndex(({ file }) => file === this.shown.compare),
    };
  }

  /** The file may be of another run by now, which does not have the chosen processes. */
  private async openMain(): Promise<ProfileHeader> {
    const { processes, ...all } = this.shown;
    try {
      return await this.main.open(processes);
    } catch (error) {
      if (!(error instanceof KymoError && error.reason === 'no-such-process')) throw error;
      this.kymo.log.warn(error.message);
      this.shown = all;
      return this.main.open();
    }
  }

  /** Lenses, hovers and heat are of the same processes. */
  private async showInSource(processes: ProcessRanges | undefined): Promise<void> {
    try {
      await this.kymo.studies.showProcesses(this.main.file, processes);
    } catch (error) {
      this.kymo.log.warn(error instanceof Error ? error.message : String(error));
    }
  }

  private async choose(processes: ProcessRanges): Promise<Record<string, never>> {
    const { main, compare } = this.shown;
    this.shown = { main, ...present({ compare }), ...(processes.length === 0 ? {} : { processes }) };
    this.panel.tell('opened', await this.open());
    return {};
  }

  private async compareWith(position: number): Promise<Record<string, never>> {
    const file = this.comparable[position]?.file;
    if (file === undefined && this.kymo.comparison.compared?.file === this.shown.main)
      await this.kymo.comparison.show(undefined);
    return this.compareWithFile(file);
  }

  private async compareWithFile(file: string | undefined): Promise<Record<string, never>> {
    this.setCompare(file);
    // An error becomes the answer to the request.
    if (file !== undefined) await this.compare?.open();
    this.panel.tell('opened', await this.open());
    return {};
  }

  /** Experiments of the program, and what else was compared. */
  private async findComparable(compare: ProfileHeader | undefined): Promise<readonly ComparableProfile[]> {
    const found = await this.main.comparable().catch(() => []);
    const file = this.shown.compare;
    if (file !== undefined && compare !== undefined && !found.some((one) => one.file === file))
      this.others.set(file, { file, label: compare.title, detail: path.dirname(file) });
    return [...found, ...this.others.values()];
  }

  private async chooseBaseline(): Promise<Record<string, never>> {
    const title = l10n.t('Kymo: Compare with Another Measurement');
    const file = await pickBaseline(this.kymo, this.shown.main, title);
    return file === undefined ? {} : this.compareWithFile(file);
  }

  private async changes(signal: AbortSignal): Promise<ChangeTable> {
    const { compare, processes } = this.shown;
    if (compare === undefined)
      throw new KymoError('no-comparison', l10n.t('The panel no longer compares this run with another one.'));
    return this.main.changes({ baseline: compare, ...present({ processes }) }, signal);
  }

  /** Lenses, hovers and problems show the same comparison. */
  private async compareInSource(): Promise<void> {
    const { main, compare } = this.shown;
    if (compare !== undefined) await this.kymo.comparison.show({ file: main, baseline: compare });
  }

  private setCompare(file: string | undefined): void {
    if (file === this.shown.compare) return;
    this.compare?.dispose();
    this.compare = file === undefined ? undefined : this.profile('compare', file);
    const { main, processes } = this.shown;
    this.shown = { main, ...present({ processes, compare: file }) };
  }

  private async pin(
    side: Side,
    region: number,
    state: 'in' | 'out' | 'none',
  ): Promise<{ readonly pinned: boolean }> {
    const profile = this.side(side);
    const { key } = await profile.region(region);
    const { folder, studyDirectory } = profile;
    if (key === undefined || folder === undefined) return { pinned: false };
    // Not awaited: a notification with an error stays until the user closes it.
    void pinFunctions(
      this.kymo,
      {
        folder: folder.uri.toString(),
        key,
        ...(studyDirectory === undefined ? {} : { studyDirectory }),
      },
      state,
    );
    return { pinned: true };
  }

  /** Takes the name from the profile: what the webview says of it is not needed. */
  private async regroup(
    asked: HotSpotsRequests['regroup']['parameters'],
  ): Promise<{ readonly moved: boolean }> {
    const { program } = this.main;
    const { name } = await this.side(asked.side).region(asked.region);
    const group =
      asked.to === 'chosen' ? await pickGroup(name, asked.among) : asked.to === 'group' ? asked.group : '';
    if (group === undefined) return { moved: false };
    await this.kymo.programs.move(program, name, group);
    return { moved: true };
  }

  private side(side: Side): ShownProfile {
    return side === 'main' ? this.main : (this.compare ?? this.main);
  }

  private profile(side: Side, file: string): ShownProfile {
    return new ShownProfile(this.kymo, vscode.Uri.file(file), () => void this.check(side));
  }

  /** The file may have been replaced or deleted. */
  private async check(side: Side): Promise<void> {
    try {
      if (await this.side(side).hasChanged()) this.panel.tell('opened', await this.open());
    } catch (error) {
      this.panel.tell('gone', { side, message: error instanceof Error ? error.message : String(error) });
    }
  }

  private async sendPins(): Promise<void> {
    for (const [side, profile] of [['main', this.main] as const, ['compare', this.compare] as const]) {
      if (profile === undefined) continue;
      const pins = await profile.pinnedRegions();
      this.panel.tell(
        'pins',
        pins.map((pin) => ({ side, ...pin })),
      );
    }
  }
}
