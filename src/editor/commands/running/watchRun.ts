import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import * as vscode from 'vscode';
import { withoutLinks } from '../../../core/markdown';
import type { RunUnderWay } from '../../../workflows/watch';
import { confirmCommands, refuseUntrusted } from '../../actions/consent';
import { pickFolder, pickTarget } from '../../actions/pick';
import type { Kymo } from '../../state/kymo';
import { liveDetail } from '../../words/studies/liveRunText';
import { escapeIcons } from '../../words/studies/statusText';

/** How often a program that was started is looked for, in milliseconds. */
const lookEvery = 500;

/**
 * *Kymo: Watch Running Program*: the run that is watched, with what can be done with it; else a run that is under way, or one that is started in
 * a terminal, where it goes on whatever becomes of the window's other parts.
 */
export async function watchRun(kymo: Kymo): Promise<void> {
  if (kymo.watched.run !== undefined) {
    await offerActions(kymo, kymo.watched.run);
    return;
  }
  const folder = await pickFolder('Kymo: Watch Running Program');
  if (folder === undefined) return;
  const workspace = folder.uri.fsPath;
  const picked = await pickRun(await kymo.engine.query('runsUnderWay', { workspace }));
  if (picked === undefined) return;
  if (picked !== 'start') {
    kymo.watched.watch(workspace, picked);
    return;
  }
  if (await refuseUntrusted('run a program')) return;
  const { targets } = await kymo.engine.query('targets', { workspace });
  const target = await pickTarget(targets, 'Kymo: Watch Running Program');
  if (target === undefined) return;
  if (!(await confirmCommands(kymo.extension.workspaceState, folder, target))) return;
  await start(kymo, workspace, target.name);
}

async function pickRun(runs: readonly RunUnderWay[]): Promise<RunUnderWay | 'start' | undefined> {
  if (runs.length === 0) return 'start';
  const items = runs.map((run) => ({
    label: `$(pulse) ${escapeIcons(run.live.target)}`,
    detail: liveDetail(run.live)[0],
    run,
  }));
  const another = { label: '$(play) Start Another Run…', detail: 'In a terminal', run: 'start' as const };
  const picked = await vscode.window.showQuickPick([...items, another], {
    title: 'Kymo: Watch Running Program',
    placeHolder: 'Runs that are under way',
  });
  return picked?.run;
}

/** Starts `kymo run` in a terminal, and watches the run as soon as its program has begun. */
async function start(kymo: Kymo, workspace: string, target: string): Promise<void> {
  const before = new Set(
    (await kymo.engine.query('runsUnderWay', { workspace })).map(({ folder }) => folder),
  );
  const terminal = vscode.window.createTerminal({
    name: `Kymo: ${target}`,
    shellPath: process.execPath,
    shellArgs: [
      vscode.Uri.joinPath(kymo.extension.extensionUri, 'dist', 'cli.js').fsPath,
      'run',
      '--workspace',
      workspace,
      '--target',
      target,
    ],
    env: { ELECTRON_RUN_AS_NODE: '1' },
    cwd: workspace,
  });
  terminal.show(true);
  const run = await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: `Kymo: waiting for ${withoutLinks(target)} to begin`,
      cancellable: true,
    },
    async (_, { isCancellationRequested, onCancellationRequested }) => {
      let isLeft = isCancellationRequested;
      onCancellationRequested(() => (isLeft = true));
      while (!isLeft && terminal.exitStatus === undefined) {
        const runs = await kymo.engine.query('runsUnderWay', { workspace });
        const begun = runs.find(({ folder, live }) => !before.has(folder) && live.processes.length > 0);
        if (begun !== undefined) return begun;
        await pause(lookEvery);
      }
      return undefined;
    },
  );
  if (run !== undefined) kymo.watched.watch(workspace, run);
  else if (terminal.exitStatus !== undefined)
    void vscode.window.showWarningMessage(
      `Kymo: ${withoutLinks(target)} ended before it could be watched. Its terminal has what it said; give it more to do, and watch it again.`,
    );
}

async function offerActions(kymo: Kymo, { folder, live }: RunUnderWay): Promise<void> {
  const [times, iterated] = liveDetail(live);
  const { watched } = kymo;
  const isSuspended = live.state === 'suspended';
  const iterations = path.join(folder, 'iterations.kymo');
  const picked = await vscode.window.showQuickPick(
    [
      ...(live.iterations === undefined
        ? []
        : [
            {
              label: '$(graph-line) Show Performance Dynamics',
              detail: iterated,
              run: () =>
                vscode.commands.executeCommand('kymo.showDynamics', {
                  input: { kind: 'files', files: [iterations] },
                }),
            },
            {
              label: isSuspended
                ? '$(debug-continue) Resume the Program'
                : '$(debug-pause) Suspend the Program',
              detail: isSuspended ? '' : 'At the end of its next iteration',
              run: () => watched.suspend(!isSuspended),
            },
          ]),
      {
        label: '$(record) Record Function While Running…',
        detail: 'From now on',
        run: () => void vscode.commands.executeCommand('kymo.recordWhileRunning'),
      },
      {
        label: '$(circle-slash) Leave Function Out While Running…',
        detail: 'From now on',
        run: () => void vscode.commands.executeCommand('kymo.leaveWhileRunning'),
      },
      {
        label: '$(eye-closed) Stop Watching',
        detail: 'The program runs on, and its results are kept',
        run: () => {
          watched.stop();
        },
      },
    ],
    { title: 'Kymo: Watched Run', placeHolder: times },
  );
  await Promise.resolve(picked?.run());
}
