import * as vscode from 'vscode';
import { isRecord } from '../../../core/present';
import { editTarget } from '../../actions/editTarget';
import type { Kymo } from '../../state/kymo';

/** *Expect This Growth from Now on*: writes the growth that a model has into `kymo.json`. @param given `ExpectedGrowth` */
export async function expectGrowth(kymo: Kymo, given: unknown): Promise<void> {
  if (!isRecord(given)) return;
  const { target, name, growth } = given;
  const folder = (vscode.workspace.workspaceFolders ?? []).find(({ uri }) => uri.toString() === given.folder);
  if (folder === undefined || typeof target !== 'string') return;
  if (typeof name !== 'string' || typeof growth !== 'string') return;
  await editTarget(
    kymo,
    { folder, target },
    (edited) => edited.set(['expect', name], growth),
    'which the function was measured in. Measure the study again.',
  );
}
