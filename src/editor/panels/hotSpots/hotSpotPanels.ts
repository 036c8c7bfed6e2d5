import { randomUUID } from 'node:crypto';
import type * as vscode from 'vscode';
import type { HotSpotsEvents, HotSpotsRequests } from '../../../protocol/hotSpots';
import type { Kymo } from '../../kymo';
import { Panels } from '../panels';
import { HotSpotPanel, type HotSpotsShown } from './hotSpotPanel';

/** What panels showed when the window closed is looked up here by the name that their webviews kept. */
const memoryKey = 'kymo.hotSpots.panels';
/** Panels that are remembered. */
const mostRemembered = 20;

interface ShowOptions {
  /** Selects that function. */
  readonly functionName?: string;
  /** A second profile to compare with. */
  readonly compare?: string;
}

/** The hot-spot panels of a window. */
export class HotSpotPanels implements vscode.Disposable {
  private readonly panels: Panels<HotSpotsRequests, HotSpotsEvents, HotSpotsShown>;
  private readonly open = new Set<HotSpotPanel>();
  /** A function that the panel which is being opened shows first. */
  private wanted: string | undefined;

  constructor(private readonly kymo: Kymo) {
    this.panels = new Panels(kymo, {
      viewType: 'kymo.hotSpots',
      view: 'hotSpots',
      readState: (state) => this.remembered(state),
      open: (panel, shown) => {
        const owner = new HotSpotPanel(kymo, panel, shown, (now) => this.remember(now));
        owner.setWanted(this.wanted);
        this.open.add(owner);
        panel.webviewPanel.onDidDispose(() => this.open.delete(owner));
        return owner;
      },
    });
  }

  /** Shows a profile: in the panel that shows it already, or in a new one. */
  show(file: string, title: string, { functionName, compare }: ShowOptions = {}): void {
    for (const one of this.open) {
      if (one.file !== file || (compare !== undefined && one.comparedFile !== compare)) continue;
      one.reveal(functionName);
      return;
    }
    const shown = { panel: randomUUID(), main: file, ...(compare === undefined ? {} : { compare }) };
    this.remember(shown);
    this.wanted = functionName;
    this.panels.open(title, shown);
    this.wanted = undefined;
  }

  dispose(): void {
    this.panels.dispose();
  }

  private remember(shown: HotSpotsShown): void {
    const others = this.memory().filter(({ panel }) => panel !== shown.panel);
    void this.kymo.extension.workspaceState.update(memoryKey, [shown, ...others].slice(0, mostRemembered));
  }

  private remembered(state: unknown): HotSpotsShown | undefined {
    if (typeof state !== 'object' || state === null || !('panel' in state)) return undefined;
    return this.memory().find(({ panel }) => panel === state.panel);
  }

  private memory(): readonly HotSpotsShown[] {
    return this.kymo.extension.workspaceState.get<readonly HotSpotsShown[]>(memoryKey, []);
  }
}
