import type * as vscode from 'vscode';
import type { HotSpotsEvents, HotSpotsRequests, RevealTarget } from '../../../../protocol/hotSpots';
import type { Kymo } from '../../../state/kymo';
import { Panels } from '../panels';
import { HotSpotPanel } from './hotSpotPanel';
import { shownBefore, type HotSpotsShown } from './requests';

export interface ShowOptions {
  /** What to select or to show in the panel. */
  readonly what?: RevealTarget;
  /** A second profile to compare with. */
  readonly compare?: string;
}

/** The hot-spot panels of a window. */
export class HotSpotPanels implements vscode.Disposable {
  private readonly panels: Panels<HotSpotsRequests, HotSpotsEvents, HotSpotsShown, HotSpotPanel>;
  /** What the panel selects that is being opened. */
  private initially: RevealTarget | undefined;

  constructor(kymo: Kymo) {
    this.panels = new Panels(kymo, {
      viewType: 'kymo.hotSpots',
      view: 'hotSpots',
      readState: shownBefore,
      make: (panel, shown) => {
        const owner = new HotSpotPanel(kymo, panel, shown);
        owner.selectWhenShown(this.initially);
        return owner;
      },
    });
  }

  /** Shows a profile in its open panel or a new one. */
  show(file: string, title: string, { what, compare }: ShowOptions = {}): void {
    const present = this.panels.find(
      (panel) => panel.file === file && (compare === undefined || panel.comparedFile === compare),
    );
    if (present !== undefined) {
      present.reveal(what);
      return;
    }
    const shown = { main: file, ...(compare === undefined ? {} : { compare }) };
    this.initially = what;
    this.panels.open(title, shown);
    this.initially = undefined;
  }

  dispose(): void {
    this.panels.dispose();
  }
}
