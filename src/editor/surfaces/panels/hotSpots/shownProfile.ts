import path from 'node:path';
import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import {
  communicationPiece,
  type CommunicationColumns,
} from '../../../../core/communication/communicationMatrix';
import { KymoError } from '../../../../core/errors';
import { present } from '../../../../core/present';
import type {
  GroupDetails,
  GroupMatrix,
  GroupPicture,
  ProcessGroups,
} from '../../../../core/views/groupSummary';
import type { LocationValues } from '../../../../core/views/ranks/locationValues';
import type { ChangeTable } from '../../../../core/views/changeRows';
import { profilePiece, type ProfileHeader, type ProfileRows } from '../../../../core/views/profilePieces';
import { sameProcesses, type ProcessRanges } from '../../../../core/views/ranks/processRanges';
import type { RankTimes } from '../../../../core/views/ranks/rankTimes';
import type { RowSpread } from '../../../../core/views/ranks/rowSpread';
import type { HotSpotsRequests, RegionRow } from '../../../../protocol/hotSpots';
import type {
  ComparableProfile,
  OpenedProfile,
  ProfileName,
  ProfileRegion,
} from '../../../../workflows/views/profileView';
import type { DocumentQuestions } from '../../../../engine/questions';
import type { Kymo } from '../../../state/kymo';
import { watchFile } from '../../../base/watchFile';

/** Time that an unused profile stays in memory, because the user may return to it. */
const idleMilliseconds = 5 * 60_000;

type Asked<Name extends keyof HotSpotsRequests> = HotSpotsRequests[Name]['parameters'];

/** One side of a panel: a profile in a file, watched. */
export class ShownProfile implements vscode.Disposable {
  private opened: OpenedProfile | undefined;
  /** Function keys of the regions that the webview has. */
  private readonly keys = new Map<number, string>();
  private readonly watcher: vscode.Disposable;
  private readonly questions: DocumentQuestions;

  /** @param onChange called when the file was replaced or deleted */
  constructor(
    private readonly kymo: Kymo,
    readonly file: vscode.Uri,
    onChange: () => void,
  ) {
    this.watcher = watchFile(file, onChange);
    this.questions = kymo.engine.document(idleMilliseconds);
  }

  /** The processes whose values are shown; undefined: all. */
  get processes(): ProcessRanges | undefined {
    return this.opened?.header.chosen?.processes;
  }

  /** Reads the file again. @param processes the ones whose values are shown @throws EngineError when it cannot be read, `no-such-process` */
  async open(processes?: ProcessRanges): Promise<ProfileHeader> {
    const opened = await this.questions.query('openProfile', {
      file: this.file.fsPath,
      ...present({ processes }),
    });
    if (opened.header.id !== this.opened?.header.id) this.keys.clear();
    this.opened = opened;
    return opened.header;
  }

  /** Reads the file again, and shows the processes that the other profile shows, or all if it has none of them. */
  async openLike({ chosen, locations }: ProfileHeader): Promise<ProfileHeader> {
    const header = await this.open();
    if (chosen === undefined) return header;
    const processes = sameProcesses(locations, header.locations);
    return processes.length === 0 ? header : this.open(processes);
  }

  /** Which processes behave alike. */
  async groups(asked: Asked<'groups'>, signal: AbortSignal): Promise<ProcessGroups> {
    const groups = await this.questions.query('profileGroups', { ...this.name(), ...asked }, { signal });
    return { ...groups, numbers: groups.numbers.slice() };
  }

  async groupMatrix(asked: Asked<'groupMatrix'>, signal: AbortSignal): Promise<GroupMatrix> {
    const found = await this.questions.query('profileGroupMatrix', { ...this.name(), ...asked }, { signal });
    return { ...found, similarity: found.similarity.slice(), subsumption: found.subsumption.slice() };
  }

  groupDetails(asked: Asked<'groupDetails'>, signal: AbortSignal): Promise<GroupDetails> {
    return this.questions.query('profileGroupDetails', { ...this.name(), ...asked }, { signal });
  }

  groupGraph(asked: Asked<'groupGraph'>, signal: AbortSignal): Promise<GroupPicture> {
    return this.questions.query('profileGroupGraph', { ...this.name(), ...asked }, { signal });
  }

  groupFile(
    asked: Asked<'groupFile'>,
    signal: AbortSignal,
  ): Promise<HotSpotsRequests['groupFile']['result']> {
    return this.questions.query('profileGroupFile', { ...this.name(), ...asked }, { signal });
  }

  /** Whether the file changed since `open`. @throws EngineError when it cannot be read */
  async hasChanged(): Promise<boolean> {
    const { header } = await this.questions.query('openProfile', { file: this.file.fsPath });
    return header.id !== this.opened?.header.id;
  }

  async rows(first: number, count: number): Promise<ProfileRows> {
    const rows = await this.questions.query('profileRows', { ...this.name(), first, count });
    // Arrays from another process are views of one large buffer, which VS Code would send with each of them.
    return { ...profilePiece(rows, 0, rows.parent.length), first };
  }

