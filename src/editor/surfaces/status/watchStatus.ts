import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import type { Kymo } from '../../state/kymo';
import { liveDetail, liveStatus } from '../../words/studies/liveRunText';

/** Processes that a tooltip names. */
const most = 20;

/** Status bar item of the run that is watched. A click shows what can be done with it. */
export class WatchStatus implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem('kymo.watch', vscode.StatusBarAlignment.Left, 9);
  private readonly subscription: vscode.Disposable;

  constructor(private readonly kymo: Kymo) {
    this.item.name = l10n.t('Kymo: Watched Run');
    this.item.command = 'kymo.watchRun';
    this.subscription = kymo.watched.onDidChange(() => {
      this.update();
    });
  }

  private update(): void {
    const live = this.kymo.watched.run?.live;
    if (live === undefined) {
      this.item.hide();
      return;
    }
    const lines = liveDetail(live);
    this.item.text = liveStatus(live);
    this.item.tooltip = lines.slice(0, most).join('\n');
    this.item.accessibilityInformation = { label: `Kymo: ${lines[0]}`, role: 'button' };
    this.item.show();
  }

  dispose(): void {
    this.subscription.dispose();
    this.item.dispose();
  }
}
