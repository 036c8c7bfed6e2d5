import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import { withoutLinks } from '../../../core/markdown';
import type { ResultMessage } from '../../words/studies/resultMessage';

export const goToHottest = l10n.t('Go to Hottest Function');

/** Shows a result and what to do next. Returns the chosen action. */
export async function offerResult(
  { text, isWarning }: ResultMessage,
  actions: readonly string[],
): Promise<string | undefined> {
  return isWarning
    ? vscode.window.showWarningMessage(withoutLinks(text), ...actions)
    : vscode.window.showInformationMessage(withoutLinks(text), ...actions);
}
