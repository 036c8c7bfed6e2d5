import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import { visitsCount } from '../../words/counts';
import { formatRoundPercent } from '../../../core/format';
import { shorten } from '../../words/functions/lensText';
import type { FunctionRow } from '../../../core/functions/functionRow';
import type { Kymo } from '../../state/kymo';
import { localFolders } from '../../state/studies/studies';
import { phaseCandidates } from './phaseCandidates';
import { refineCommand } from '../refinement/refine';
import { setPhase } from './usePhase';

/**
 * *Kymo: Choose Phase…*: lists the functions of the last study that may be the body of the time-step loop: they run several times and take
 * a large share of the run time.
 */
export async function choosePhase(kymo: Kymo): Promise<void> {
  for (const folder of localFolders()) {
    const shown = await kymo.studies.lastStudyOf(folder);
    if (shown === undefined) continue;
    const candidates = phaseCandidates(shown.functions.all);
    if (candidates.length === 0) continue;
    const picked = await vscode.window.showQuickPick(
      candidates.map((row) => ({
        label: shorten(row.name, 120),
        description: `${formatRoundPercent(row.inclusiveShare ?? 0)} · ${visitsCount(row.visits ?? 0)}`,
        detail: placeOf(row),
        row,
      })),
      {
        title: l10n.t`Kymo: Phase of ${shown.study.target}`,
        placeHolder: l10n.t('The function that runs once per iteration (time step) of the program'),
        matchOnDetail: true,
      },
    );
    if (picked !== undefined) await setPhase(kymo, folder, shown.study.target, picked.row.name);
    return;
  }
  const refine = l10n.t('Refine Instrumentation');
  const choice = await vscode.window.showInformationMessage(
    l10n.t(
      'Kymo: which functions may be the phase is known after a first refinement. Or write "phase" with the name of the function into the target in kymo.json.',
    ),
    refine,
  );
  if (choice === refine) await refineCommand(kymo);
}

function placeOf({ file, line }: FunctionRow): string {
  if (file === undefined) return '';
  return `${vscode.workspace.asRelativePath(file)}${line === undefined ? '' : `:${line}`}`;
}
