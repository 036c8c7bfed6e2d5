import path from 'node:path';
import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import { openMeasured } from '../../actions/openMeasured';
import { showError } from '../../actions/showError';
import type { Kymo } from '../../state/kymo';
import { filterLanguage, type FilterDocuments } from '../../state/filters/filterDocuments';

/** Maximum number of functions in a list. */
const mostMatches = 2000;

/** Action of a lens: lists the functions that rules match, with the decision on each; choosing one opens its source. */
export async function showMatches(
  kymo: Kymo,
  documents: FilterDocuments,
  uri: unknown,
  rules: unknown,
): Promise<void> {
  const chosen = await chosenRules(kymo, documents, uri, rules);
  if (chosen === undefined) {
    void vscode.window.showInformationMessage(
      l10n.t('Put the cursor on a pattern of a Score-P filter to see what it matches.'),
    );
    return;
  }
  try {
    const { document, positions } = chosen;
    const source = await documents.sourceOf(document.uri);
    const { total, matches } = await kymo.engine.query('filterMatches', {
      text: document.getText(),
      rules: positions,
      source,
      most: mostMatches,
    });
    const picked = await vscode.window.showQuickPick(
      matches.map(({ name, file, line, instrumented, decided }) => ({
        label: `$(${instrumented ? 'pass' : 'circle-slash'}) ${name}`,
        ...(file === undefined
          ? {}
          : { description: `${path.basename(file)}${line === undefined ? '' : `:${line}`}` }),
        ...(decided
          ? {}
          : {
              detail: instrumented
                ? l10n.t('Instrumented by a later rule')
                : l10n.t('Left out by a later rule'),
            }),
        file,
        line,
      })),
      {
        title: total === 1 ? l10n.t('1 function matches') : l10n.t`${total} functions match`,
        placeHolder:
          total > matches.length
            ? l10n.t`The first ${matches.length}`
            : l10n.t('Choose one to open its source'),
        matchOnDescription: true,
      },
    );
    if (picked?.file !== undefined) await openMeasured(kymo, { file: picked.file, line: picked.line ?? 1 });
  } catch (error) {
    void showError(kymo, error);
  }
}

interface ChosenRules {
  readonly document: vscode.TextDocument;
  readonly positions: readonly number[];
}

/** The rules of a lens, or else the rule at the cursor. */
async function chosenRules(
  kymo: Kymo,
  documents: FilterDocuments,
  uri: unknown,
  rules: unknown,
): Promise<ChosenRules | undefined> {
  if (typeof uri === 'string' && Array.isArray(rules)) {
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri, true));
    return { document, positions: rules.filter((rule): rule is number => Number.isSafeInteger(rule)) };
  }
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.languageId !== filterLanguage) return undefined;
  const { document, selection } = editor;
  const word = await kymo.engine.query('filterWord', {
    text: document.getText(),
    offset: document.offsetAt(selection.active),
    source: await documents.sourceOf(document.uri),
    most: 0,
  });
  return word?.rule && { document, positions: [word.rule.position] };
}
