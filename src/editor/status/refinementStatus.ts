import * as vscode from 'vscode';
import type { Kymo } from '../kymo';
import type { RunningRefinement } from '../refinements';
import { localFolders } from '../studies';
import { refinementLabel, refinementText } from './statusText';

/** In the status bar while a refinement runs: the phase of the loop, and behind a click what can be done about it. */
export class RefinementStatus implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem(
    'kymo.refinement',
    vscode.StatusBarAlignment.Left,
    10,
  );
  private readonly subscription: vscode.Disposable;

  constructor(private readonly kymo: Kymo) {
    this.item.name = 'Kymo: Refinement';
    this.item.command = 'kymo.refinementActions';
    this.subscription = kymo.refinements.onDidChange(() => this.update());
    this.update();
  }

  private update(): void {
    const running = runningRefinements(this.kymo);
    void vscode.commands.executeCommand('setContext', 'kymo.refining', running.length > 0);
    const [first] = running;
    if (first === undefined) {
      this.item.hide();
      return;
    }
    const others = running.length === 1 ? '' : ` +${running.length - 1}`;
    this.item.text = `${refinementText(first.state)}${others}`;
    this.item.tooltip = running
      .map(({ folder, state }) => `${folder.name}, target ${state.target}: ${state.message}`)
      .join('\n');
    this.item.accessibilityInformation = { label: refinementLabel(first.state), role: 'button' };
    this.item.show();
  }

  dispose(): void {
    this.subscription.dispose();
    this.item.dispose();
  }
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

/** Behind the status bar's item. */
export async function refinementActions(kymo: Kymo): Promise<void> {
  const running = runningRefinements(kymo);
  if (running.length === 0) {
    void vscode.window.showInformationMessage('Kymo refines nothing at the moment.');
    return;
  }
  const stops = running.map(({ folder, state }) => ({
    label: `$(debug-stop) Stop refining ${state.target}`,
    description: running.length === 1 ? '' : folder.name,
    detail: `${state.message}. What is measured is kept.`,
    run: () => void kymo.refinements.stop(folder),
  }));
  const picked = await vscode.window.showQuickPick(
    [
      ...stops,
      { label: '$(graph-line) Show Refinement', run: () => focus('kymo.showRefinement') },
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
