import path from 'node:path';
import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import { KymoError } from '../../core/errors';
import type { ProfileRegion } from '../../workflows/views/profileView';
import type { Kymo } from '../state/kymo';
import { findSource } from '../state/studies/openedProfile';
import { mappedSource } from '../state/settings/sourcePaths';
import { locateSource } from './locateSource';

/**
 * Shows the first line of a region beside its panel, where that line is today.
 * A file that is not at its recorded path is looked for by name in the workspace. If none or several fit, the user is asked, and the answer
 * is stored for files in the same folder.
 * @throws KymoError `no-source` when the profile names no place
 */
export async function goToSource(
  kymo: Kymo,
  region: Pick<ProfileRegion, 'file' | 'line' | 'endLine'>,
  profile: vscode.Uri,
  panel: vscode.ViewColumn | undefined,
): Promise<void> {
  const { file, line, endLine } = region;
  if (file === undefined || line === undefined)
    throw new KymoError(
      'no-source',
      l10n.t(
        'The profile has no source position for this function: it has no debug information, or belongs to a library.',
      ),
    );
  const uri =
    (await existing(file, profile)) ??
    (await existing(mappedSource(file, profile), profile)) ??
    (await moved(kymo, file)) ??
    (await findSource(file)) ??
    (await locateSource(file, profile));
  // The user cancelled the question.
  if (uri === undefined) return;
  const { location } = await kymo.lineMaps.locate(uri, {
    line,
    ...(endLine === undefined ? {} : { endLine }),
  });
  await vscode.window.showTextDocument(location.uri, {
    selection: location.range,
    viewColumn:
      panel === undefined || panel === vscode.ViewColumn.One
        ? vscode.ViewColumn.Beside
        : vscode.ViewColumn.One,
  });
}

/** The new path of a file that was moved or renamed since the run, if it is known. */
async function moved({ studies }: Kymo, file: string): Promise<vscode.Uri | undefined> {
  const named = vscode.Uri.file(file);
  const today = await studies.today(named);
  return path.isAbsolute(file) && today.toString() !== named.toString() ? today : undefined;
}

/** The file at the recorded path, or at the same relative path in the workspace. */
async function existing(file: string, profile: vscode.Uri): Promise<vscode.Uri | undefined> {
  const folders = [
    vscode.workspace.getWorkspaceFolder(profile),
    ...(vscode.workspace.workspaceFolders ?? []),
  ];
  const candidates = path.isAbsolute(file)
    ? [vscode.Uri.file(file)]
    : folders.flatMap((folder) => (folder === undefined ? [] : [vscode.Uri.joinPath(folder.uri, file)]));
  for (const candidate of candidates) {
    const stat = await Promise.resolve(vscode.workspace.fs.stat(candidate)).catch(() => undefined);
    if (stat?.type === vscode.FileType.File) return candidate;
  }
  return undefined;
}
