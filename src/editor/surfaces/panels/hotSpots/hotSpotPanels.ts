import type * as vscode from 'vscode';
import type { HotSpotsEvents, HotSpotsRequests } from '../../../../protocol/hotSpots';
import type { Kymo } from '../../../state/kymo';
import { Panels } from '../panels';
import { HotSpotPanel } from './hotSpotPanel';
import { shownBefore, type HotSpotsShown } from './requests';

interface ShowOptions {
  /** Function to select. */
  readonly functionName?: string;
  /** A second profile to compare with. */
  readonly compare?: string;
}

/** The hot-spot panels of a window. */
export class HotSpotPanels implements vscode.Disposable {
  private readonly panels: Panels<HotSpotsRequests, HotSpotsEvents, HotSpotsShown>;
  private readonly open = new Set<HotSpotPanel>();
  /** Function that the panel selects which is being opened. */
  private initialFunction: string | undefined;

  constructor(kymo: Kymo) {
    this.panels = new Panels(kymo, {
      viewType: 'kymo.hotSpots',
      view: 'hotSpots',
      readState: shownBefore,
      open: (panel, shown) => {
        const owner = new HotSpotPanel(kymo, panel, shown);
        owner.selectWhenShown(this.initialFunction);
        this.open.add(owner);
        panel.webviewPanel.onDidDispose(() => this.open.delete(owner));
        return owner;
      },
    });
  }

  /** Shows a profile in its open panel or a new one. */
  show(file: string, title: string, { functionName, compare }: ShowOptions = {}): void {
    for (const panel of this.open) {
      if (panel.file !== file || (compare !== undefined && panel.comparedFile !== compare)) continue;
      panel.reveal(functionName);
      return;
    }
    const shown = { main: file, ...(compare === undefined ? {} : { compare }) };
    this.initialFunction = functionName;
    this.panels.open(title, shown);
    this.initialFunction = undefined;
  }

  dispose(): void {
    this.panels.dispose();
  }
}
