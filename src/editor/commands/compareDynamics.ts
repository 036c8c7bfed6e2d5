import path from 'node:path';
import * as vscode from 'vscode';
import { showError } from '../diagnostics/showError';
import type { DynamicsInput } from '../dynamics/dynamicsSession';
import type { Kymo } from '../kymo';
import type { DynamicsPanels } from '../panels/dynamics/dynamicsPanels';
import { localFolders } from '../studies';
import { startedAtText } from '../views/experimentText';
import type { ExperimentNode } from '../views/experimentsView';
import { profileOf } from './experiments';

interface Choice extends vscode.QuickPickItem {
  readonly input?: DynamicsInput;
}

/**
 * *Kymo: Compare Dynamics of Two Runs…*: shows both beside each other.
 * @param given what is shown already (of the panel), or a node of the Experiments tree; nothing: the user chooses both
 * @param all the selected nodes of the tree
 */
export async function compareDynamics(
  kymo: Kymo,
  panels: DynamicsPanels,
  given: unknown,
  all: unknown,
): Promise<void> {
  try {
    const selected = Array.isArray(all) ? (all as readonly ExperimentNode[]).flatMap(inputOfNode) : [];
    const first =
      selected[0] ?? (isInput(given) ? given : await choose(kymo, 'The run to look at', undefined));
    if (first === undefined) return;
    const second = selected[1] ?? (await choose(kymo, 'The run to compare it with', first));
    if (second === undefined) return;
    panels.show(first);
    panels.show(second);
  } catch (error) {
    void showError(kymo, error);
  }
}

/** Measurements with iterations of the open folders, and files. */
async function choose(
  kymo: Kymo,
  placeHolder: string,
  other: DynamicsInput | undefined,
): Promise<DynamicsInput | undefined> {
  const open: Choice = { label: '$(folder-opened) Open File…', description: 'series file or .cubex' };
  const known = (await measuredInputs(kymo)).filter(
    ({ input }) => JSON.stringify(input) !== JSON.stringify(other),
  );
  const picked = await vscode.window.showQuickPick<Choice>([...known, open], {
    title: 'Kymo: Compare Dynamics of Two Runs',
    placeHolder,
  });
  if (picked !== open) return picked?.input;
  const files = await vscode.window.showOpenDialog({
    title: placeHolder,
    canSelectMany: true,
    filters: { 'Series and profiles': ['ndjson', 'csv', 'cubex'], 'All files': ['*'] },
  });
  return files === undefined || files.length === 0
    ? undefined
    : { kind: 'files', files: files.map(({ fsPath }) => fsPath) };
}

async function measuredInputs(kymo: Kymo): Promise<readonly Choice[]> {
  const choices: Choice[] = [];
  for (const folder of localFolders()) {
    for (const study of (await kymo.studies.of(folder)).studies) {
      const { experiment } = await kymo.engine.query('newestIterations', { folder: study.directory });
      if (experiment !== undefined)
        choices.push({
          label: study.target,
          description: startedAtText(study.startedAt, new Date()) ?? study.study,
          detail: path.relative(folder.uri.fsPath, study.directory),
          input: { kind: 'folder', folder: study.directory },
        });
    }
  }
  return choices;
}

function inputOfNode(node: ExperimentNode): readonly DynamicsInput[] {
  const of = profileOf(node);
  if (of === undefined) return [];
  const folder =
    node.kind === 'iteration' ? path.join(of.studyDirectory, `i${of.iteration}`) : of.studyDirectory;
  return [{ kind: 'folder', folder }];
}

function isInput(value: unknown): value is DynamicsInput {
  if (typeof value !== 'object' || value === null || !('kind' in value)) return false;
  return value.kind === 'files' || value.kind === 'folder';
}
