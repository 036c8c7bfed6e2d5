import * as vscode from 'vscode';
import { withoutLinks } from '../../../core/markdown';

export const goToHottest = 'Go to Hottest Function';

/** Shows a result and what to do next; as a warning if it says less than it seems to. Returns the chosen action. */
export async function offerResult(
  sentence: string,
  warning: string | undefined,
  actions: readonly string[],
): Promise<string | undefined> {
  return warning === undefined
    ? vscode.window.showInformationMessage(withoutLinks(sentence), ...actions)
    : vscode.window.showWarningMessage(withoutLinks(`${sentence} ${warning}`), ...actions);
}
