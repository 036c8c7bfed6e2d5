import path from 'node:path';
import * as vscode from 'vscode';
import { KymoError } from '../../core/errors';
import type { Kymo } from '../kymo';

/** Tells what failed, with the actions that lead to where it can be mended. Nothing is revealed unasked. */
export async function showError(kymo: Kymo, error: unknown): Promise<void> {
  const known = error instanceof KymoError ? error : undefined;
  const message = error instanceof Error ? error.message : String(error);
  kymo.log.error(known?.reason === 'internal' && known.stack !== undefined ? known.stack : message);
  const problems = known === undefined ? 0 : kymo.problems.show(known);
  const { file } = known?.where ?? {};
  const open = file === undefined ? undefined : `Open ${path.basename(file)}`;
  const actions = [
    ...(open === undefined ? [] : [open]),
    ...(known?.reason === 'build-failed' && problems > 0 ? ['Show Problems'] : []),
    'Show Log',
  ];
  const choice = await vscode.window.showErrorMessage(`Kymo: ${firstLine(message)}`, ...actions);
  if (choice === 'Show Log') kymo.log.show(true);
  else if (choice === 'Show Problems')
    await vscode.commands.executeCommand('workbench.actions.view.problems');
  else if (choice !== undefined && known !== undefined) await openPlace(known);
}

async function openPlace({ where: { file, line, column } }: KymoError): Promise<void> {
  if (file === undefined) return;
  const position = new vscode.Position(Math.max(0, (line ?? 1) - 1), Math.max(0, (column ?? 1) - 1));
  await vscode.window.showTextDocument(vscode.Uri.file(file), {
    selection: new vscode.Range(position, position),
  });
}

/** A notification is no place for a compiler's whole output; the log has it. */
function firstLine(message: string): string {
  const [first = ''] = message.split('\n');
  return first.length <= 300 ? first : `${first.slice(0, 299)}…`;
}
