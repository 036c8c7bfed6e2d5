import * as vscode from 'vscode';
import { isRecord } from '../../../core/present';
import { editTarget, showEdit } from '../../actions/editTarget';
import type { Kymo } from '../../state/kymo';
import { targetEdit } from '../../words/settings/targetEdit';

/** *Expect This Growth from Now on*: writes the growth that a model has into `kymo.json`. @param given `ExpectedGrowth` */
export async function expectGrowth(kymo: Kymo, given: unknown): Promise<void> {
  if (!isRecord(given)) return;
  const { target, name, growth } = given;
  const folder = (vscode.workspace.workspaceFolders ?? []).find(({ uri }) => uri.toString() === given.folder);
  if (folder === undefined || typeof target !== 'string') return;
  if (typeof name !== 'string' || typeof growth !== 'string') return;
  const edited = await editTarget(kymo, folder, target, (text) =>
    targetEdit(text, target, (config) => config.set(['expect', name], growth)),
  );
  await showEdit(edited);
}
