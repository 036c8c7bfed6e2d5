import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import { KymoError } from '../../../core/errors';
import { type FollowProgress, withDelayedProgress } from '../../base/delayedProgress';
import type { ProposalRequest, ProposedConfiguration } from '../../../engine/requests/workspace';
import type { EngineEvent } from '../../../engine/wire';
import type { Kymo } from '../../state/kymo';

export type Choices = Omit<ProposalRequest, 'workspace'>;

/**
 * Proposes a first `kymo.json` from the build system; the notification shows the commands that query it. Asks the user for the program
 * if the build system does not name it. Undefined if the user cancels. Only for trusted workspaces: this runs code of the workspace.
 */
export async function proposeConfiguration(
  kymo: Kymo,
  folder: vscode.WorkspaceFolder,
  choices: Choices = {},
): Promise<ProposedConfiguration | undefined> {
  try {
    return await ask(kymo, { ...choices, workspace: folder.uri.fsPath });
  } catch (error) {
    if (
      !(error instanceof KymoError) ||
      error.reason !== 'program-unknown' ||
      choices.executable !== undefined
    )
      throw error;
    const executable = await askProgram(error.message);
    return executable === undefined
      ? undefined
      : proposeConfiguration(kymo, folder, { ...choices, executable });
  }
}

/** A path relative to the folder. */
export async function askProgram(prompt: string): Promise<string | undefined> {
  const answer = await vscode.window.showInputBox({
    title: l10n.t('Kymo: Program That the Build Makes'),
    prompt,
    placeHolder: l10n.t('Path relative to the folder, such as build/solver'),
    ignoreFocusOut: true,
  });
  return answer?.trim() === '' ? undefined : answer?.trim();
}

function ask(kymo: Kymo, request: ProposalRequest): Promise<ProposedConfiguration> {
  const commands = new vscode.EventEmitter<string>();
  let last = '';
  commands.event((message) => (last = message));
  const onEvent = (event: EngineEvent): void => {
    if (event.kind === 'progress') commands.fire(event.message);
  };
  const follow: FollowProgress = (report) => {
    report({ message: last, increment: 0 });
    return commands.event((message) => report({ message, increment: 0 }));
  };
  return withDelayedProgress(
    l10n.t('Kymo: asking the build system in a copy of the folder'),
    (signal) => kymo.engine.job('proposal', request, { signal, onEvent }),
    follow,
  );
}
