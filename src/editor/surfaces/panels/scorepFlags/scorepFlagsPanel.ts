import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import { KymoError } from '../../../../core/errors';
import { readSettings, writeSettings } from '../../../../core/scorepOptions/values';
import { nothing } from '../../../../protocol/guards';
import type {
  ScorepFlagsEvents,
  ScorepFlagsRequests,
  ScorepFlagsShown,
} from '../../../../protocol/scorepFlags';
import type { ScorepOptions, ScorepTargetsRequest } from '../../../../workflows/scorepOptions';
import type { Kymo } from '../../../state/kymo';
import { localFolders } from '../../../state/studies/studies';
import type { Answers } from '../panelChannel';
import type { Panel, PanelOwner } from '../panels';
import { checkedValues, useGuard } from './requests';
import { scorepEdit } from './scorepEdit';

const restMilliseconds = 300;

export interface FlagsShown {
  /** URI of the workspace folder; empty without an open folder. */
  readonly folder: string;
  readonly target?: string;
}

/** A panel with Score-P's options. Relays between engine and webview, and changes `kymo.json` by an edit that can be undone. */
export class ScorepFlagsPanel implements PanelOwner<ScorepFlagsRequests> {
  readonly answers: Answers<ScorepFlagsRequests>;
  private choices: ScorepOptions | undefined;
  private timer: NodeJS.Timeout | undefined;
  private readonly subscriptions: readonly vscode.Disposable[];

  constructor(
    private readonly kymo: Kymo,
    private readonly panel: Panel<ScorepFlagsEvents>,
    private shown: FlagsShown,
  ) {
    const changed = (uri: vscode.Uri): void => {
      if (uri.toString() === this.file()?.toString()) this.notifySoon();
    };
    const watcher = vscode.workspace.createFileSystemWatcher('**/kymo.json');
    this.subscriptions = [
      watcher,
      watcher.onDidChange(changed),
      watcher.onDidCreate(changed),
      watcher.onDidDelete(changed),
      vscode.workspace.onDidChangeTextDocument(({ document }) => changed(document.uri)),
      // Watchers miss changes while they start, and all changes on some file systems.
      vscode.window.onDidChangeWindowState(({ focused }) => {
        if (focused) this.notifySoon();
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(() => {
        this.choices = undefined;
        this.notifySoon();
      }),
    ];
    this.answers = {
      open: { guard: nothing, answer: (_, signal) => this.load(signal) },
      use: { guard: useGuard, answer: (parameters) => this.use(parameters) },
      openConfiguration: { guard: nothing, answer: () => this.openConfiguration() },
    };
  }

  get folder(): string {
    return this.shown.folder;
  }

  /** Brings the panel to the front, with another target if given. */
  reveal({ target }: FlagsShown): void {
    if (target !== undefined) this.shown = { ...this.shown, target };
    this.panel.tell('changed', {});
    this.panel.webviewPanel.reveal(undefined, false);
  }

  /** Reads everything again for the new webview, because the installed tools may have changed. */
  onReady(): void {
    this.choices = undefined;
  }

  dispose(): void {
    clearTimeout(this.timer);
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private async load(signal: AbortSignal): Promise<ScorepFlagsShown> {
    const workspace = this.workspace()?.uri.fsPath;
    const text = this.openDocument()?.getText();
    const request = {
      ...(workspace === undefined ? {} : { workspace }),
      ...(text === undefined ? {} : { text }),
    };
    this.choices = await this.read(request, signal);
    const { target } = this.shown;
    // The target is preselected once; after that the user chooses in the panel.
    this.shown = { folder: this.shown.folder };
    return { ...this.choices, folder: this.folder, ...(target === undefined ? {} : { target }) };
  }

  /** After the first reading, reads only the targets again: otherwise each change of `kymo.json` would start Score-P's tools. */
  private async read(request: ScorepTargetsRequest, signal: AbortSignal): Promise<ScorepOptions> {
    const { engine } = this.kymo;
    if (this.choices !== undefined) {
      const { catalogue, installations, facts, languages } = this.choices;
      const targets = await engine.query('scorepTargets', request, { signal });
      if (targets.targets.every(({ instrumenter }) => Object.hasOwn(installations, instrumenter)))
        return { catalogue, installations, languages, ...(facts === undefined ? {} : { facts }), ...targets };
    }
    return engine.query('scorepOptions', request, { signal });
  }

  /** Waits for a pause in typing. */
  private notifySoon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.panel.tell('changed', {}), restMilliseconds);
  }

  private async use({
    target,
    values,
    setBackend,
  }: ScorepFlagsRequests['use']['parameters']): Promise<{ readonly written: boolean }> {
    const choices = this.choices;
    const configured = choices?.targets.find(({ name }) => name === target);
    const file = this.file();
    if (choices === undefined || configured === undefined || file === undefined)
      throw new KymoError('refused', l10n.t`kymo.json has no target ${target.slice(0, 100)} any more.`);
    const { options } = choices.catalogue;
    const before = readSettings(options, configured.settings);
    const settings = writeSettings(options, {
      ...before,
      values: checkedValues(options, values, before.values),
    });
    const document = await vscode.workspace.openTextDocument(file);
    const change = scorepEdit(document.getText(), target, settings, setBackend ? 'scorep' : undefined);
    if (change === undefined)
      throw new KymoError('config-invalid', l10n.t`${file.fsPath} has no target ${target} any more.`);
    const { offset, length, content } = change;
    const edit = new vscode.WorkspaceEdit();
    edit.replace(
      document.uri,
      new vscode.Range(document.positionAt(offset), document.positionAt(offset + length)),
      content,
    );
    const written = await vscode.workspace.applyEdit(edit);
    if (!written) return { written };
    const start = document.positionAt(offset);
    await this.showDocument(document, new vscode.Range(start, document.positionAt(offset + content.length)));
    vscode.window.setStatusBarMessage(
      l10n.t`$(sync) Score-P measures ${target} so once kymo.json is saved`,
      8000,
    );
    return { written };
  }

  private async openConfiguration(): Promise<{ readonly opened: boolean }> {
    const file = this.file();
    const exists =
      file !== undefined &&
      (await vscode.workspace.fs.stat(file).then(
        () => true,
        () => false,
      ));
    if (exists) await this.showDocument(await vscode.workspace.openTextDocument(file));
    else await vscode.commands.executeCommand('kymo.createConfiguration');
    return { opened: exists };
  }

  /** Shows the document beside the panel, which stays focused. */
  private async showDocument(document: vscode.TextDocument, range?: vscode.Range): Promise<void> {
    const { One, Beside } = vscode.ViewColumn;
    const viewColumn = this.panel.webviewPanel.viewColumn === One ? Beside : One;
    const editor = await vscode.window.showTextDocument(document, { viewColumn, preserveFocus: true });
    if (range !== undefined) editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }

  private workspace(): vscode.WorkspaceFolder | undefined {
    return localFolders().find(({ uri }) => uri.toString() === this.shown.folder);
  }

  private file(): vscode.Uri | undefined {
    const folder = this.workspace();
    return folder === undefined ? undefined : vscode.Uri.joinPath(folder.uri, 'kymo.json');
  }

  /** The document of `kymo.json`, if it has unsaved changes. */
  private openDocument(): vscode.TextDocument | undefined {
    const file = this.file()?.toString();
    return vscode.workspace.textDocuments.find(
      (document) => document.isDirty && document.uri.toString() === file,
    );
  }
}