  async regions(first: number, count: number): Promise<readonly RegionRow[]> {
    const [regions, pins] = await Promise.all([
      this.questions.query('profileRegions', { ...this.name(), first, count }),
      this.pins(),
    ]);
    return regions.map((region, index) => {
      const { name, mangledName, file, line, visitSeconds, selected, reason, efficiency, group, key } =
        region;
      const pinned = key === undefined ? undefined : pins.get(key);
      if (key !== undefined) this.keys.set(first + index, key);
      return {
        name,
        ...(mangledName === undefined ? {} : { mangledName }),
        ...(file === undefined ? {} : { file }),
        ...(line === undefined ? {} : { line }),
        ...(visitSeconds === undefined ? {} : { visitSeconds }),
        ...(key === undefined ? {} : { known: true }),
        ...(selected === undefined ? {} : { selected }),
        ...(reason === undefined ? {} : { reason }),
        ...present({ efficiency, group }),
        ...(pinned === undefined ? {} : { pinned }),
      };
    });
  }

  async locations(callPath: number, metric: number): Promise<LocationValues> {
    const { inclusive, exclusive } = await this.questions.query('profileLocations', {
      ...this.name(),
      callPath,
      metric,
    });
    return { inclusive: inclusive.slice(), exclusive: exclusive.slice() };
  }

  async rankRows(asked: Asked<'rankRows'>): Promise<Float64Array> {
    const values = await this.questions.query('profileRankRows', { ...this.name(), ...asked });
    return values.slice();
  }

  async rankTimes(region: number): Promise<RankTimes> {
    const times = await this.questions.query('profileRankTimes', { ...this.name(), region });
    const { computing, waiting, moving, other, hidesMpi } = times;
    return {
      computing: computing.slice(),
      ...(waiting === undefined ? {} : { waiting: waiting.slice() }),
      moving: moving.slice(),
      other: other.slice(),
      hidesMpi,
    };
  }

  async spreads({ metric, extent, rows, outliers }: Asked<'spreads'>): Promise<readonly RowSpread[]> {
    const question = { ...this.name(), metric, extent, rows, outliers };
    const spreads = await this.questions.query('profileSpreads', question);
    return spreads.map(({ outliers: outside, ...spread }) => ({
      ...spread,
      ...(outside === undefined ? {} : { outliers: outside.slice() }),
    }));
  }

  async rowValues({ metric, extent, rows }: Asked<'rowValues'>): Promise<Float64Array> {
    const question = { ...this.name(), metric, extent, rows };
    return (await this.questions.query('profileRowValues', question)).slice();
  }

  /** Of each call path where no rows are given. */
  async spreadScores(asked: Asked<'pathScores'> & Partial<Asked<'spreadScores'>>): Promise<Float64Array> {
    const { metric, extent, score, rows } = asked;
    const question = { ...this.name(), metric, extent, score, ...present({ rows }) };
    return (await this.questions.query('profileSpreadScores', question)).slice();
  }

  /** @throws KymoError `no-communication` */
  async communication(first: number, count: number): Promise<CommunicationColumns> {
    const columns = await this.questions.query('profileCommunication', { ...this.name(), first, count });
    if (columns === undefined)
      throw new KymoError(
        'no-communication',
        l10n.t('The profile has no communication matrix. Open it again.'),
      );
    return communicationPiece(columns, 0, columns.from.length);
  }

  /** @throws KymoError `no-such-region` */
  async region(position: number): Promise<ProfileRegion> {
    const [region] = await this.questions.query('profileRegions', {
      ...this.name(),
      first: position,
      count: 1,
    });
    if (region === undefined)
      throw new KymoError('no-such-region', l10n.t('The profile has no such function. Open it again.'));
    return region;
  }

  /** Pins of the functions that the webview has. */
  async pinnedRegions(): Promise<readonly { readonly region: number; readonly pinned?: 'in' | 'out' }[]> {
    const pins = await this.pins();
    return [...this.keys].map(([region, key]) => {
      const pinned = pins.get(key);
      return pinned === undefined ? { region } : { region, pinned };
    });
  }

  /** What changed since a baseline, of all repetitions. */
  changes(
    asked: { readonly baseline: string; readonly processes?: ProcessRanges },
    signal: AbortSignal,
  ): Promise<ChangeTable> {
    return this.questions.query('profileChanges', { file: this.file.fsPath, ...asked }, { signal });
  }

  /** Other measured experiments of the same target. */
  comparable(): Promise<readonly ComparableProfile[]> {
    return this.questions.query('comparableProfiles', { file: this.file.fsPath });
  }

  /** The program that was measured, as far as the file says; of a file that is no experiment its name. */
  get program(): string {
    const { target } = this.opened?.header ?? {};
    const folder = this.folder?.uri.toString() ?? '';
    return target === undefined ? `file ${path.basename(this.file.fsPath)}` : `target ${folder} ${target}`;
  }

  get folder(): vscode.WorkspaceFolder | undefined {
    return vscode.workspace.getWorkspaceFolder(this.file);
  }

  get studyDirectory(): string | undefined {
    return this.opened?.studyDirectory;
  }

  /** Identifies the content, and the processes, that the webview shows. @throws KymoError `not-open` */
  name(): ProfileName {
    if (this.opened === undefined) throw new KymoError('not-open', l10n.t('The profile is not open yet.'));
    const { processes } = this;
    return { file: this.file.fsPath, id: this.opened.header.id, ...present({ processes }) };
  }

  dispose(): void {
    this.watcher.dispose();
    this.questions.dispose();
  }

  private async pins(): Promise<ReadonlyMap<string, 'in' | 'out'>> {
    return this.folder === undefined ? new Map() : this.kymo.pins.statesOf(this.folder);
  }
}
