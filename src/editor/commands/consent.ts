import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import type { ConfiguredTarget } from '../engine/messages';

/** In an untrusted workspace nothing of the workspace is run; says so and why. True if refused. */
export async function refuseUntrusted(what: string): Promise<boolean> {
  if (vscode.workspace.isTrusted) return false;
  const choice = await vscode.window.showWarningMessage(
    `Kymo does not ${what} here: the workspace is not trusted, and this runs commands that it defines.`,
    'Manage Workspace Trust',
  );
  if (choice !== undefined) await vscode.commands.executeCommand('workbench.trust.manage');
  return true;
}

/**
 * Shows the commands that the workspace defines before they run for the first time. The answer is remembered for this
 * workspace and these very commands: when one changes, the question comes again.
 */
export async function confirmCommands(
  memory: vscode.Memento,
  folder: vscode.WorkspaceFolder,
  target: ConfiguredTarget,
): Promise<boolean> {
  const key = consentKey(folder.uri.toString(), target);
  if (memory.get(key) === true) return true;
  const answer = await vscode.window.showInformationMessage(
    `Run the commands of ${folder.name}?`,
    { modal: true, detail: consentDetail(folder.uri.fsPath, target) },
    'Run',
  );
  if (answer === undefined) return false;
  await memory.update(key, true);
  return true;
}

function consentKey(folder: string, target: ConfiguredTarget): string {
  const commands = JSON.stringify([folder, target.name, target.commands]);
  return `kymo.consent.${createHash('sha256').update(commands).digest('hex')}`;
}

function consentDetail(folder: string, { name, commands }: ConfiguredTarget): string {
  const lines = commands.map(({ purpose, line }) => `${purpose}:  ${line}`);
  return [
    `Kymo builds and runs target ${name} with what kymo.json says:`,
    '',
    ...lines,
    '',
    `in ${folder}. Kymo asks again when these commands change.`,
  ].join('\n');
}
