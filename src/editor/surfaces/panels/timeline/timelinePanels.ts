import type * as vscode from 'vscode';
import type { TimelineEvents, TimelineRequests } from '../../../../protocol/timeline';
import type { Kymo } from '../../../state/kymo';
import type { TimelineInput } from '../../../state/timeline/timelineSession';
import { Panels } from '../panels';
import { shownBefore } from './requests';
import { panelTitle, TimelinePanel } from './timelinePanel';

/** The timelines of a window: one per trace. */
export class TimelinePanels implements vscode.Disposable {
  private readonly panels: Panels<TimelineRequests, TimelineEvents, TimelineInput>;
  private readonly open = new Set<TimelinePanel>();

  constructor(kymo: Kymo) {
    this.panels = new Panels(kymo, {
      viewType: 'kymo.timeline',
      view: 'timeline',
      readState: shownBefore,
      open: (panel, input) => {
        const owner = new TimelinePanel(kymo, panel, input);
        this.open.add(owner);
        panel.webviewPanel.onDidDispose(() => this.open.delete(owner));
        return owner;
      },
    });
  }

  /** Shows a trace in its open panel or a new one. */
  show(input: TimelineInput): void {
    const panel = [...this.open].find((candidate) => candidate.input.file === input.file);
    if (panel === undefined) this.panels.open(panelTitle(input), input);
    else panel.reveal();
  }

  dispose(): void {
    this.panels.dispose();
  }
}
