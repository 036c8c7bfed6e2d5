import path from 'node:path';
import * as vscode from 'vscode';
import { KymoError } from '../../../core/errors';
import type { ProfileRegion } from '../../../workflows/profileView';
import type { Kymo } from '../../kymo';
import { mappedSource } from '../../sourcePaths';

/**
 * Shows the first line of a region beside its panel, where that line is today.
 * @throws KymoError `no-source` with what to do when the profile names no place, or a file that is not there
 */
export async function goToSource(
  kymo: Kymo,
  region: ProfileRegion,
  profile: vscode.Uri,
  panel: vscode.ViewColumn | undefined,
): Promise<void> {
  const { file, line, endLine } = region;
  if (file === undefined || line === undefined)
    throw new KymoError(
      'no-source',
      'The profile does not say where this function is: it has no debug information, or belongs to a library.',
    );
  const uri =
    (await existing(file, profile)) ??
    (await existing(mappedSource(file, profile), profile)) ??
    (await moved(kymo, file));
  if (uri === undefined)
    throw new KymoError(
      'no-source',
      `${file} is not there: it was moved or renamed since the run, or belongs to another machine. Refine the instrumentation again to follow it, or say in the setting kymo.sourcePaths where it is.`,
      { file },
    );
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

/** The file that was moved or renamed since the run, where that is known. */
async function moved({ studies }: Kymo, file: string): Promise<vscode.Uri | undefined> {
  const named = vscode.Uri.file(file);
  const today = await studies.today(named);
  return path.isAbsolute(file) && today.toString() !== named.toString() ? today : undefined;
}

/** The file as it is named, or the one of that relative name in the workspace. */
async function existing(file: string, profile: vscode.Uri): Promise<vscode.Uri | undefined> {
  const folders = [
    vscode.workspace.getWorkspaceFolder(profile),
    ...(vscode.workspace.workspaceFolders ?? []),
  ];
  const candidates = path.isAbsolute(file)
    ? [vscode.Uri.file(file)]
    : folders.flatMap((folder) => (folder === undefined ? [] : [vscode.Uri.joinPath(folder.uri, file)]));
  for (const candidate of candidates) {
    const found = await Promise.resolve(vscode.workspace.fs.stat(candidate)).catch(() => undefined);
    if (found?.type === vscode.FileType.File) return candidate;
  }
  return undefined;
}
