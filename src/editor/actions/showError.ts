import path from 'node:path';
import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import { KymoError } from '../../core/errors';
import type { Kymo } from '../state/kymo';
import { errorToast } from '../words/studies/errorToast';
import { removeLock, removeLockLabel } from './removeLock';
import { withoutLinks } from '../../core/markdown';

/** Shows an error with actions that lead to its fix. Reveals nothing unasked. */
export async function showError(kymo: Kymo, error: unknown): Promise<void> {
  if (error instanceof KymoError) await showKnown(kymo, error as KymoError);
  else {
    kymo.log.error(error instanceof Error ? error : String(error));
    await offer(kymo, error instanceof Error ? error.message : String(error), new Map());
  }
}

async function showKnown(kymo: Kymo, error: KymoError): Promise<void> {
  kymo.log.error(error.reason === 'internal' && error.stack !== undefined ? error.stack : error.message);
  const problems = kymo.problems.show(error);
  const actions = new Map<string, () => Promise<void>>();
  const { file } = error.where;
  if (error.reason === 'study-locked' && file !== undefined)
    actions.set(removeLockLabel, () => removeLock(kymo, path.dirname(file), error.message));
  else if (file !== undefined && (await isFile(file)))
    actions.set(l10n.t`Open ${path.basename(file)}`, () => openPlace(error));
  if (error.reason === 'build-failed' && problems > 0) actions.set(l10n.t('Show Problems'), showProblems);
  await offer(kymo, error.message, actions);
}

async function offer(
  kymo: Kymo,
  message: string,
  actions: ReadonlyMap<string, () => Promise<void>>,
): Promise<void> {
  const showLog = l10n.t('Show Log');
  const choice = await vscode.window.showErrorMessage(
    `Kymo: ${withoutLinks(errorToast(message))}`,
    ...actions.keys(),
    showLog,
  );
  if (choice === showLog) kymo.log.show(true);
  else if (choice !== undefined) await actions.get(choice)?.();
}

/** Folders and deleted files cannot be opened in an editor. */
async function isFile(file: string): Promise<boolean> {
  try {
    const { type } = await vscode.workspace.fs.stat(vscode.Uri.file(file));
    // For a link to a file, two bits are set.
    return (type & vscode.FileType.File) !== 0;
  } catch {
    return false;
  }
}

async function showProblems(): Promise<void> {
  await vscode.commands.executeCommand('workbench.actions.view.problems');
}

async function openPlace({ where: { file, line, column } }: KymoError): Promise<void> {
  if (file === undefined) return;
  const position = new vscode.Position(Math.max(0, (line ?? 1) - 1), Math.max(0, (column ?? 1) - 1));
  await vscode.window.showTextDocument(vscode.Uri.file(file), {
    selection: new vscode.Range(position, position),
  });
}
