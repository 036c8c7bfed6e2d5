import type * as vscode from 'vscode';
import type { DynamicsEvents, DynamicsRequests } from '../../../../protocol/dynamics';
import type { DynamicsInput } from '../../../state/dynamics/dynamicsSession';
import type { Kymo } from '../../../state/kymo';
import { Panels } from '../panels';
import { DynamicsPanel, inputTitle } from './dynamicsPanel';
import { panelName, shownBefore } from './requests';

/** The panels of performance dynamics of a window: one per input. */
export class DynamicsPanels implements vscode.Disposable {
  private readonly panels: Panels<DynamicsRequests, DynamicsEvents, DynamicsInput>;
  private readonly open = new Set<DynamicsPanel>();

  constructor(kymo: Kymo) {
    this.panels = new Panels(kymo, {
      viewType: 'kymo.dynamics',
      view: 'dynamics',
      readState: shownBefore,
      open: (panel, input) => {
        const owner = new DynamicsPanel(kymo, panel, input);
        this.open.add(owner);
        panel.webviewPanel.onDidDispose(() => this.open.delete(owner));
        return owner;
      },
    });
  }

  /** Shows an input in its open panel or a new one, and there the property with this id, if given. */
  show(input: DynamicsInput, property?: string): void {
    const name = panelName(input);
    const panel = this.find(name);
    if (panel !== undefined) {
      panel.reveal(property);
      return;
    }
    this.panels.open(`Dynamics: ${inputTitle(input)}`, input);
    if (property !== undefined) this.find(name)?.choose(property);
  }

  dispose(): void {
    this.panels.dispose();
  }

  private find(name: string): DynamicsPanel | undefined {
    return [...this.open].find((panel) => panelName(panel.input) === name);
  }
}
