import { setTimeout as pause } from 'node:timers/promises';
import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import { withoutLinks } from '../../../core/markdown';
import type { RunUnderWay } from '../../../workflows/watch';
import { confirmCommands, refuseUntrusted } from '../../actions/consent';
import { pickTarget } from '../../actions/pick';
import type { Kymo } from '../../state/kymo';

/** How often a program that was started is looked for, in milliseconds. */
const lookEvery = 500;

/**
 * Starts a command of `kymo` that runs a target in a terminal, where it goes on whatever becomes of the window's other parts, and waits until the program has begun.
 * @param command with its options @param title of the questions
 * @returns undefined: the user does not want it, or it ended before
 */
export async function startRun(
  kymo: Kymo,
  folder: vscode.WorkspaceFolder,
  command: readonly [name: string, ...options: string[]],
  title: string,
): Promise<RunUnderWay | undefined> {
  const workspace = folder.uri.fsPath;
  if (await refuseUntrusted(l10n.t('run a program'))) return undefined;
  const { targets } = await kymo.engine.query('targets', { workspace });
  const target = await pickTarget(targets, title);
  if (target === undefined) return undefined;
  if (!(await confirmCommands(kymo.extension.workspaceState, folder, target))) return undefined;
  return begun(kymo, workspace, target.name, command);
}

async function begun(
  kymo: Kymo,
  workspace: string,
  target: string,
  [name, ...options]: readonly [string, ...string[]],
): Promise<RunUnderWay | undefined> {
  const before = new Set(
    (await kymo.engine.query('runsUnderWay', { workspace })).map(({ folder }) => folder),
  );
  const terminal = vscode.window.createTerminal({
    name: `Kymo: ${target}`,
    shellPath: process.execPath,
    shellArgs: [
      vscode.Uri.joinPath(kymo.extension.extensionUri, 'dist', 'cli.js').fsPath,
      name,
      '--workspace',
      workspace,
      '--target',
      target,
      ...options,
    ],
    env: { ELECTRON_RUN_AS_NODE: '1' },
    cwd: workspace,
  });
  terminal.show(true);
  const run = await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: l10n.t`Kymo: waiting for ${withoutLinks(target)} to begin`,
      cancellable: true,
    },
    async (_, { isCancellationRequested, onCancellationRequested }) => {
      let isLeft = isCancellationRequested;
      onCancellationRequested(() => (isLeft = true));
      while (!isLeft && terminal.exitStatus === undefined) {
        const runs = await kymo.engine.query('runsUnderWay', { workspace });
        const found = runs.find(({ folder, live }) => !before.has(folder) && live.processes.length > 0);
        if (found !== undefined) return found;
        await pause(lookEvery);
      }
      return undefined;
    },
  );
  if (run === undefined && terminal.exitStatus !== undefined)
    void vscode.window.showWarningMessage(
      l10n.t`Kymo: ${withoutLinks(target)} ended before it could be watched. Its output is in the terminal. Give it more work, and try again.`,
    );
  return run;
}
