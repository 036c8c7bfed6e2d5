import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
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

const title = l10n.t('Kymo: Diagnose Running Program');

/** Who searches, with the command line's short name. */
const strategies = [
  {
    strategy: 'partially distributed',
    flag: 'pda',
    label: l10n.t('Partially Distributed'),
    detail: l10n.t('The usual one: one search decides, and each host searches in its own processes.'),
  },
  {
    strategy: 'truly distributed',
    flag: 'tda',
    label: l10n.t('Truly Distributed'),
    detail: l10n.t('Each host searches by itself; for programs on very many hosts.'),
  },
  {
    strategy: 'centralised',
    flag: 'ca',
    label: l10n.t('Centralised'),
    detail: l10n.t('One search of all processes decides everything; for few processes.'),
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
    if (await refuseUntrusted(l10n.t('search in a running program'))) return;
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
    placeHolder: l10n.t('Runs that are under way'),
  });
  return picked?.run;
}

async function pickHow(): Promise<How | undefined> {
  const items = (isDeep: boolean) =>
    strategies.map((strategy) => ({
      label: isDeep ? l10n.t`${strategy.label} with Deep Start` : strategy.label,
      detail: strategy.detail,
      how: { strategy, isDeep },
    }));
  const separator = (label: string): vscode.QuickPickItem & { readonly how?: How } => ({
    label,
    kind: vscode.QuickPickItemKind.Separator,
  });
  const picked = await vscode.window.showQuickPick(
    [
      ...items(false),
      separator(l10n.t('Functions that stack samples point at are tested early')),
      ...items(true),
    ],
    { title, placeHolder: l10n.t('Who searches') },
  );
  return picked?.how;
}
