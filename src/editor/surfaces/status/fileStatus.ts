import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import type { Kymo } from '../../state/kymo';
import { fileStatusDetail, fileStatusText, profileStatusText } from '../../words/studies/statusText';

/** The language status of a document that the shown study measured: how much is instrumented, and how old the numbers are. */
export class FileStatus implements vscode.Disposable {
  private readonly subscriptions: readonly vscode.Disposable[];
  private item: vscode.LanguageStatusItem | undefined;
  /** Number of the last request; answers to older ones are dropped. */
  private question = 0;

  constructor(private readonly kymo: Kymo) {
    const update = (): void => void this.update();
    this.subscriptions = [
      vscode.window.onDidChangeActiveTextEditor(update),
      kymo.studies.onDidChange(update),
      kymo.lineMaps.onDidChange((document) => {
        if (document === vscode.window.activeTextEditor?.document) update();
      }),
    ];
    update();
  }

  private async update(): Promise<void> {
    this.question += 1;
    const question = this.question;
    const document = vscode.window.activeTextEditor?.document;
    const status = document === undefined ? undefined : await statusOf(this.kymo, document);
    if (question !== this.question) return;
    if (document === undefined || status === undefined) {
      this.item?.dispose();
      this.item = undefined;
      return;
    }
    this.item ??= newItem();
    // An exact pattern, because the item must not appear for documents that were not measured.
    this.item.selector = {
      scheme: 'file',
      pattern: new vscode.RelativePattern(vscode.Uri.joinPath(document.uri, '..'), escapeGlob(document.uri)),
    };
    this.item.text = status.text;
    this.item.detail = status.detail;
    this.item.command = status.command;
  }

  dispose(): void {
    this.item?.dispose();
    for (const subscription of this.subscriptions) subscription.dispose();
  }
}

function newItem(): vscode.LanguageStatusItem {
  const item = vscode.languages.createLanguageStatusItem('kymo.file', []);
  item.name = 'Kymo';
  return item;
}

interface Status {
  readonly text: string;
  readonly detail: string;
  readonly command: vscode.Command;
}

async function statusOf(kymo: Kymo, document: vscode.TextDocument): Promise<Status | undefined> {
  const measured = await kymo.studies.measuredIn(document.uri);
  if (measured === undefined) return undefined;
  const { shown } = measured;
  if (shown.kind === 'profile')
    return {
      text: profileStatusText(shown.label, measured.groups.length),
      detail: l10n.t`data from ${shown.label}`,
      command: { title: l10n.t('Show the Last Study Again'), command: 'kymo.showLastStudy' },
    };
  const iteration = shown.study.iterations.at(-1);
  if (iteration === undefined) return undefined;
  const groups = (await kymo.placed.of(document))?.groups ?? [];
  // A deleted function counts as changed, too.
  const unchanged = groups.filter(({ stale }) => !stale).length;
  const facts = {
    iteration,
    functionsKnown: shown.functions.size,
    changedInFile: measured.groups.length - unchanged,
  };
  return {
    text: fileStatusText(facts),
    detail: fileStatusDetail(facts),
    command: { title: l10n.t('Experiments'), command: 'kymo.experiments.focus' },
  };
}

/** The file's name as a glob pattern that matches nothing else. */
function escapeGlob(uri: vscode.Uri): string {
  return (uri.path.split('/').at(-1) ?? '').replace(/[*?[\]{}]/g, (character) => `[${character}]`);
}
