import { MarkdownPages } from '../base/markdownPages';
import type { Kymo } from '../state/kymo';
import type { ExperimentNode } from '../surfaces/trees/experimentsView';
import { refinementActions } from '../surfaces/status/refinementStatus';
import { choosePhase } from './phase/choosePhase';
import { compareDynamics } from './dynamics/compareDynamics';
import { diagnose, importSearch } from './diagnosis/diagnose';
import { diagnoseRunning } from './diagnosis/diagnoseRunning';
import { collectDiagnostics, runDoctor } from './window/collectDiagnostics';
import { createConfigurationCommand } from './refinement/createConfiguration';
import { compareRuns, stopComparing } from './experiments/compareRuns';
import { acceptBaseline } from './baseline/acceptBaseline';
import { compareWithBaseline, showVerdict } from './baseline/compareWithBaseline';
import { compareTraces, compareTracesBelow } from './comparison/compareTraces';
import { CompareExperiments } from './experiments/compareExperiments';
import { DynamicsComparisons } from './dynamics/dynamicsComparisons';
import {
  copyPaths,
  deleteStudies,
  exportProfile,
  folderOf,
  openFolder,
  openFunctions,
} from './experiments/experiments';
import { goToHottestFunction } from './functions/goToHottest';
import { explainFunctions, goToCallers, showInHotSpots } from './functions/functionActions';
import { FunctionTables } from './functions/functionTable';
import { pinFromTree } from './functions/instrumentation';
import { switchWhileRunning } from './running/switchFunctions';
import { watchRun } from './running/watchRun';
import { measureNow } from './refinement/measureNow';
import { undoPinCommand } from './functions/pins';
import { openSettings } from './window/openSettings';
import { openWalkthrough } from './window/openWalkthrough';
import { refineCommand } from './refinement/refine';
import { DynamicsPanels } from '../surfaces/panels/dynamics/dynamicsPanels';
import { HotSpotPanels } from '../surfaces/panels/hotSpots/hotSpotPanels';
import { ComparisonPanels } from '../surfaces/panels/comparison/comparisonPanels';
import { DiagnosisPanels } from '../surfaces/panels/diagnosis/diagnosisPanels';
import { ModelsPanels } from '../surfaces/panels/models/modelsPanels';
import { TimelinePanels } from '../surfaces/panels/timeline/timelinePanels';
import { ScorepFlagsPanels } from '../surfaces/panels/scorepFlags/scorepFlagsPanels';
import { analyseSeries, showDynamics } from './dynamics/showDynamics';
import { expectGrowth } from './models/expectGrowth';
import { compareModels, showModels } from './models/showModels';
import { showHotSpots, showProcessGroups } from './experiments/showHotSpots';
import { saveReport } from './experiments/saveReport';
import { showLastStudy, showProfileInSource } from './experiments/showProfile';
import { registerStudyCommands } from './studies/studyActions';
import { showTimeline, showTimelineBelow } from './timeline/showTimeline';
import { toggleAnnotations } from './window/toggleAnnotations';
import { onRow } from './functions/treeRow';
import { usePhase } from './phase/usePhase';

