import type { Kymo } from '../kymo';
import type { ExperimentNode } from '../views/experimentsView';
import { refinementActions } from '../status/refinementStatus';
import { choosePhase } from './choosePhase';
import { compareDynamics } from './compareDynamics';
import { collectDiagnostics, runDoctor } from './collectDiagnostics';
import { createConfigurationCommand } from './createConfiguration';
import { CompareExperiments } from './compareExperiments';
import { DynamicsComparisons } from './dynamicsComparisons';
import { copyPaths, deleteStudies, exportProfile, openFolder, openFunctions } from './experiments';
import { explainFunctions, goToCallers, showInHotSpots } from './functionActions';
import { FunctionTables } from './functionTable';
import { pinFromTree } from './instrumentation';
import { measureNow } from './measureNow';
import { undoPinCommand } from './pins';
import { openSettings, openWalkthrough } from './openSettings';
import { refineCommand } from './refine';
import { DynamicsPanels } from '../panels/dynamics/dynamicsPanels';
import { HotSpotPanels } from '../panels/hotSpots/hotSpotPanels';
import { ScorepFlagsPanels } from '../panels/scorepFlags/scorepFlagsPanels';
import { analyseSeries, showDynamics } from './showDynamics';
import { showHotSpots } from './showHotSpots';
import { showLastStudy, showProfileInSource } from './showProfile';
import { toggleAnnotations } from './toggleAnnotations';
import { onRow } from './treeRow';
import { usePhase } from './usePhase';

/** All commands; `package.json` declares their titles and menus. */
export function registerCommands(kymo: Kymo): void {
  const tables = new FunctionTables(kymo);
  const hotSpots = new HotSpotPanels(kymo);
  const dynamics = new DynamicsPanels(kymo);
  const comparisons = new DynamicsComparisons(kymo);
  kymo.extension.subscriptions.push(hotSpots, tables, dynamics, comparisons, new ScorepFlagsPanels(kymo));
  kymo.command('kymo.refine', () => refineCommand(kymo));
  kymo.command('kymo.createConfiguration', () => createConfigurationCommand(kymo));
  kymo.command('kymo.showLog', () => kymo.log.show(true));
  kymo.command('kymo.openSettings', openSettings);
  kymo.command('kymo.openWalkthrough', openWalkthrough);
  kymo.command('kymo.runDoctor', () => runDoctor(kymo));
  kymo.command('kymo.collectDiagnostics', () => collectDiagnostics(kymo));
  kymo.command('kymo.refinementActions', () => refinementActions(kymo));
  kymo.command('kymo.explainFunctions', (document: unknown, line: unknown) =>
    explainFunctions(kymo, document, line),
  );
  kymo.command('kymo.goToCallers', (document: unknown, line: unknown) => goToCallers(kymo, document, line));
  kymo.command('kymo.showInHotSpots', (document: unknown, line: unknown) =>
    showInHotSpots(kymo, document, line),
  );
  kymo.command('kymo.usePhase', () => usePhase(kymo));
  kymo.command('kymo.choosePhase', () => choosePhase(kymo));
  kymo.command('kymo.measure', () => measureNow(kymo));
  kymo.command('kymo.showDynamics', (given: unknown) => showDynamics(kymo, dynamics, given));
  kymo.command('kymo.analyseSeries', () => analyseSeries(kymo, dynamics));
  kymo.command('kymo.compareDynamics', (given: unknown, all: unknown) =>
    compareDynamics(kymo, dynamics, comparisons, given, all),
  );
  kymo.command('kymo.hideDynamics', () => kymo.dynamics.hide());
  kymo.command('kymo.toggleAnnotations', toggleAnnotations);
  kymo.command('kymo.pinIn', pinFromTree(kymo, 'in'));
  kymo.command('kymo.pinOut', pinFromTree(kymo, 'out'));
  kymo.command('kymo.unpin', pinFromTree(kymo, 'none'));
  kymo.command('kymo.undoPin', () => undoPinCommand(kymo));
  kymo.command('kymo.showHotSpots', (given: unknown) => showHotSpots(kymo, hotSpots, given));
  kymo.command('kymo.showProfileInSource', (given: unknown) => showProfileInSource(kymo, given));
  kymo.command('kymo.showLastStudy', () => showLastStudy(kymo));
  kymo.command('kymo.experiments.refresh', () => kymo.studies.refresh());
  const onStudy = (
    id: string,
    action: (node: ExperimentNode, all?: readonly ExperimentNode[]) => Promise<void>,
  ): void => kymo.command(`kymo.experiments.${id}`, onRow(action));
  onStudy('openFolder', openFolder);
  onStudy('copyPath', copyPaths);
  onStudy('openFunctions', (node) => openFunctions(tables, node));
  onStudy('delete', (node, all) => deleteStudies(kymo, node, all));
  onStudy('exportProfile', (node) => exportProfile(kymo, node));
  const comparing = new CompareExperiments();
  onStudy('selectForCompare', (node) => comparing.select(node));
  onStudy('compareWithSelected', (node) => comparing.withSelected(node));
  onStudy('compare', (node, all) => comparing.both(node, all));
}
