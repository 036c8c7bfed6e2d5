import path from 'node:path';
import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import { showError } from '../../actions/showError';
import type { Kymo } from '../../state/kymo';
import type { ExperimentNode } from '../../surfaces/trees/experimentsView';
import type { FunctionTables } from '../functions/functionTable';

/** Shows the folder of a study or a round: in the file manager on a desktop, else in the Explorer. */
export async function openFolder(node: ExperimentNode): Promise<void> {
  const directory = directoryOf(node);
  if (directory === undefined) return;
  const local = vscode.env.uiKind === vscode.UIKind.Desktop && vscode.env.remoteName === undefined;
  await vscode.commands.executeCommand(
    local ? 'revealFileInOS' : 'revealInExplorer',
    vscode.Uri.file(directory),
  );
}

/** Paths of all selected nodes, one per line. */
export async function copyPaths(node: ExperimentNode, all: readonly ExperimentNode[] = []): Promise<void> {
  const paths = (all.length > 0 ? all : [node]).flatMap((selected) => directoryOf(selected) ?? []);
  if (paths.length > 0) await vscode.env.clipboard.writeText(paths.join('\n'));
}

export async function openFunctions(tables: FunctionTables, node: ExperimentNode): Promise<void> {
  if (node.kind === 'study') await tables.show(node.study);
  else if (node.kind === 'round') await tables.show(node.of.study);
}

/**
 * Deletes studies after a confirmation, and only below the workspace's `.kymo`.
 * @param all the tree's selection, if it contains the clicked node
 */
export async function deleteStudies(
  kymo: Kymo,
  node: ExperimentNode,
  all: readonly ExperimentNode[] = [],
): Promise<void> {
  const doomed = (all.length > 0 ? all : [node]).flatMap(deletable);
  const [first] = doomed;
  if (first === undefined) return;
  const outside = doomed.find(({ directory, store }) => !path.resolve(directory).startsWith(store));
  if (outside !== undefined) {
    void showError(
      kymo,
      new Error(l10n.t`${outside.directory} is not below ${outside.store}: nothing is deleted.`),
    );
    return;
  }
  const confirmed = await vscode.window.showWarningMessage(
    doomed.length === 1 ? l10n.t`Delete ${first.name}?` : l10n.t`Delete ${doomed.length} studies?`,
    { modal: true, detail: deletionDetail(doomed.map(({ directory }) => directory)) },
    l10n.t('Delete'),
  );
  if (confirmed === undefined) return;
  try {
    for (const { directory } of doomed) {
      await kymo.engine.query('deleteStudy', { studyDirectory: directory });
    }
  } catch (error) {
    void showError(kymo, error);
  } finally {
    kymo.studies.refresh();
  }
}

/** Asks for a file and writes the profile of a round (of a study: the last round) in the format of its extension. */
export async function exportProfile(kymo: Kymo, node: ExperimentNode): Promise<void> {
  const source = profileOf(node);
  if (source === undefined) return;
  const { folder, target, studyDirectory, iteration } = source;
  const file = await vscode.window.showSaveDialog({
    title: l10n.t`Export Profile of Round ${iteration}`,
    defaultUri: vscode.Uri.joinPath(folder.uri, `${target}-i${iteration}.cubex`),
    filters: {
      [l10n.t('Cube profile')]: ['cubex'],
      JSON: ['json'],
      CSV: ['csv'],
      speedscope: ['speedscope.json'],
    },
  });
  if (file === undefined) return;
  try {
    await kymo.engine.job('exportProfile', { studyDirectory, iteration, file: file.fsPath });
    vscode.window.setStatusBarMessage(l10n.t`$(check) Kymo: profile in ${file.fsPath}`, 8000);
  } catch (error) {
    void showError(kymo, error);
  }
}

/** The profile of a round; for a study, of its last round. */
export function profileOf(node: ExperimentNode):
  | {
      readonly folder: vscode.WorkspaceFolder;
      readonly target: string;
      readonly studyDirectory: string;
      readonly iteration: number;
    }
  | undefined {
  if (node.kind !== 'study' && node.kind !== 'round') return undefined;
  const { folder, study } = node.kind === 'study' ? node : node.of;
  const last = node.kind === 'study' ? study.iterations.at(-1) : node.iteration;
  return last === undefined
    ? undefined
    : { folder, target: study.target, studyDirectory: study.directory, iteration: last.index };
}

/** The folder of the results of a study or a round; none of other nodes. */
export function folderOf(node: ExperimentNode): readonly string[] {
  if (node.kind === 'study') return [node.study.directory];
  return node.kind === 'round' ? [path.join(node.of.study.directory, `i${node.iteration.index}`)] : [];
}

interface Doomed {
  readonly name: string;
  readonly directory: string;
  /** The folder that must contain it. */
  readonly store: string;
}

function deletable(node: ExperimentNode): readonly Doomed[] {
  if (node.kind === 'damaged') {
    const { target, study, directory } = node.damaged;
    return [{ name: l10n.t`study ${study} of ${target}`, directory, store: storeOf(node.folder) }];
  }
  if (node.kind !== 'study' && node.kind !== 'parameterStudy') return [];
  if (node.study.state === 'running') return [];
  const { target, study, directory } = node.study;
  return [{ name: l10n.t`study ${study} of ${target}`, directory, store: storeOf(node.folder) }];
}

function storeOf(folder: vscode.WorkspaceFolder): string {
  return path.join(folder.uri.fsPath, '.kymo') + path.sep;
}

/** Maximum number of folders in a dialog. */
const listedAtMost = 8;

function deletionDetail(directories: readonly string[]): string {
  const listed = directories.slice(0, listedAtMost);
  const rest = directories.length - listed.length;
  return [
    ...listed,
    ...(rest > 0 ? [l10n.t`and ${rest} more`] : []),
    '',
    directories.length === 1
      ? l10n.t('Its profiles and selections are deleted for good.')
      : l10n.t('Their profiles and selections are deleted for good.'),
  ].join('\n');
}

function directoryOf(node: ExperimentNode): string | undefined {
  switch (node.kind) {
    case 'target':
    case 'point':
      return undefined;
    case 'study':
    case 'parameterStudy':
      return node.study.directory;
    case 'damaged':
      return node.damaged.directory;
    case 'round':
      return path.join(node.of.study.directory, `i${node.iteration.index}`);
  }
}
