import * as vscode from 'vscode';
import type { StudySummary } from '../../../workflows/studies/studies';
import { elsewhereSentence, runElsewhere } from '../../state/runs/elsewhere';
import type { Kymo } from '../../state/kymo';
import type { RunningRefinement } from '../../state/runs/refinements';
import { localFolders } from '../../state/studies/studies';
import { elsewhereText, refinementLabel, refinementText } from '../../words/studies/statusText';

/** Status bar item of a running refinement, here or elsewhere: the phase of the loop. A click shows the possible actions. */
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
    this.item.name = 'Kymo: Refinement';
    this.item.command = 'kymo.refinementActions';
    this.subscriptions = [
      kymo.refinements.onDidChange(() => this.update()),
      // `StudyWatch` fires soon after the start, too, because a refinement may have started before the window opened.
      kymo.studies.onDidChange(() => void this.lookElsewhere()),
    ];
    this.update();
  }

  private async lookElsewhere(): Promise<void> {
    this.question += 1;
    const question = this.question;
    const elsewhere = await refinementsElsewhere(this.kymo);
    if (question !== this.question) return;
    this.elsewhere = elsewhere;
    this.update();
  }

  private update(): void {
    const running = runningRefinements(this.kymo);
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
      .map(({ folder, state }) => `${folder.name}, target ${state.target}: ${state.message}`)
      .join('\n');
    this.item.accessibilityInformation = { label: refinementLabel(first.state), role: 'button' };
    this.item.show();
  }

  private showElsewhere(elsewhere: readonly Elsewhere[]): void {
    const [first] = elsewhere;
    if (first === undefined) return;
    this.item.text = `${elsewhereText(first.study)}${others(elsewhere)}`;
    this.item.tooltip = elsewhere
      .map(({ folder, study }) => `${folder.name}: ${elsewhereSentence(study)}`)
      .join('\n');
    this.item.accessibilityInformation = { label: elsewhereSentence(first.study), role: 'button' };
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
  readonly state: RunningRefinement;
}

function runningRefinements(kymo: Kymo): readonly Running[] {
  return localFolders().flatMap((folder) => {
    const state = kymo.refinements.stateOf(folder);
    return state.phase === 'idle' ? [] : [{ folder, state }];
  });
}

interface Elsewhere {
  readonly folder: vscode.WorkspaceFolder;
  readonly study: StudySummary;
}

async function refinementsElsewhere(kymo: Kymo): Promise<readonly Elsewhere[]> {
  const all = await kymo.studies.all();
  return all.flatMap(({ folder, studies }) =>
    runElsewhere(studies, kymo.refinements.stateOf(folder)).map((study) => ({ folder, study })),
  );
}

/** Shows the actions of the status bar item. */
export async function refinementActions(kymo: Kymo): Promise<void> {
  const running = runningRefinements(kymo);
  const elsewhere = await refinementsElsewhere(kymo);
  if (running.length + elsewhere.length === 0) {
    void vscode.window.showInformationMessage('Kymo refines nothing at the moment.');
    return;
  }
  const stops = running.map(({ folder, state }) => ({
    label: `$(debug-stop) Stop refining ${state.target}`,
    description: running.length === 1 ? '' : folder.name,
    detail: `${state.message}. Completed measurements stay.`,
    run: () => void kymo.refinements.stop(folder),
  }));
  const watches = elsewhere.map(({ folder, study }) => ({
    label: `$(eye) Watch the Refinement of ${study.target}`,
    description: elsewhere.length === 1 ? '' : folder.name,
    detail: elsewhereSentence(study),
    run: () => void vscode.commands.executeCommand('kymo.showRefinement', { folder, study }),
  }));
  const showRefinement = {
    label: '$(graph-line) Show Refinement',
    run: () => focus('kymo.showRefinement'),
  };
  const picked = await vscode.window.showQuickPick(
    [
      ...stops,
      ...watches,
      ...(running.length === 0 ? [] : [showRefinement]),
      { label: '$(list-tree) Show Experiments', run: () => focus('kymo.experiments.focus') },
      { label: '$(output) Show Log', run: () => focus('kymo.showLog') },
    ],
    { title: 'Kymo: Refinement' },
  );
  picked?.run();
}

function focus(command: string): void {
  void vscode.commands.executeCommand(command);
}
