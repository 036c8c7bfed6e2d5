import * as vscode from 'vscode';
import type { Kymo } from '../../state/kymo';

const settleMilliseconds = 80;

/**
 * Sets the context keys of menus: whether the cursor is in a function of the last study (`kymo.cursorInFunction`), and its pin
 * (`kymo.cursorPin`).
 */
export class CursorContext implements vscode.Disposable {
  private timer: NodeJS.Timeout | undefined;
  private shown = '';
  private readonly subscriptions: readonly { dispose(): unknown }[];

  constructor(private readonly kymo: Kymo) {
    const soon = (): void => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => void this.update(), settleMilliseconds);
    };
    this.subscriptions = [
      vscode.window.onDidChangeTextEditorSelection(soon),
      vscode.window.onDidChangeActiveTextEditor(soon),
      kymo.studies.onDidChange(soon),
      kymo.pins.onDidChange(soon),
    ];
    soon();
  }

  private async update(): Promise<void> {
    const place = await this.kymo.placed.atCursor();
    const [heaviest] = place?.group.functions ?? [];
    const pins = place === undefined ? undefined : await this.kymo.pins.statesOf(place.file.folder);
    const pin = heaviest === undefined ? 'none' : (pins?.get(heaviest.key) ?? 'none');
    const now = `${heaviest !== undefined} ${pin}`;
    if (now === this.shown) return;
    this.shown = now;
    await vscode.commands.executeCommand('setContext', 'kymo.cursorInFunction', heaviest !== undefined);
    await vscode.commands.executeCommand('setContext', 'kymo.cursorPin', pin);
  }

  dispose(): void {
    clearTimeout(this.timer);
    for (const subscription of this.subscriptions) subscription.dispose();
  }
}
