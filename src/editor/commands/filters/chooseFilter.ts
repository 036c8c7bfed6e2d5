import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import { filterLanguage } from '../../state/filters/filterDocuments';

/** A workspace with more filters than this contains generated ones. */
const mostFilters = 200;

/** The filters of a folder and the open ones, the active editor's filter first. */
async function filtersFor(folder: vscode.WorkspaceFolder | undefined): Promise<readonly vscode.Uri[]> {
  const visible = vscode.window.visibleTextEditors.map(({ document }) => document);
  const open = [...visible, ...vscode.workspace.textDocuments].filter(
    ({ languageId, uri }) => languageId === filterLanguage && uri.scheme === 'file',
  );
  const files =
    folder === undefined
      ? []
      : await vscode.workspace.findFiles(
          new vscode.RelativePattern(folder, '**/*.{filt,filter}'),
          new vscode.RelativePattern(folder, '{.kymo/**/i*/**,**/node_modules/**}'),
          mostFilters,
        );
  const byName = new Map([...open.map(({ uri }) => uri), ...files].map((uri) => [uri.toString(), uri]));
  return [...byName.values()];
}

/** The only filter, or the one that the user picks; shows a message if there is none. */
export async function chooseFilter(
  title: string,
  folder: vscode.WorkspaceFolder | undefined,
): Promise<vscode.Uri | undefined> {
  const filters = await filtersFor(folder);
  const [first] = filters;
  if (first === undefined) {
    void vscode.window.showInformationMessage(
      l10n.t(
        'There is no Score-P filter (*.filt, *.filter) here. Write one, or save the selection of a study: Kymo: Show Refinement, Export Filter.',
      ),
    );
    return undefined;
  }
  if (filters.length === 1) return first;
  const picked = await vscode.window.showQuickPick(
    filters.map((uri) => ({ label: vscode.workspace.asRelativePath(uri), uri })),
    { title, placeHolder: l10n.t('Score-P filter') },
  );
  return picked?.uri;
}

/** The text of a file in an editor; undefined if no editor has it. */
export function editedText(uri: vscode.Uri): string | undefined {
  return vscode.workspace.textDocuments
    .find((document) => document.uri.toString() === uri.toString())
    ?.getText();
}
