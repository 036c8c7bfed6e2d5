import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import { formatRoundPercent } from '../../../core/format';
import { severityOf } from '../../../core/properties/property';
import { showError } from '../../actions/showError';
import type { Kymo } from '../../state/kymo';
import { shorten } from '../../words/functions/lensText';
import { propertyThreshold } from '../../state/settings/settings';
import { explain, openHotSpots } from './functionActions';
import { openFound } from '../../actions/openFound';
import { openMeasured } from '../../actions/openMeasured';
import { onRow } from './treeRow';
import {
  partOf,
  type FoundProperties,
  type PropertiesView,
  type PropertyNode,
} from '../../surfaces/trees/propertiesView';
import { countFrom, groupings } from '../../words/findings/propertyGroups';

/** The commands of the *Properties* view. */
export function registerPropertyCommands(kymo: Kymo, view: PropertiesView): void {
  for (const grouping of groupings)
    kymo.command(`kymo.properties.groupBy.${grouping}`, () => view.groupBy(grouping));
  kymo.command('kymo.properties.setThreshold', () => chooseThreshold(view));
  kymo.command('kymo.properties.export', () => exportFound(kymo, view));
  const onProperty = (id: string, action: (node: PropertyNode) => Promise<void>): void =>
    kymo.command(`kymo.properties.${id}`, onRow(action));
  onProperty('open', (node) => openProperty(kymo, node));
  onProperty('explain', (node) => explainProperty(kymo, node));
  onProperty('showInHotSpots', async (node) => {
    const region = node.kind === 'property' ? node.branch.property.region : undefined;
    if (region !== undefined) await openHotSpots(node.of.folder, region);
  });
  onProperty('showDynamics', showInPanel);
  onProperty('showModels', showInPanel);
  onProperty('copy', copyProperty);
}

/** Proposed thresholds, percent of the run time. */
const steps = [0, 0.1, 0.5, 1, 2, 5, 10, 20, 50] as const;

/** A list of thresholds with their numbers of properties; the view follows the selection, and Escape restores the previous threshold. */
async function chooseThreshold(view: PropertiesView): Promise<void> {
  const all = (await view.all()).flatMap(({ properties }) => properties);
  const before = propertyThreshold(undefined) * 100;
  const set = (percent: number): Thenable<void> =>
    vscode.workspace
      .getConfiguration('kymo.properties')
      .update('threshold', percent, vscode.ConfigurationTarget.Workspace);
  const items = steps.map((percent) => ({
    label:
      percent === 0
        ? l10n.t('All properties')
        : l10n.t`From ${formatRoundPercent(percent / 100)} of the run time on`,
    description: l10n.t`${countFrom(all, percent / 100)} of ${all.length}`,
    percent,
  }));
  const picked = await vscode.window.showQuickPick(items, {
    title: l10n.t('Kymo: Threshold of the Properties View'),
    placeHolder: l10n.t`Now ${before} %`,
    onDidSelectItem: (item) => {
      if (typeof item !== 'string' && 'percent' in item)
        view.preview((item as { percent: number }).percent / 100);
    },
  });
  view.preview(undefined);
  if (picked !== undefined) await set(picked.percent);
}

async function exportFound(kymo: Kymo, view: PropertiesView): Promise<void> {
  const findings = await view.all();
  const [first] = findings;
  const all = findings.flatMap((of) => shownOf(of));
  if (first === undefined || all.length === 0) {
    void vscode.window.showInformationMessage(
      first === undefined
        ? l10n.t('Kymo: there are no properties to export yet. Refine the instrumentation first.')
        : l10n.t('Kymo: no property is above the threshold, so there is nothing to export.'),
    );
    return;
  }
  const file = await vscode.window.showSaveDialog({
    title: l10n.t('Export Properties'),
    defaultUri: vscode.Uri.joinPath(
      first.folder.uri,
      `${first.parts[0]?.missingSources === undefined && first.parts[0]?.everywhere !== true ? (first.parts[0]?.target ?? '') : 'profile'}-properties.json`,
    ),
    filters: { JSON: ['json'], CSV: ['csv'], Markdown: ['md'], SARIF: ['sarif'] },
  });
  if (file === undefined) return;
  try {
    await kymo.engine.query('exportProperties', {
      workspace: first.folder.uri.fsPath,
      properties: all,
      file: file.fsPath,
    });
    vscode.window.setStatusBarMessage(
      l10n.t`$(check) Kymo: ${all.length} properties in ${file.fsPath}`,
      8000,
    );
  } catch (error) {
    void showError(kymo, error);
  }
}

function shownOf({ folder, properties }: FoundProperties): FoundProperties['properties'] {
  const threshold = propertyThreshold(folder);
  return properties.filter((property) => severityOf(property) >= threshold);
}

async function openProperty(kymo: Kymo, node: PropertyNode): Promise<void> {
  if (node.kind !== 'property') return;
  const { property } = node.branch;
  const part = partOf(node.of, property);
  if (part !== undefined && part.lineMaps === undefined) {
    await openFound(kymo, part, property);
    return;
  }
  const { file, line = 1 } = property.region ?? {};
  if (file !== undefined) await openMeasured(kymo, { file, line }, { preserveFocus: true });
}

/** Shows a finding in the panel of its analysis. */
async function showInPanel(node: PropertyNode): Promise<void> {
  if (node.kind !== 'property') return;
  const { property } = node.branch;
  const action = partOf(node.of, property)?.command?.(property);
  if (action !== undefined)
    await vscode.commands.executeCommand(action.command, ...((action.arguments ?? []) as readonly unknown[]));
}

/** Explains the decision on the function of a property. */
async function explainProperty(kymo: Kymo, node: PropertyNode): Promise<void> {
  if (node.kind !== 'property') return;
  const { region } = node.branch.property;
  const shown = await kymo.studies.shownOf(node.of.folder);
  if (region === undefined || shown === undefined) return;
  const rows = shown.functions.all.filter(
    ({ name, file, line }) => name === region.name && file === region.file && line === region.line,
  );
  if (rows.length > 0) await explain(kymo, { folder: node.of.folder, shown }, rows);
  else
    void vscode.window.showInformationMessage(
      shown.kind === 'study'
        ? l10n.t`Kymo: ${shown.label} decided nothing on ${shorten(region.name, 120)}. Refine again to know more of it.`
        : l10n.t`Kymo: ${shown.label} has no more on ${shorten(region.name, 120)}.`,
    );
}

async function copyProperty(node: PropertyNode): Promise<void> {
  if (node.kind === 'property') await vscode.env.clipboard.writeText(node.branch.property.title);
}
