import path from 'node:path';
import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import type { Kymo } from '../state/kymo';
import type { SavedDrawing } from '../../protocol/hotSpots';
import { fileName } from '../base/fileName';
import type { ProfileName } from '../../workflows/views/profileView';

const filters = {
  csv: { CSV: ['csv'] },
  json: { JSON: ['json'] },
  // Only the last part of the extension: VS Code's dialog compares no more, and would append the extension again.
  speedscope: { speedscope: ['json'] },
  png: { PNG: ['png'] },
  svg: { SVG: ['svg'] },
  dot: { Graphviz: ['dot'] },
} satisfies Record<string, Record<string, string[]>>;

/** A format for the whole profile, a picture by a webview, or a drawing with a name of its own. */
type Saved =
  | { readonly kind: 'csv' | 'json' | 'speedscope' }
  | { readonly kind: 'png'; readonly content: Uint8Array }
  | SavedDrawing;

/** A profile file that a panel or an editor shows. */
interface ShownFile {
  readonly file: vscode.Uri;
  readonly folder: vscode.WorkspaceFolder | undefined;
  readonly name: () => ProfileName;
}

/** Asks for a file and writes the profile or the picture. False if the user cancels. @throws EngineError when it cannot be written */
export async function saveProfile(kymo: Kymo, given: Saved, profile: ShownFile): Promise<boolean> {
  const kind = given.kind === 'drawing' ? given.format : given.kind;
  const ending = kind === 'speedscope' ? 'speedscope.json' : kind;
  const folder = profile.folder?.uri ?? vscode.Uri.joinPath(profile.file, '..');
  const experiment = path.basename(path.dirname(profile.file.path));
  const name = given.kind === 'drawing' ? fileName(`${given.name} ${experiment}`, experiment) : experiment;
  const chosen = await vscode.window.showSaveDialog({
    defaultUri: vscode.Uri.joinPath(folder, `${name}.${ending}`),
    filters: filters[kind],
    title: l10n.t('Save Profile'),
  });
  if (chosen === undefined) return false;
  if ('content' in given) await vscode.workspace.fs.writeFile(chosen, given.content);
  else
    await kymo.engine.job('convertProfile', {
      ...profile.name(),
      format: given.kind,
      destination: chosen.fsPath,
    });
  kymo.log.info(`Saved ${chosen.fsPath}`);
  vscode.window.setStatusBarMessage(l10n.t`$(check) Saved ${path.basename(chosen.path)}`, 5000);
  return true;
}
