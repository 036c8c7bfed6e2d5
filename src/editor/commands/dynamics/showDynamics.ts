import path from 'node:path';
import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import { showError } from '../../actions/showError';
import type { DynamicsInput } from '../../state/dynamics/dynamicsSession';
import type { DynamicsArguments } from '../../state/dynamics/panelArguments';
import type { Kymo } from '../../state/kymo';
import type { DynamicsPanels } from '../../surfaces/panels/dynamics/dynamicsPanels';
import { localFolders } from '../../state/studies/studies';
import type { ExperimentNode } from '../../surfaces/trees/experimentsView';
import { choosePhase } from '../phase/choosePhase';
import { measureNow } from '../refinement/measureNow';

/**
 * *Kymo: Show Performance Dynamics* for a node of the Experiments tree, a series file or profile, the finding of a lens, or else the
 * newest measurement with iterations.
 */
export async function showDynamics(kymo: Kymo, panels: DynamicsPanels, given: unknown): Promise<void> {
  try {
    if (isArguments(given)) {
      panels.show(given.input, given.property);
      return;
    }
    const input = inputOf(given) ?? (await newestInput(kymo));
    if (input === undefined) await offerWays(kymo);
    else show(kymo, panels, input);
  } catch (error) {
    void showError(kymo, error);
  }
}

/** *Kymo: Analyse Series File…*: files that the user chooses; several are the ranks of one run. */
export async function analyseSeries(kymo: Kymo, panels: DynamicsPanels): Promise<void> {
  const files = await vscode.window.showOpenDialog({
    title: l10n.t('Analyse Series Files (several are one run)'),
    openLabel: l10n.t('Analyse'),
    canSelectMany: true,
    filters: {
      [l10n.t('Series and profiles')]: ['ndjson', 'csv', 'cubex', 'json'],
      [l10n.t('All files')]: ['*'],
    },
  });
  if (files === undefined || files.length === 0) return;
  show(kymo, panels, { kind: 'files', files: files.map(({ fsPath }) => fsPath) });
}

/** Shows the analysis that the user requested in the source, too. */
function show(kymo: Kymo, panels: DynamicsPanels, input: DynamicsInput): void {
  panels.show(input);
  kymo.dynamics.showInSource(input);
}

function inputOf(given: unknown): DynamicsInput | undefined {
  if (given instanceof vscode.Uri) return { kind: 'files', files: [given.fsPath] };
  if (typeof given !== 'object' || given === null || !('kind' in given)) return undefined;
  const node = given as ExperimentNode;
  switch (node.kind) {
    case 'study':
      return { kind: 'folder', folder: node.study.directory };
    case 'round':
      return {
        kind: 'folder',
        folder: path.join(node.of.study.directory, `i${node.iteration.index}`),
      };
    case 'target': {
      const [study] = node.studies;
      return study === undefined ? undefined : { kind: 'folder', folder: path.dirname(study.directory) };
    }
    case 'parameterStudy':
    case 'point':
    case 'damaged':
      return undefined;
  }
}

/** The analysis shown in the source; else a series file in the active editor; else the newest measurement with iterations. */
async function newestInput(kymo: Kymo): Promise<DynamicsInput | undefined> {
  const active = vscode.window.activeTextEditor?.document.uri;
  if (active?.scheme === 'file' && /\.kseries\.(ndjson|csv)$/.test(active.path))
    return { kind: 'files', files: [active.fsPath] };
  const [shown] = await kymo.dynamics.found();
  if (shown !== undefined) return shown.input;
  for (const folder of localFolders()) {
    const { studies } = await kymo.studies.of(folder);
    for (const directory of new Set(studies.map((study) => path.dirname(study.directory)))) {
      const experiment = await kymo.engine.query('newestIterations', { folder: directory });
      if (experiment !== undefined) return { kind: 'folder', folder: directory };
    }
  }
  return undefined;
}

/** No measurement has iterations yet. */
async function offerWays(kymo: Kymo): Promise<void> {
  const phase = l10n.t('Choose Phase…');
  const measure = l10n.t('Measure Now');
  const open = l10n.t('Open Series File…');
  const choice = await vscode.window.showInformationMessage(
    l10n.t(
      'Kymo: no run here was measured per iteration yet. Mark the function that runs once per time step as the phase, and measure; or open a series file or a profile with iterations.',
    ),
    phase,
    measure,
    open,
  );
  if (choice === phase) await choosePhase(kymo);
  if (choice === measure) await measureNow(kymo);
  if (choice === open) await vscode.commands.executeCommand('kymo.analyseSeries');
}

function isArguments(value: unknown): value is DynamicsArguments {
  return typeof value === 'object' && value !== null && 'input' in value;
}
