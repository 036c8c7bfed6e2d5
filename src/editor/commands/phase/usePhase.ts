import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import { editTarget, showEdit } from '../../actions/editTarget';
import { showError } from '../../actions/showError';
import type { Kymo } from '../../state/kymo';
import { shorten } from '../../words/functions/lensText';
import { targetEdit } from '../../words/settings/targetEdit';
import { withoutLinks } from '../../../core/markdown';
import { requestedFunctions } from '../functions/functionActions';
import { measureNow } from '../refinement/measureNow';

/** *Use as Phase*: the function at the cursor. */
export async function usePhase(kymo: Kymo): Promise<void> {
  const place = await requestedFunctions(kymo, undefined, undefined);
  const [row] = place?.group.functions ?? [];
  if (place === undefined || row === undefined) return;
  const { folder, shown } = place.file;
  const study = await kymo.studies.shownStudyOf(folder);
  await setPhase(kymo, folder, study?.target ?? shown.label, row.name);
}

/** Writes a function into `kymo.json` as the phase of a target, as an edit that can be undone and is not saved yet. */
export async function setPhase(
  kymo: Kymo,
  folder: vscode.WorkspaceFolder,
  target: string,
  name: string,
): Promise<void> {
  try {
    const edited = await editTarget(kymo, folder, target, (text) =>
      targetEdit(text, target, (config) => config.set(['phase'], name)),
    );
    await showEdit(edited);
    void offerToMeasure(kymo, edited.document, folder, target, name);
  } catch (error) {
    await showError(kymo, error);
  }
}

/** Explains that the next measurement records iterations of the phase. */
async function offerToMeasure(
  kymo: Kymo,
  document: vscode.TextDocument,
  folder: vscode.WorkspaceFolder,
  target: string,
  name: string,
): Promise<void> {
  const measure = l10n.t('Save and Measure Now');
  const choice = await vscode.window.showInformationMessage(
    withoutLinks(
      l10n.t`Kymo: ${shorten(name, 60)} is the phase of ${target} once kymo.json is saved. The next measurement has a value of each function per iteration, and shows what gets worse while the program runs.`,
    ),
    measure,
  );
  if (choice !== measure) return;
  if (await document.save()) await measureNow(kymo, { folder, target });
}
