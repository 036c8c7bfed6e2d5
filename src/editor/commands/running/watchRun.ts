import path from 'node:path';
import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import type { RunUnderWay } from '../../../workflows/watch';
import { pickFolder } from '../../actions/pick';
import type { Kymo } from '../../state/kymo';
import { liveDetail } from '../../words/studies/liveRunText';
import { runItem } from './runItem';
import { startRun } from './startRun';

/**
 * *Kymo: Watch Running Program*: the run that is watched, with what can be done with it; else a run that is under way, or one that is started in
 * a terminal, where it goes on whatever becomes of the window's other parts.
 */
export async function watchRun(kymo: Kymo): Promise<void> {
  if (kymo.watched.run !== undefined) {
    await offerActions(kymo, kymo.watched.run);
    return;
  }
  const folder = await pickFolder(l10n.t('Kymo: Watch Running Program'));
  if (folder === undefined) return;
  const workspace = folder.uri.fsPath;
  const picked = await pickRun(await kymo.engine.query('runsUnderWay', { workspace }));
  if (picked === undefined) return;
  if (picked !== 'start') {
    kymo.watched.watch(workspace, picked);
    return;
  }
  const run = await startRun(kymo, folder, ['run'], l10n.t('Kymo: Watch Running Program'));
  if (run !== undefined) kymo.watched.watch(workspace, run);
}

async function pickRun(runs: readonly RunUnderWay[]): Promise<RunUnderWay | 'start' | undefined> {
  if (runs.length === 0) return 'start';
  const another = {
    label: l10n.t('$(play) Start Another Run…'),
    detail: l10n.t('In a terminal'),
    run: 'start' as const,
  };
  const picked = await vscode.window.showQuickPick([...runs.map(runItem), another], {
    title: l10n.t('Kymo: Watch Running Program'),
    placeHolder: l10n.t('Runs that are under way'),
  });
  return picked?.run;
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
              label: l10n.t('$(graph-line) Show Performance Dynamics'),
              detail: iterated,
              run: () =>
                vscode.commands.executeCommand('kymo.showDynamics', {
                  input: { kind: 'files', files: [iterations] },
                }),
            },
            {
              label: isSuspended
                ? l10n.t('$(debug-continue) Resume the Program')
                : l10n.t('$(debug-pause) Suspend the Program'),
              detail: isSuspended ? '' : l10n.t('At the end of its next iteration'),
              run: () => watched.suspend(!isSuspended),
            },
          ]),
      {
        label: l10n.t('$(search) Diagnose Running Program'),
        detail: l10n.t('Search for what makes it slow, while it runs'),
        run: () => void vscode.commands.executeCommand('kymo.diagnoseRunning'),
      },
      {
        label: l10n.t('$(record) Record Function While Running…'),
        detail: l10n.t('From now on'),
        run: () => void vscode.commands.executeCommand('kymo.recordWhileRunning'),
      },
      {
        label: l10n.t('$(circle-slash) Leave Function Out While Running…'),
        detail: l10n.t('From now on'),
        run: () => void vscode.commands.executeCommand('kymo.leaveWhileRunning'),
      },
      {
        label: l10n.t('$(eye-closed) Stop Watching'),
        detail: l10n.t('The program continues, and its results are stored'),
        run: () => {
          watched.stop();
        },
      },
    ],
    { title: l10n.t('Kymo: Watched Run'), placeHolder: times },
  );
  await Promise.resolve(picked?.run());
}