/** All commands; `package.json` declares their titles and menus. */
export function registerCommands(kymo: Kymo): void {
  const tables = new FunctionTables(kymo);
  const hotSpots = new HotSpotPanels(kymo);
  const dynamics = new DynamicsPanels(kymo);
  const models = new ModelsPanels(kymo);
  const timelines = new TimelinePanels(kymo);
  const traces = new ComparisonPanels(kymo);
  const diagnoses = new DiagnosisPanels(kymo);
  const comparisons = new DynamicsComparisons(kymo);
  const pages = new MarkdownPages();
  kymo.extension.subscriptions.push(
    hotSpots,
    tables,
    dynamics,
    comparisons,
    models,
    timelines,
    traces,
    diagnoses,
    new ScorepFlagsPanels(kymo),
    pages,
  );
  kymo.command('kymo.refine', () => refineCommand(kymo));
  kymo.command('kymo.createConfiguration', () => createConfigurationCommand(kymo));
  kymo.command('kymo.showLog', () => kymo.log.show(true));
  kymo.command('kymo.openSettings', openSettings);
  kymo.command('kymo.openWalkthrough', () => openWalkthrough(kymo));
  kymo.command('kymo.runDoctor', () => runDoctor(kymo, pages));
  kymo.command('kymo.collectDiagnostics', () => collectDiagnostics(kymo));
  kymo.command('kymo.refinementActions', () => refinementActions(kymo));
  kymo.command('kymo.explainFunctions', (document: unknown, line: unknown) =>
    explainFunctions(kymo, document, line),
  );
  kymo.command('kymo.goToCallers', (document: unknown, line: unknown) => goToCallers(kymo, document, line));
  kymo.command('kymo.goToHottestFunction', () => goToHottestFunction(kymo));
  kymo.command('kymo.showInHotSpots', (document: unknown, line: unknown) =>
    showInHotSpots(kymo, document, line),
  );
  kymo.command('kymo.usePhase', () => usePhase(kymo));
  kymo.command('kymo.expectGrowth', (given: unknown) => expectGrowth(kymo, given));
  kymo.command('kymo.choosePhase', () => choosePhase(kymo));
  kymo.command('kymo.measure', () => measureNow(kymo));
  kymo.command('kymo.watchRun', () => watchRun(kymo));
  kymo.command('kymo.recordWhileRunning', (document: unknown) => switchWhileRunning(kymo, true, document));
  kymo.command('kymo.leaveWhileRunning', (document: unknown) => switchWhileRunning(kymo, false, document));
  kymo.watched.onIterations((input) => {
    dynamics.show(input);
  });
  kymo.command('kymo.showDynamics', (given: unknown) => showDynamics(kymo, dynamics, given));
  kymo.command('kymo.analyseSeries', () => analyseSeries(kymo, dynamics));
  kymo.command('kymo.compareDynamics', (given: unknown, all: unknown) =>
    compareDynamics(kymo, dynamics, comparisons, given, all),
  );
  kymo.command('kymo.showModels', (given: unknown, all: unknown) => showModels(kymo, models, given, all));
  kymo.command('kymo.compareModels', (given: unknown, other: unknown) =>
    compareModels(kymo, models, given, other),
  );
  kymo.command('kymo.showTimeline', (given: unknown) => showTimeline(kymo, timelines, given));
  kymo.command('kymo.compareTraces', (given: unknown, all: unknown) =>
    compareTraces(kymo, traces, given, all),
  );
  kymo.command('kymo.diagnose', (given: unknown) => diagnose(kymo, diagnoses, given));
  kymo.command('kymo.diagnoseRunning', () => diagnoseRunning(kymo, diagnoses, false));
  kymo.command('kymo.diagnoseRunningWith', () => diagnoseRunning(kymo, diagnoses, true));
  kymo.command('kymo.hideDiagnosis', () => kymo.diagnosis.show(undefined));
  kymo.command('kymo.importSearch', () => importSearch(kymo, diagnoses));
  registerStudyCommands(kymo);
  kymo.command('kymo.hideDynamics', () => kymo.dynamics.hide());
  kymo.command('kymo.toggleAnnotations', toggleAnnotations);
  kymo.command('kymo.pinIn', pinFromTree(kymo, 'in'));
  kymo.command('kymo.pinOut', pinFromTree(kymo, 'out'));
  kymo.command('kymo.unpin', pinFromTree(kymo, 'none'));
  kymo.command('kymo.undoPin', () => undoPinCommand(kymo));
  kymo.command('kymo.showHotSpots', (given: unknown) => showHotSpots(kymo, hotSpots, given));
  kymo.command('kymo.showProcessGroups', (given: unknown) => showProcessGroups(kymo, hotSpots, given));
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
  kymo.command('kymo.compareRuns', (given: unknown) => compareRuns(kymo, hotSpots, given));
  kymo.command('kymo.stopComparing', () => stopComparing(kymo));
  kymo.command('kymo.compareWithBaseline', (given: unknown) => compareWithBaseline(kymo, pages, given));
  kymo.command('kymo.showVerdict', () => showVerdict(kymo, pages));
  kymo.command('kymo.acceptBaseline', (given: unknown) => acceptBaseline(kymo, given));
  kymo.command('kymo.saveReport', (given: unknown) => saveReport(kymo, given));
  onStudy('diagnose', (node) => diagnose(kymo, diagnoses, node));
  onStudy('showTimeline', (node) => showTimelineBelow(kymo, timelines, folderOf(node)));
  onStudy('compareTraces', (node, all = [node]) => compareTracesBelow(kymo, traces, all.flatMap(folderOf)));
  const comparing = new CompareExperiments();
  onStudy('selectForCompare', (node) => comparing.select(node));
  onStudy('compareWithSelected', (node) => comparing.withSelected(node));
  onStudy('compare', (node, all) => comparing.both(node, all));
}
