import * as vscode from 'vscode';
import { shortName } from '../../words/functions/hoverText';

/** Range of the name in the function's first line (1-based); the line's text if it does not contain the name. */
export function nameRange(line: number, text: string, name: string): vscode.Range {
  const shown = shortName(name);
  const index = shown === '' ? -1 : text.toLowerCase().indexOf(shown.toLowerCase());
  const first = index >= 0 ? index : text.length - text.trimStart().length;
  const last = index >= 0 ? index + shown.length : Math.max(first, text.trimEnd().length);
  return new vscode.Range(line - 1, first, line - 1, last);
}
