import type * as vscode from 'vscode';
import type { ModelsEvents, ModelsRequests } from '../../../../protocol/models';
import type { Kymo } from '../../../state/kymo';
import type { ModelsInput } from '../../../state/models/modelsSession';
import { Panels } from '../panels';
import { ModelsPanel, panelTitle } from './modelsPanel';
import { shownBefore } from './requests';

/** The panels of performance models of a window: one per input. */
export class ModelsPanels implements vscode.Disposable {
  private readonly panels: Panels<ModelsRequests, ModelsEvents, ModelsInput>;
  private readonly open = new Set<ModelsPanel>();

  constructor(kymo: Kymo) {
    this.panels = new Panels(kymo, {
      viewType: 'kymo.models',
      view: 'models',
      readState: shownBefore,
      open: (panel, input) => {
        const owner = new ModelsPanel(kymo, panel, input);
        this.open.add(owner);
        panel.webviewPanel.onDidDispose(() => this.open.delete(owner));
        return owner;
      },
    });
  }

  /** Shows an input in its open panel or a new one, and compares it there if the input names what with. */
  show(input: ModelsInput): void {
    const name = JSON.stringify(input.paths);
    const panel = [...this.open].find((candidate) => JSON.stringify(candidate.input.paths) === name);
    if (panel === undefined) {
      this.panels.open(panelTitle(input), input);
      return;
    }
    if (input.compared !== undefined) panel.compare(input.compared);
    panel.reveal();
  }

  dispose(): void {
    this.panels.dispose();
  }
}
