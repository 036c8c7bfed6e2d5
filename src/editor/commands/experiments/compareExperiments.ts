import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import type { ExperimentNode } from '../../surfaces/trees/experimentsView';
import { profileOf } from './experiments';

/** Two experiments to compare. */
export interface ComparedExperiments {
  readonly target: string;
  readonly main: StudyRound;
  readonly compare: StudyRound;
}

interface StudyRound {
  readonly studyDirectory: string;
  readonly iteration: number;
}

/** *Select for Compare*, *Compare with Selected* and *Compare Selected*, as the Explorer has them for files. */
export class CompareExperiments {
  private first: ExperimentNode | undefined;

  async select(node: ExperimentNode): Promise<void> {
    this.first = node;
    await vscode.commands.executeCommand('setContext', 'kymo.experiments.compareSelected', true);
  }

  /** The experiment that was selected for comparison first is the reference. */
  async withSelected(node: ExperimentNode): Promise<void> {
    if (this.first !== undefined) await show(node, this.first);
  }

  async both(node: ExperimentNode, all: readonly ExperimentNode[] = []): Promise<void> {
    const [first, second] = all.filter((selected) => selected.kind === 'study' || selected.kind === 'round');
    if (first === undefined || second === undefined || all.length !== 2) {
      void vscode.window.showInformationMessage(
        l10n.t('Kymo: select two studies or rounds (with Ctrl or Cmd), then compare them.'),
      );
      return;
    }
    // Shows the clicked experiment; the other one is the reference.
    await (node === first ? show(first, second) : show(second, first));
  }
}

async function show(main: ExperimentNode, compare: ExperimentNode): Promise<void> {
  const [a, b] = [profileOf(main), profileOf(compare)];
  if (a === undefined || b === undefined) {
    void vscode.window.showInformationMessage(
      l10n.t('Kymo: one of the two has no complete round, so there is nothing to compare.'),
    );
    return;
  }
  const given: ComparedExperiments = { target: a.target, main: a, compare: b };
  await vscode.commands.executeCommand('kymo.showHotSpots', given);
}
