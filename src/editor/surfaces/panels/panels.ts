import * as vscode from 'vscode';
import type { RequestShape } from '../../../protocol/channel';
import type { Kymo } from '../../state/kymo';
import { panelColumn } from './panelColumn';
import { type Answers, PanelChannel } from './panelChannel';
import { fillWebview, webviewOptions } from './webviewPage';

/** A kind of panel: its page and the owner of each panel. */
export interface PanelKind<
  Requests extends RequestShape<Requests>,
  Events,
  Shown,
  Owner extends PanelOwner<Requests>,
> {
  /** For example `kymo.hotSpots`; package.json has the activation event `onWebviewPanel:kymo.hotSpots` for it. */
  readonly viewType: string;
  /** `webview/<view>/main.ts`, bundled to `dist/webview/<view>.js`. */
  readonly view: string;
  /** Reads what a panel showed from the state that its webview stored; undefined if the state is invalid. */
  readonly readState: (state: unknown) => Shown | undefined;
  /** Creates the owner of one panel, before the script of its webview runs. */
  readonly make: (panel: Panel<Events>, shown: Shown) => Owner;
}

/** The owner of one panel. */
export interface PanelOwner<Requests extends RequestShape<Requests>> {
  readonly answers: Answers<Requests>;
  /** The webview became ready: for the first time, or after it was hidden or reloaded. `state` is what it stored, unchecked. */
  readonly onReady?: (state: unknown) => void;
  readonly dispose?: () => void;
}

/** The part of a panel that its owner uses. */
export interface Panel<Events> {
  readonly webviewPanel: vscode.WebviewPanel;
  /** Sends an event, unless the webview is hidden or not ready: it asks for its data when it is. */
  tell<Name extends keyof Events & string>(name: Name, value: Events[Name]): void;
}

/** Opens panels of one kind, and restores those that were open when the window closed. */
export class Panels<
  Requests extends RequestShape<Requests>,
  Events,
  Shown,
  Owner extends PanelOwner<Requests> = PanelOwner<Requests>,
>
  implements vscode.Disposable
{
  /** Connections that end with the extension. The panels stay, because a reloaded window restores them. */
  private readonly connections = new Set<vscode.Disposable>();
  private readonly serializer: vscode.Disposable;
  private readonly owners = new Set<Owner>();

  constructor(
    private readonly kymo: Kymo,
    private readonly kind: PanelKind<Requests, Events, Shown, Owner>,
  ) {
    this.serializer = vscode.window.registerWebviewPanelSerializer(kind.viewType, {
      deserializeWebviewPanel: (panel, state) => {
        const shown = kind.readState(state);
        if (shown === undefined) {
          kymo.log.warn(`${kind.viewType}: not restored, because its state is invalid`);
          panel.dispose();
        } else this.attach(panel, shown);
        return Promise.resolve();
      },
    });
  }

  /** The owner of an open panel. */
  find(isWanted: (owner: Owner) => boolean): Owner | undefined {
    return [...this.owners].find(isWanted);
  }

  /** Opens a new panel in the column of Kymo's other panels, else beside the source. */
  open(title: string, shown: Shown): vscode.WebviewPanel {
    const { viewType } = this.kind;
    const panel = vscode.window.createWebviewPanel(viewType, title, panelColumn(), {
      ...webviewOptions(this.kymo.extension.extensionUri),
      retainContextWhenHidden: false,
      enableFindWidget: false,
    });
    this.attach(panel, shown);
    return panel;
  }

  private attach(webviewPanel: vscode.WebviewPanel, shown: Shown): void {
    const { kymo, kind } = this;
    const { webview } = webviewPanel;
    const icon = (theme: string): vscode.Uri =>
      vscode.Uri.joinPath(kymo.extension.extensionUri, 'media', `kymo-${theme}.svg`);
    webviewPanel.iconPath = { light: icon('light'), dark: icon('dark') };
    const link: { channel?: PanelChannel<Requests, Events> } = {};
    const owner = kind.make({ webviewPanel, tell: (name, value) => link.channel?.tell(name, value) }, shown);
    const channel = new PanelChannel<Requests, Events>(
      webview,
      owner.answers,
      (state) => owner.onReady?.(state),
      (why) => kymo.log.warn(`${kind.viewType}: refused ${why}`),
    );
    link.channel = channel;
    const connection = new vscode.Disposable(() => {
      channel.dispose();
      owner.dispose?.();
    });
    this.connections.add(connection);
    this.owners.add(owner);
    webviewPanel.onDidChangeViewState(() => {
      // A hidden webview no longer exists; a new one announces itself when the panel is shown.
      if (!webviewPanel.visible) channel.pause();
    });
    webviewPanel.onDidDispose(() => {
      this.owners.delete(owner);
      this.connections.delete(connection);
      connection.dispose();
    });
    fillWebview(webviewPanel, kymo.extension.extensionUri, kind.view);
  }

  dispose(): void {
    this.serializer.dispose();
    for (const connection of this.connections) connection.dispose();
    this.connections.clear();
  }
}
