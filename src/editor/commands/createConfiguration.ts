import * as vscode from 'vscode';
import { withDelayedProgress } from '../delayedProgress';
import { showError } from '../diagnostics/showError';
import type { Kymo } from '../kymo';
import { pickFolder } from './pick';
import { refuseUntrusted } from './consent';

/** Writes a first `kymo.json` and opens it: its commands are a proposal that a person should look at. */
export async function createConfigurationCommand(kymo: Kymo): Promise<void> {
  if (await refuseUntrusted('write kymo.json')) return;
  const folder = await pickFolder('Kymo: Create kymo.json');
  if (folder !== undefined) await createConfiguration(kymo, folder, { offersRefinement: true });
}

/** True when it was written. */
export async function createConfiguration(
  kymo: Kymo,
  folder: vscode.WorkspaceFolder,
  { offersRefinement }: { readonly offersRefinement: boolean },
): Promise<boolean> {
  let file: string;
  try {
    ({ file } = await withDelayedProgress('Kymo: looking for how the program is built', (signal) =>
      kymo.engine.query('init', { workspace: folder.uri.fsPath }, { signal }),
    ));
  } catch (error) {
    void showError(kymo, error);
    return false;
  }
  await vscode.window.showTextDocument(vscode.Uri.file(file));
  if (offersRefinement) void offerRefinement();
  return true;
}

async function offerRefinement(): Promise<void> {
  const next = await vscode.window.showInformationMessage(
    'Kymo wrote a first kymo.json. Check that its commands build and run your program, then refine.',
    'Refine Instrumentation',
  );
  if (next !== undefined) await vscode.commands.executeCommand('kymo.refine');
}
