import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import { elsewhereSentence, runElsewhere } from '../../state/runs/elsewhere';
import type { FolderRuns, RunningWork } from '../../state/runs/folderRuns';
import type { Kymo } from '../../state/kymo';
import { localFolders } from '../../state/studies/studies';
import {
  elsewhereText,
  refinementText,
  runningLabel,
  studiedElsewhereText,
} from '../../words/studies/statusText';

/** Status bar item of a running refinement or study, here or elsewhere: its phase. A click shows the possible actions. */
export class RefinementStatus implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem(
    'kymo.refinement',
    vscode.StatusBarAlignment.Left,
    10,
  );
  private readonly subscriptions: readonly vscode.Disposable[];
  private elsewhere: readonly Elsewhere[] = [];
  /** Number of the last request; answers to older ones are dropped. */
  private question = 0;

  constructor(private readonly kymo: Kymo) {
    this.item.name = l10n.t('Kymo: Refinement');
    this.item.command = 'kymo.refinementActions';
    this.subscriptions = [
      kymo.refinements.onDidChange(() => this.update()),
      kymo.parameterStudies.onDidChange(() => this.update()),
      kymo.parameterStudies.onDidChangeStudies(() => void this.lookElsewhere()),
      // `StudyWatch` fires soon after the start, too, because a refinement may have started before the window opened.
      kymo.studies.onDidChange(() => void this.lookElsewhere()),
    ];
    this.update();
  }

  private async lookElsewhere(): Promise<void> {
    this.question += 1;
    const question = this.question;
    const elsewhere = await workElsewhere(this.kymo);
    if (question !== this.question) return;
    this.elsewhere = elsewhere;
    this.update();
  }

  private update(): void {
    const running = runningWork(this.kymo);
    void vscode.commands.executeCommand('setContext', 'kymo.refining', running.length > 0);
    if (running.length > 0) this.showOwn(running);
    else if (this.elsewhere.length > 0) this.showElsewhere(this.elsewhere);
    else this.item.hide();
  }

  private showOwn(running: readonly Running[]): void {
    const [first] = running;
    if (first === undefined) return;
    this.item.text = `${refinementText(first.state)}${others(running)}`;
    this.item.tooltip = running
      .map(({ folder, state }) => l10n.t`${folder.name}, target ${state.target}: ${state.message}`)
      .join('\n');
    this.item.accessibilityInformation = { label: runningLabel(first.state, first.what), role: 'button' };
    this.item.show();
  }

  private showElsewhere(elsewhere: readonly Elsewhere[]): void {
    const [first] = elsewhere;
    if (first === undefined) return;
    this.item.text = `${first.text}${others(elsewhere)}`;
    this.item.tooltip = elsewhere.map(({ folder, sentence }) => `${folder.name}: ${sentence}`).join('\n');
    this.item.accessibilityInformation = { label: first.sentence, role: 'button' };
    this.item.show();
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
    this.item.dispose();
  }
}

function others({ length }: readonly unknown[]): string {
  return length === 1 ? '' : ` +${length - 1}`;
}

interface Running {
  readonly folder: vscode.WorkspaceFolder;
  readonly state: RunningWork;
  readonly what: 'refines' | 'studies';
  readonly stop: () => void;
}

function runningWork({ refinements, parameterStudies }: Kymo): readonly Running[] {
  const of = <State extends RunningWork>(
    what: Running['what'],
    runs: FolderRuns<State>,
  ): readonly Running[] =>
    localFolders().flatMap((folder) => {
      const state = runs.stateOf(folder);
      return state.phase === 'idle'
        ? []
        : [{ folder, state: state, what, stop: () => void runs.stop(folder) }];
    });
  return [...of('refines', refinements), ...of('studies', parameterStudies)];
}

/** Work of another window or the command line. */
interface Elsewhere {
  readonly folder: vscode.WorkspaceFolder;
  readonly text: string;
  readonly sentence: string;
  readonly label: string;
  readonly watch: () => void;
}

async function workElsewhere(kymo: Kymo): Promise<readonly Elsewhere[]> {
  const all = await kymo.studies.all();
  const found = await Promise.all(
    all.map(async ({ folder, studies }): Promise<readonly Elsewhere[]> => [
      ...runElsewhere(studies, kymo.refinements.stateOf(folder)).map((study) => ({
        folder,
        text: elsewhereText(study),
        sentence: elsewhereSentence(study),
        label: l10n.t`Watch the Refinement of ${study.target}`,
        watch: () => void vscode.commands.executeCommand('kymo.showRefinement', { folder, study }),
      })),
      ...(await kymo.parameterStudies.elsewhere(folder)).map((study) => ({
        folder,
        text: studiedElsewhereText(study),
        sentence: elsewhereSentence(study, 'studied'),
        label: l10n.t`Watch the Study of ${study.target}`,
        watch: () => focus('kymo.experiments.focus'),
      })),
    ]),
  );
  return found.flat();
}

/** Shows the actions of the status bar item. */
export async function refinementActions(kymo: Kymo): Promise<void> {
  const running = runningWork(kymo);
  const elsewhere = await workElsewhere(kymo);
  if (running.length + elsewhere.length === 0) {
    void vscode.window.showInformationMessage(l10n.t('Kymo refines nothing at the moment.'));
    return;
  }
  const stops = running.map(({ folder, state, what, stop }) => ({
    label:
      what === 'refines'
        ? l10n.t`$(debug-stop) Stop refining ${state.target}`
        : l10n.t`$(debug-stop) Stop the study of ${state.target}`,
    description: running.length === 1 ? '' : folder.name,
    detail: l10n.t`${state.message}. Completed measurements stay.`,
    run: stop,
  }));
  const watches = elsewhere.map(({ folder, label, sentence, watch }) => ({
    label: `$(eye) ${label}`,
    description: elsewhere.length === 1 ? '' : folder.name,
    detail: sentence,
    run: watch,
  }));
  const showRefinement = {
    label: l10n.t('$(graph-line) Show Refinement'),
    run: () => focus('kymo.showRefinement'),
  };
  const picked = await vscode.window.showQuickPick(
    [
      ...stops,
      ...watches,
      ...(running.some(({ what }) => what === 'refines') ? [showRefinement] : []),
      { label: l10n.t('$(list-tree) Show Experiments'), run: () => focus('kymo.experiments.focus') },
      { label: l10n.t('$(output) Show Log'), run: () => focus('kymo.showLog') },
    ],
    { title: l10n.t('Kymo: Running') },
  );
  picked?.run();
}

function focus(command: string): void {
  void vscode.commands.executeCommand(command);
}
