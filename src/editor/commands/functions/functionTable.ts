import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import type { StudySummary } from '../../../workflows/studies/studies';
import type { Kymo } from '../../state/kymo';
import { functionTableText } from '../../words/functions/functionTableText';
import { FunctionIndex } from '../../state/studies/functionIndex';

const scheme = 'kymo-functions';

/** The functions of a study as a read-only document: the flat profile with the decision on each function. */
export class FunctionTables implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly subscription = vscode.workspace.registerTextDocumentContentProvider(scheme, this);

  constructor(private readonly kymo: Kymo) {}

  async show({ target, study, directory }: StudySummary): Promise<void> {
    const uri = vscode.Uri.from({ scheme, path: `/${target} ${study} functions.txt`, query: directory });
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
  }

  async provideTextDocumentContent({ query: directory }: vscode.Uri): Promise<string> {
    const functions = new FunctionIndex();
    try {
      await this.kymo.studies.readFunctions(directory, (more) => functions.add(more));
    } catch (error) {
      return `${l10n.t`The functions of ${directory} cannot be read: ${error instanceof Error ? error.message : String(error)}`}\n`;
    }
    return functionTableText(functions);
  }

  dispose(): void {
    this.subscription.dispose();
  }
}
