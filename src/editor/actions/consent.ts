import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import type { ConfiguredTarget } from '../../engine/requests/targetCommands';
import { consentDetail } from '../words/settings/consentText';

/** Refuses, with a message, to run anything of an untrusted workspace. True if refused. */
export async function refuseUntrusted(what: string): Promise<boolean> {
  if (vscode.workspace.isTrusted) return false;
  const choice = await vscode.window.showWarningMessage(
    l10n.t`Kymo does not ${what} here: the workspace is not trusted, and this runs commands that it defines.`,
    l10n.t('Manage Workspace Trust'),
  );
  if (choice !== undefined) await vscode.commands.executeCommand('workbench.trust.manage');
  return true;
}

/**
 * Shows the commands that the workspace defines before they run for the first time. The answer is stored for this
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
    l10n.t`Run the commands of ${folder.name}?`,
    { modal: true, detail: consentDetail(folder.uri.fsPath, target) },
    l10n.t('Run'),
  );
  if (answer === undefined) return false;
  await memory.update(key, true);
  return true;
}

interface Work {
  readonly question: string;
  /** Facts, a line each. */
  readonly detail: readonly string[];
  /** Buttons that start commands of the target, and those that do not. */
  readonly starting: readonly string[];
  readonly other?: readonly string[];
}

/**
 * Asks before work whose extent the user should know, each time; with the commands of the target unless the user agreed to them before.
 * @returns the chosen button; undefined if the user does not agree
 */
export async function confirmWork(
  memory: vscode.Memento,
  folder: vscode.WorkspaceFolder,
  target: ConfiguredTarget,
  { question, detail, starting, other = [] }: Work,
): Promise<string | undefined> {
  const key = consentKey(folder.uri.toString(), target);
  const isKnown = memory.get(key) === true;
  const commands = isKnown ? [] : ['', consentDetail(folder.uri.fsPath, target)];
  const answer = await vscode.window.showInformationMessage(
    question,
    { modal: true, detail: [...detail, ...commands].join('\n') },
    ...starting,
    ...other,
  );
  if (answer !== undefined && starting.includes(answer) && !isKnown) await memory.update(key, true);
  return answer;
}

/**
 * Without a `kymo.json`: shows the commands that Kymo proposes before it writes the file, so that one answer is enough to
 * write it and to run them. The answer holds for exactly these commands, as that of `confirmCommands`.
 */
export async function confirmFirstConfiguration(
  memory: vscode.Memento,
  folder: vscode.WorkspaceFolder,
  proposed: ConfiguredTarget,
  notes: readonly string[],
): Promise<'create-and-refine' | 'create' | undefined> {
  const both = l10n.t('Create and Refine');
  const answer = await vscode.window.showInformationMessage(
    l10n.t`${folder.name} has no kymo.json, which defines how the program is built and run.`,
    {
      modal: true,
      detail: [...notes, '', consentDetail(folder.uri.fsPath, proposed, true)].join('\n'),
    },
    both,
    l10n.t('Create kymo.json'),
  );
  if (answer === undefined) return undefined;
  if (answer !== both) return 'create';
  await memory.update(consentKey(folder.uri.toString(), proposed), true);
  return 'create-and-refine';
}

function consentKey(folder: string, target: ConfiguredTarget): string {
  const commands = JSON.stringify([folder, target.name, target.commands]);
  return `kymo.consent.${createHash('sha256').update(commands).digest('hex')}`;
}
