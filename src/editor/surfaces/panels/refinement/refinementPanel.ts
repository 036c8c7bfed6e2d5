import path from 'node:path';
import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import { KymoError } from '../../../../core/errors';
import { bytes, nothing, oneOf, record, wholeNumber } from '../../../../protocol/guards';
import {
  maximumFunctions,
  type RefinementEvents,
  type RefinementRequests,
  type RefinementShown,
  type StudyName,
} from '../../../../protocol/refinement';
import type { FunctionRow } from '../../../../core/functions/functionRow';
import type { StudySummary } from '../../../../workflows/studies/studies';
import { pinFunctions } from '../../../actions/pinFunctions';
import { runElsewhere } from '../../../state/runs/elsewhere';
import type { Kymo } from '../../../state/kymo';
import { localFolders } from '../../../state/studies/studies';
import type { Answers } from '../panelChannel';
import type { Panel, PanelOwner } from '../panels';
import type { PanelStudy, StartRefinement } from './refinementPanels';
import { decisionRow, progressOf, refinementShown } from './refinementShown';

/** Polling interval: a process that refines the study may end without a change on disk. */
const pollMilliseconds = 5000;
/** Limit for a picture of the chart, or a table of 100,000 functions. */
const mostBytes = 64 << 20;

interface Loaded {
  readonly folder: vscode.WorkspaceFolder;
  readonly study: StudySummary;
  readonly gone: boolean;
  readonly newer: boolean;
}

/** One refinement panel: a study of a target, live while it runs. Relays between engine and webview, and computes nothing. */
export class RefinementPanel implements PanelOwner<RefinementRequests> {
  readonly answers: Answers<RefinementRequests>;
  private loaded: Loaded | undefined;
  private functions: readonly FunctionRow[] = [];
  /** Identifies the study and round that `functions` were read from. */
  private functionsOf = '';
  private revision = 0;
  private last: Promise<unknown> = Promise.resolve();
  private poll: NodeJS.Timeout | undefined;
  /** Study of the last refinement that this panel switched to; it switches once, so that the user may look at another study. */
  private followed: string | undefined;
  private readonly subscriptions: readonly vscode.Disposable[];

