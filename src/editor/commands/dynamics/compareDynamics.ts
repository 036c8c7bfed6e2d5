import path from 'node:path';
import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import { showError } from '../../actions/showError';
import type { DynamicsInput } from '../../state/dynamics/dynamicsSession';
import type { Kymo } from '../../state/kymo';
import type { DynamicsPanels } from '../../surfaces/panels/dynamics/dynamicsPanels';
import { localFolders } from '../../state/studies/studies';
import { startedAtText } from '../../words/studies/experimentText';
import type { ExperimentNode } from '../../surfaces/trees/experimentsView';
import type { DynamicsComparisons } from './dynamicsComparisons';
import { profileOf } from '../experiments/experiments';

interface Choice extends vscode.QuickPickItem {
  readonly input?: DynamicsInput;
}

/**
 * *Kymo: Compare Dynamics of Two Runs…*: shows both side by side, or phase by phase along a common axis.
 * @param given what is shown already (of the panel), or a node of the Experiments tree; nothing: the user chooses both
 * @param all the selected nodes of the tree
 */
export async function compareDynamics(
  kymo: Kymo,
  panels: DynamicsPanels,
  comparisons: DynamicsComparisons,
  given: unknown,
  all: unknown,
): Promise<void> {
  try {
    const selected = Array.isArray(all) ? (all as readonly ExperimentNode[]).flatMap(inputOfNode) : [];
    const first =
      selected[0] ?? (isInput(given) ? given : await choose(kymo, l10n.t('The run to look at'), undefined));
    if (first === undefined) return;
    const second = selected[1] ?? (await choose(kymo, l10n.t('The run to compare it with'), first));
    if (second === undefined) return;
    await compare(kymo, panels, comparisons, [first, second]);
  } catch (error) {
    void showError(kymo, error);
  }
}

/** The ways to compare two runs. */
async function compare(
  kymo: Kymo,
  panels: DynamicsPanels,
  comparisons: DynamicsComparisons,
  runs: readonly [DynamicsInput, DynamicsInput],
): Promise<void> {
  const beside = {
    label: l10n.t('$(split-horizontal) Beside each other'),
    detail: l10n.t('Both panels: findings of each run, by iteration'),
  };
  const axis = {
    label: l10n.t('$(symbol-ruler) By a common axis: a series that both runs have'),
    detail: l10n.t(
      'Such as the width of the time step: phases and degradations by simulated time, speeds, and which run is better where',
    ),
  };
  const files = {
    label: l10n.t('$(file) By a common axis: a file per run'),
    detail: l10n.t('The step width of each iteration, a number per line'),
  };
  const how = await vscode.window.showQuickPick([beside, axis, files], {
    title: l10n.t('Kymo: Compare Dynamics of Two Runs'),
    placeHolder: l10n.t('Iterations of two runs rarely belong together: how are they compared?'),
  });
  if (how === beside) for (const run of runs) panels.show(run);
  const widths = how === axis ? await askSeries(kymo) : how === files ? await askFiles() : undefined;
  if (widths === undefined) return;
  const inputs = runs.map((run) => (run.kind === 'folder' ? run.folder : (run.files[0] ?? '')));
  const [first = '', second = ''] = inputs;
  await comparisons.show({ inputs: [first, second], axis: widths });
}

const axisKey = 'kymo.dynamics.axis';

async function askSeries(kymo: Kymo): Promise<readonly string[] | undefined> {
  const memory = kymo.extension.workspaceState;
  const name = await vscode.window.showInputBox({
    title: l10n.t('Kymo: Compare Dynamics of Two Runs'),
    prompt: l10n.t('Name of a region or metric that both runs have: by how much each iteration advances'),
    placeHolder: 'dt',
    value: memory.get<string>(axisKey, ''),
  });
  if (name === undefined || name.trim() === '') return undefined;
  await memory.update(axisKey, name.trim());
  return [name.trim()];
}

async function askFiles(): Promise<readonly string[] | undefined> {
  const names: string[] = [];
  for (const title of [l10n.t('Step Widths of the First Run'), l10n.t('Step Widths of the Second Run')]) {
    const [file] = (await vscode.window.showOpenDialog({ title })) ?? [];
    if (file === undefined) return undefined;
    names.push(file.fsPath);
  }
  return names;
}

/** Measurements with iterations in the open folders, and files. */
async function choose(
  kymo: Kymo,
  placeHolder: string,
  other: DynamicsInput | undefined,
): Promise<DynamicsInput | undefined> {
  const open: Choice = {
    label: l10n.t('$(folder-opened) Open File…'),
    description: l10n.t('series file or .cubex'),
  };
  const choices = (await measuredInputs(kymo)).filter(
    ({ input }) => JSON.stringify(input) !== JSON.stringify(other),
  );
  const picked = await vscode.window.showQuickPick<Choice>([...choices, open], {
    title: l10n.t('Kymo: Compare Dynamics of Two Runs'),
    placeHolder,
  });
  if (picked !== open) return picked?.input;
  const files = await vscode.window.showOpenDialog({
    title: placeHolder,
    canSelectMany: true,
    filters: { [l10n.t('Series and profiles')]: ['ndjson', 'csv', 'cubex'], [l10n.t('All files')]: ['*'] },
  });
  return files === undefined || files.length === 0
    ? undefined
    : { kind: 'files', files: files.map(({ fsPath }) => fsPath) };
}

async function measuredInputs(kymo: Kymo): Promise<readonly Choice[]> {
  const choices: Choice[] = [];
  for (const folder of localFolders()) {
    for (const study of (await kymo.studies.of(folder)).studies) {
      const experiment = await kymo.engine.query('newestIterations', { folder: study.directory });
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
  const folder = node.kind === 'round' ? path.join(of.studyDirectory, `i${of.iteration}`) : of.studyDirectory;
  return [{ kind: 'folder', folder }];
}

function isInput(value: unknown): value is DynamicsInput {
  if (typeof value !== 'object' || value === null || !('kind' in value)) return false;
  return value.kind === 'files' || value.kind === 'folder';
}
