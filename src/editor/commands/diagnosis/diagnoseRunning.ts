import * as vscode from 'vscode';
import { deepStartDefaults } from '../../../core/diagnosis/deepStart/deepStart';
import type { RunUnderWay } from '../../../workflows/watch';
import { refuseUntrusted } from '../../actions/consent';
import { pickFolder } from '../../actions/pick';
import { showError } from '../../actions/showError';
import type { DiagnosisInput } from '../../state/diagnosis/diagnosisSession';
import type { Kymo } from '../../state/kymo';
import type { DiagnosisPanels } from '../../surfaces/panels/diagnosis/diagnosisPanels';
import { runItem } from '../running/runItem';
import { startRun } from '../running/startRun';

const title = 'Kymo: Diagnose Running Program';

/** Who searches, with the command line's short name. */
const strategies = [
  {
    strategy: 'partially distributed',
    flag: 'pda',
    label: 'Partially Distributed',
    detail: 'The usual one: one search decides, and each host searches in its own processes.',
  },
  {
    strategy: 'truly distributed',
    flag: 'tda',
    label: 'Truly Distributed',
    detail: 'Each host searches by itself; for programs on very many hosts.',
  },
  {
    strategy: 'centralised',
    flag: 'ca',
    label: 'Centralised',
    detail: 'One search of all processes decides everything; for few processes.',
  },
] as const;

interface How {
  readonly strategy: (typeof strategies)[number];
  readonly isDeep: boolean;
}

/**
 * *Kymo: Diagnose Running Program* and *… with Strategy…*: searches in the run that this window watches, else in one that is under way; without one, starts the
 * program with the search from its begin.
 */
export async function diagnoseRunning(kymo: Kymo, panels: DiagnosisPanels, asks: boolean): Promise<void> {
  try {
    if (await refuseUntrusted('search in a running program')) return;
    const how = asks ? await pickHow() : { strategy: strategies[0], isDeep: false };
    if (how === undefined) return;
    const run = kymo.watched.run ?? (await anyRun(kymo, how));
    if (run !== undefined) panels.show(await searchIn(kymo, run, how));
  } catch (error) {
    void showError(kymo, error);
  }
}

/** Has a run searched, unless that is done already. @throws KymoError `no-run`, `not-watchable` */
export async function searchIn(kymo: Kymo, { folder }: RunUnderWay, how?: How): Promise<DiagnosisInput> {
  return kymo.engine.query('diagnoseRun', {
    folder,
    how: {
      ...(how && { strategy: how.strategy.strategy }),
      ...(how?.isDeep === true && { deepStart: deepStartDefaults.threshold }),
    },
  });
}

async function anyRun(kymo: Kymo, { strategy, isDeep }: How): Promise<RunUnderWay | undefined> {
  const folder = await pickFolder(title);
  if (folder === undefined) return undefined;
  const runs = await kymo.engine.query('runsUnderWay', { workspace: folder.uri.fsPath });
  if (runs.length === 0) {
    const deep = isDeep ? ['--deep-start'] : [];
    return startRun(kymo, folder, ['diagnose', '--strategy', strategy.flag, ...deep], title);
  }
  if (runs.length === 1) return runs[0];
  const picked = await vscode.window.showQuickPick(runs.map(runItem), {
    title,
    placeHolder: 'Runs that are under way',
  });
  return picked?.run;
}

async function pickHow(): Promise<How | undefined> {
  const items = (isDeep: boolean) =>
    strategies.map((strategy) => ({
      label: `${strategy.label}${isDeep ? ' with Deep Start' : ''}`,
      detail: strategy.detail,
      how: { strategy, isDeep },
    }));
  const separator = (label: string): vscode.QuickPickItem & { readonly how?: How } => ({
    label,
    kind: vscode.QuickPickItemKind.Separator,
  });
  const picked = await vscode.window.showQuickPick(
    [...items(false), separator('Functions that stack samples point at are tested early'), ...items(true)],
    { title, placeHolder: 'Who searches' },
  );
  return picked?.how;
}
