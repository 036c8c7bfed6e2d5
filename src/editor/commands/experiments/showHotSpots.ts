import path from 'node:path';
import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import { showError } from '../../actions/showError';
import type { Kymo } from '../../state/kymo';
import type { HotSpotPanels, ShowOptions } from '../../surfaces/panels/hotSpots/hotSpotPanels';
import { localFolders } from '../../state/studies/studies';
import type { ExperimentNode } from '../../surfaces/trees/experimentsView';
import type { ComparedExperiments } from './compareExperiments';

/** Argument from a lens or a tree: a function of the shown study. */
export interface HotSpotArguments {
  /** URI of the workspace folder, as text. */
  readonly folder: string;
  /** Name of a function to select. */
  readonly functionName?: string;
}

/**
 * *Kymo: Show Hot Spots* for an experiment in the tree, two compared experiments, a `.cubex` in the Explorer, or the last study.
 * @param given the node, file or function of the button, menu or lens
 */
export async function showHotSpots(kymo: Kymo, panels: HotSpotPanels, given: unknown): Promise<void> {
  try {
    if (isFiles(given)) panels.show(given.file, titleOf(given.title), { compare: given.compare });
    else if (isComparison(given)) await showComparison(kymo, panels, given);
    else {
      const name = isArguments(given) ? given.functionName : undefined;
      await show(kymo, panels, given, name === undefined ? {} : { what: { name } });
    }
  } catch (error) {
    void showError(kymo, error);
  }
}

/** *Kymo: Show Groups of Processes*: the same panel, with the view of groups. @param given as above, but no comparison */
export async function showProcessGroups(kymo: Kymo, panels: HotSpotPanels, given: unknown): Promise<void> {
  try {
    await show(kymo, panels, given, { what: { tab: 'groups' } });
  } catch (error) {
    void showError(kymo, error);
  }
}

async function show(kymo: Kymo, panels: HotSpotPanels, given: unknown, options: ShowOptions): Promise<void> {
  if (given instanceof vscode.Uri) panels.show(given.fsPath, titleOf(path.basename(given.path)), options);
  else if (isNode(given)) await showNode(kymo, panels, given, options);
  else await showLast(kymo, panels, isArguments(given) ? given.folder : undefined, options);
}

async function showNode(
  kymo: Kymo,
  panels: HotSpotPanels,
  node: ExperimentNode,
  options: ShowOptions,
): Promise<void> {
  if (node.kind === 'target') await showLast(kymo, panels, node.folder.uri.toString(), options);
  else if (node.kind === 'study' || node.kind === 'round') {
    const study = node.kind === 'study' ? node.study : node.of.study;
    const { file } = await kymo.engine.query('studyProfile', {
      studyDirectory: study.directory,
      ...(node.kind === 'round' ? { iteration: node.iteration.index } : {}),
    });
    panels.show(file, titleOf(study.target), options);
  }
}

async function showComparison(
  kymo: Kymo,
  panels: HotSpotPanels,
  { target, main, compare }: ComparedExperiments,
): Promise<void> {
  const { file } = await kymo.engine.query('studyProfile', main);
  const other = await kymo.engine.query('studyProfile', compare);
  panels.show(file, titleOf(target), { compare: other.file });
}

/** The study that lenses show; with several folders, that of the first folder with one. */
async function showLast(
  kymo: Kymo,
  panels: HotSpotPanels,
  /** URI of the workspace folder, as text; any. */
  wanted: string | undefined,
  options: ShowOptions,
): Promise<void> {
  for (const folder of localFolders()) {
    if (wanted !== undefined && wanted !== folder.uri.toString()) continue;
    const shown = await kymo.studies.shownOf(folder);
    if (shown === undefined) continue;
    if (shown.kind === 'profile') panels.show(shown.file, titleOf(shown.label), options);
    else {
      const { directory, target } = shown.study;
      const { file } = await kymo.engine.query('studyProfile', { studyDirectory: directory });
      panels.show(file, titleOf(target), options);
    }
    return;
  }
  await offerFile(panels, options);
}

/** There is no measurement yet. */
async function offerFile(panels: HotSpotPanels, options: ShowOptions): Promise<void> {
  const choice = await vscode.window.showInformationMessage(
    l10n.t(
      'No run was measured in this workspace yet. Refine the instrumentation first, or open a profile (.cubex).',
    ),
    l10n.t('Refine Instrumentation'),
    l10n.t('Open Profile…'),
  );
  if (choice === l10n.t('Refine Instrumentation')) await vscode.commands.executeCommand('kymo.refine');
  if (choice !== l10n.t('Open Profile…')) return;
  const [file] =
    (await vscode.window.showOpenDialog({ filters: { [l10n.t('Cube profile')]: ['cubex'] } })) ?? [];
  if (file !== undefined) panels.show(file.fsPath, titleOf(path.basename(file.path)), options);
}

function titleOf(what: string): string {
  return l10n.t`Hot Spots: ${what}`;
}

function isArguments(value: unknown): value is HotSpotArguments {
  return typeof value === 'object' && value !== null && 'folder' in value && typeof value.folder === 'string';
}

/** Two profiles in files. */
interface ComparedFiles {
  readonly file: string;
  readonly compare: string;
  readonly title: string;
}

function isFiles(value: unknown): value is ComparedFiles {
  if (typeof value !== 'object' || value === null) return false;
  const { file, compare, title } = value as Partial<Record<keyof ComparedFiles, unknown>>;
  return typeof file === 'string' && typeof compare === 'string' && typeof title === 'string';
}

function isNode(value: unknown): value is ExperimentNode {
  return (
    typeof value === 'object' &&
    value !== null &&
    'kind' in value &&
    (value.kind === 'target' || value.kind === 'study' || value.kind === 'round')
  );
}

function isComparison(value: unknown): value is ComparedExperiments {
  return typeof value === 'object' && value !== null && 'main' in value && 'compare' in value;
}
