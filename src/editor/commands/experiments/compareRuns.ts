import path from 'node:path';
import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import { pickBaseline } from '../../actions/pickBaseline';
import type { Kymo } from '../../state/kymo';
import { localFolders } from '../../state/studies/studies';
import type { HotSpotPanels } from '../../surfaces/panels/hotSpots/hotSpotPanels';
import type { ExperimentNode } from '../../surfaces/trees/experimentsView';
import { profileOf } from './experiments';

const title = l10n.t('Kymo: Compare with Another Measurement');

/**
 * *Kymo: Compare with Another Measurement…*: of a study or round in the tree, or a `.cubex` in the Explorer; else of the last measurement.
 * @param given the node or file of the menu
 */
export async function compareRuns(kymo: Kymo, panels: HotSpotPanels, given: unknown): Promise<void> {
  const file = await fileOf(kymo, given);
  if (file === undefined) {
    void vscode.window.showInformationMessage(
      l10n.t('Kymo: no run was measured here yet, so there is nothing to compare.'),
    );
    return;
  }
  const baseline = await pickBaseline(kymo, file, title);
  if (baseline === undefined) return;
  panels.show(file, l10n.t`Hot Spots: ${path.basename(path.dirname(file))}`, {
    compare: baseline,
    what: { tab: 'changes' },
  });
}

/** *Kymo: Stop Comparing*: in the source; panels have a button. */
export async function stopComparing(kymo: Kymo): Promise<void> {
  await kymo.comparison.show(undefined);
}

async function fileOf(kymo: Kymo, given: unknown): Promise<string | undefined> {
  if (given instanceof vscode.Uri) return given.fsPath;
  if (typeof given === 'object' && given !== null && 'kind' in given) {
    const source = profileOf(given as ExperimentNode);
    return source === undefined ? undefined : (await kymo.engine.query('studyProfile', source)).file;
  }
  for (const folder of localFolders()) {
    const shown = await kymo.studies.shownOf(folder);
    if (shown === undefined) continue;
    if (shown.kind === 'profile') return shown.file;
    return (await kymo.engine.query('studyProfile', { studyDirectory: shown.study.directory })).file;
  }
  return undefined;
}