  constructor(
    private readonly kymo: Kymo,
    private readonly panel: Panel<RefinementEvents>,
    private name: PanelStudy,
    private readonly startRefinement: StartRefinement,
  ) {
    this.answers = this.makeAnswers();
    this.subscriptions = [
      kymo.studies.onDidChange(() => this.update()),
      kymo.refinements.onDidChange((folder) => this.onRefinement(folder)),
      kymo.pins.onDidChange(() => {
        this.revision++;
        this.update();
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.update()),
    ];
  }

  /** Whether this panel shows the target of the study. */
  isOf({ folder, target }: StudyName): boolean {
    return this.name.folder === folder && this.name.target === target;
  }

  reveal(name: StudyName): void {
    this.panel.webviewPanel.reveal(undefined, false);
    if (name.study === this.name.study) return;
    this.name = name;
    this.update();
  }

  dispose(): void {
    clearTimeout(this.poll);
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private makeAnswers(): Answers<RefinementRequests> {
    return {
      open: { guard: nothing, answer: () => this.load() },
      functions: {
        guard: record({ first: wholeNumber, count: wholeNumber }),
        answer: ({ first, count }) => this.rows(first, Math.min(count, maximumFunctions)),
      },
      difference: {
        guard: record({ from: wholeNumber, to: wholeNumber }),
        answer: ({ from, to }) => this.difference(from, to),
      },
      next: { guard: nothing, answer: () => this.next() },
      stop: {
        guard: nothing,
        answer: () => ({ stopped: this.kymo.refinements.stop(this.shown().folder) }),
      },
      accept: {
        guard: record({ iteration: wholeNumber }),
        answer: ({ iteration }) => this.accept(iteration),
      },
      exportFilter: {
        guard: record({ iteration: wholeNumber }),
        answer: ({ iteration }) => this.exportFilter(iteration),
      },
      openSource: { guard: record({ row: wholeNumber }), answer: ({ row }) => this.openSource(row) },
      pin: {
        guard: record({ row: wholeNumber, state: oneOf('in', 'out', 'none') }),
        answer: ({ row, state }) => this.pin(row, state),
      },
      save: {
        guard: record({ kind: oneOf('png', 'csv'), content: bytes(mostBytes) }),
        answer: ({ kind, content }) => this.save(kind, content),
      },
    };
  }

  /** Reads the study again and sends it to the webview, one reading after the other, so that the last event is the newest. */
  private update(): void {
    this.last = this.last
      .then(async () => this.panel.tell('shown', await this.load()))
      .catch(() => undefined);
  }

  private onRefinement(folder: vscode.WorkspaceFolder): void {
    if (folder.uri.toString() !== this.name.folder) return;
    const state = this.kymo.refinements.stateOf(folder);
    if (state.phase === 'idle') {
      this.followed = undefined;
      this.update();
      return;
    }
    const { studyDirectory, target } = state;
    if (target === this.name.target && studyDirectory !== undefined && studyDirectory !== this.followed) {
      this.followed = studyDirectory;
      this.name = { ...this.name, study: path.basename(studyDirectory) };
      this.update();
    } else if (studyDirectory === this.loaded?.study.directory)
      this.panel.tell('progress', progressOf(state));
  }

  /** @throws KymoError `study-missing` when this panel never read the study */
  private async load(): Promise<RefinementShown> {
    const folder = localFolders().find(({ uri }) => uri.toString() === this.name.folder);
    const studies = folder === undefined ? [] : (await this.kymo.studies.of(folder)).studies;
    const ofTarget = studies.filter(({ target }) => target === this.name.target);
    this.name = this.cutOff(ofTarget) ?? this.name;
    this.followElsewhere(folder, ofTarget);
    const study = ofTarget.find((candidate) => candidate.study === this.name.study);
    if (folder !== undefined && study !== undefined) {
      const newer = ofTarget.some(({ startedAt }) => startedAt > study.startedAt);
      this.loaded = { folder, study, gone: false, newer };
    } else if (this.loaded?.study.study === this.name.study) this.loaded = { ...this.loaded, gone: true };
    else
      throw new KymoError(
        'study-missing',
        l10n.t`Study ${this.name.study} of ${this.name.target} is not there any more. Refine again, or choose another one in the Experiments view.`,
      );
    await this.readFunctions(this.loaded);
    this.pollWhileElsewhere(this.loaded);
    return this.describe(this.loaded);
  }

  /** Switches once to a refinement that starts in another window or on the command line while the panel is open. */
  private followElsewhere(
    folder: vscode.WorkspaceFolder | undefined,
    studies: readonly StudySummary[],
  ): void {
    const own = folder === undefined ? undefined : this.kymo.refinements.stateOf(folder);
    const [running] = own === undefined ? [] : runElsewhere(studies, own);
    if (running === undefined || running.directory === this.followed) return;
    this.followed = running.directory;
    // A panel that is just being opened shows the requested study.
    if (this.loaded !== undefined) this.name = { ...this.name, study: running.study };
  }

  /** The refinement that a reload of the window interrupted. It may have started too late to be stored in the panel's state. */
  private cutOff(studies: readonly StudySummary[]): StudyName | undefined {
    if (this.name.restored !== true) return undefined;
    const { folder, target, study } = this.name;
    const startedAt = studies.find((candidate) => candidate.study === study)?.startedAt ?? '';
    const later = studies.find(
      (candidate) => candidate.startedAt > startedAt && candidate.state !== 'complete',
    );
    return { folder, target, study: later?.study ?? study };
  }

  private describe({ folder, study, gone, newer }: Loaded): RefinementShown {
    return refinementShown({
      folder: folder.uri.toString(),
      study,
      gone,
      newer,
      refinement: this.kymo.refinements.stateOf(folder),
      trusted: vscode.workspace.isTrusted,
      functions: this.functions.length,
      revision: this.revision,
    });
  }

  private async readFunctions({ study, gone }: Loaded): Promise<void> {
    const content = JSON.stringify([study.directory, study.state, study.iterations]);
    if (gone || content === this.functionsOf) return;
    const functions: FunctionRow[] = [];
    if (study.iterations.length > 0)
      try {
        await this.kymo.studies.readFunctions(study.directory, (some) => void functions.push(...some));
      } catch (error) {
        // The file may be incomplete or damaged; the chart is still useful.
        this.kymo.log.warn(error instanceof Error ? error.message : String(error));
      }
    this.functions = functions;
    this.functionsOf = content;
    this.revision++;
  }

  private pollWhileElsewhere({ folder, study, gone }: Loaded): void {
    clearTimeout(this.poll);
    const idle = this.kymo.refinements.stateOf(folder).phase === 'idle';
    if (!gone && idle && study.state === 'running')
      this.poll = setTimeout(() => this.kymo.studies.refresh(), pollMilliseconds);
  }

  private shown(): Loaded {
    if (this.loaded === undefined) throw new KymoError('not-open', l10n.t('Nothing is shown yet.'));
    return this.loaded;
  }

  private async rows(first: number, count: number): Promise<RefinementRequests['functions']['result']> {
    const pins = await this.kymo.pins.statesOf(this.shown().folder);
    return this.functions.slice(first, first + count).map((row) => decisionRow(row, pins.get(row.key)));
  }

  private async difference(from: number, to: number): Promise<RefinementRequests['difference']['result']> {
    const studyDirectory = this.shown().study.directory;
    const rows = new Map(this.functions.map(({ key }, row) => [key, row]));
    const differences = await this.kymo.engine.query('difference', { studyDirectory, from, to });
    return differences.map(({ key, name, change, before, after }) => ({
      row: rows.get(key) ?? -1,
      name,
      change,
      before,
      after,
    }));
  }

  /** Adds a round to a complete study, or continues an interrupted one. */
  private async next(): Promise<{ readonly started: boolean }> {
    const { folder, study } = this.shown();
    const more = study.state === 'complete' ? { moreRounds: 1 } : {};
    return { started: await this.startRefinement(this.kymo, folder, { target: study.target, ...more }) };
  }

  private async accept(iteration: number): Promise<{ readonly accepted: boolean }> {
    const { study } = this.shown();
    await this.kymo.engine.query('accept', { studyDirectory: study.directory, iteration });
    this.kymo.log.info(`Accepted round ${iteration} of ${study.study} for ${study.target}`);
    this.kymo.studies.refresh();
    return { accepted: true };
  }

  private async exportFilter(iteration: number): Promise<{ readonly saved: boolean }> {
    const { folder, study } = this.shown();
    const file = await vscode.window.showSaveDialog({
      title: l10n.t`Export Round ${iteration} as a Score-P Filter`,
      defaultUri: vscode.Uri.joinPath(folder.uri, `${study.target}.filter`),
      filters: { [l10n.t('Score-P filter')]: ['filter'] },
    });
    if (file === undefined) return { saved: false };
    await this.kymo.engine.query('exportFilter', {
      studyDirectory: study.directory,
      iteration,
      file: file.fsPath,
    });
    void this.showSaved(file);
    return { saved: true };
  }

  private async openSource(row: number): Promise<{ readonly opened: boolean }> {
    const report = this.functions[row];
    if (report?.file === undefined) return { opened: false };
    const { file, line = 1, endLine } = report;
    const lines = endLine === undefined ? { line } : { line, endLine };
    const { location } = await this.kymo.lineMaps.locate(vscode.Uri.file(file), lines);
    const { One, Beside } = vscode.ViewColumn;
    // Opens the editor beside the panel, not in its group.
    const viewColumn = this.panel.webviewPanel.viewColumn === One ? Beside : One;
    await vscode.window.showTextDocument(location.uri, { selection: location.range, viewColumn });
    return { opened: true };
  }

  private async pin(row: number, state: 'in' | 'out' | 'none'): Promise<{ readonly pinned: boolean }> {
    const report = this.functions[row];
    if (report === undefined) return { pinned: false };
    const { folder, study } = this.shown();
    const studyDirectory = study.directory;
    await pinFunctions(this.kymo, { folder: folder.uri.toString(), key: report.key, studyDirectory }, state);
    return { pinned: true };
  }

  private async save(kind: 'png' | 'csv', content: Uint8Array): Promise<{ readonly saved: boolean }> {
    const { folder, study } = this.shown();
    const file = await vscode.window.showSaveDialog({
      defaultUri: vscode.Uri.joinPath(folder.uri, `${study.target}-refinement.${kind}`),
      filters: kind === 'png' ? { [l10n.t('PNG picture')]: ['png'] } : { [l10n.t('Table (CSV)')]: ['csv'] },
    });
    if (file === undefined) return { saved: false };
    await vscode.workspace.fs.writeFile(file, content);
    void this.showSaved(file);
    return { saved: true };
  }

  private async showSaved(file: vscode.Uri): Promise<void> {
    const choice = await vscode.window.showInformationMessage(
      l10n.t`Wrote ${vscode.workspace.asRelativePath(file)}.`,
      l10n.t('Open'),
    );
    if (choice !== undefined) await vscode.commands.executeCommand('vscode.open', file);
  }
}
