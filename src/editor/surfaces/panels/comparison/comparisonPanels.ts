import type * as vscode from 'vscode';
import type { ComparisonEvents, ComparisonRequests } from '../../../../protocol/comparison';
import type { ComparisonInput } from '../../../state/comparison/comparisonSession';
import type { Kymo } from '../../../state/kymo';
import { comparisonTitle } from '../../../words/comparison/comparisonText';
import { Panels } from '../panels';
import { ComparisonPanel } from './comparisonPanel';
import { panelName, shownBefore } from './requests';

/** The panels of a window that compare traces: one per input. */
export class ComparisonPanels implements vscode.Disposable {
  private readonly panels: Panels<ComparisonRequests, ComparisonEvents, ComparisonInput>;
  private readonly open = new Set<ComparisonPanel>();

  constructor(kymo: Kymo) {
    this.panels = new Panels(kymo, {
      viewType: 'kymo.comparison',
      view: 'comparison',
      readState: shownBefore,
      open: (panel, input) => {
        const owner = new ComparisonPanel(kymo, panel, input);
        this.open.add(owner);
        panel.webviewPanel.onDidDispose(() => this.open.delete(owner));
        return owner;
      },
    });
  }

  /** Shows an input in its open panel or a new one. */
  show(input: ComparisonInput): void {
    const panel = [...this.open].find((candidate) => panelName(candidate.input) === panelName(input));
    if (panel === undefined) this.panels.open(comparisonTitle(input.views), input);
    else panel.reveal();
  }

  dispose(): void {
    this.panels.dispose();
  }
}
