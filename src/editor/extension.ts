import './base/translations';
import * as vscode from 'vscode';
import { showError } from './actions/showError';
import { AssistantServers } from './surfaces/assistants/assistantServers';
import { CursorContext } from './surfaces/annotations/cursorContext';
import { SourceAnnotations } from './surfaces/annotations/sourceAnnotations';
import { startRefinement } from './commands/refinement/refine';
import { registerCommands } from './commands/register';
import { registerConfigurationHelp } from './surfaces/configuration/configurationHelp';
import { watchConfiguration, watchResults } from './surfaces/configuration/presence';
import { CubeEditors } from './surfaces/panels/cube/cubeEditors';
import { FindingProblems } from './surfaces/problems/findingProblems';
import { ExpectationFixes } from './surfaces/problems/expectationFixes';
import { ExpectationProblems } from './surfaces/configuration/expectationProblems';
import { WarningFixes } from './surfaces/problems/warningFixes';
import { FindingLenses } from './surfaces/lenses/findingLenses';
import { FindingHovers } from './surfaces/hovers/findingHovers';
import { FunctionHovers } from './surfaces/hovers/functionHovers';
import { Kymo } from './state/kymo';
import { registerLanguages } from './commands/filters/registerLanguages';
import { FunctionLenses } from './surfaces/lenses/functionLenses';
import { SettingsWatch } from './surfaces/settings/settingsWatch';
import { FileStatus } from './surfaces/status/fileStatus';
import { RefinementStatus } from './surfaces/status/refinementStatus';
import { StartStatus } from './surfaces/status/startStatus';
import { WatchStatus } from './surfaces/status/watchStatus';
import { KymoTasks, taskType } from './surfaces/tasks/taskProvider';
import { RefinementPanels } from './surfaces/panels/refinement/refinementPanels';
import { StudyWatch } from './state/studies/studyWatch';
import { registerViews } from './commands/registerViews';

/** Must take ≤ 50 ms: workflows run in the engine process, which starts with the first request. */
export function activate(context: vscode.ExtensionContext): void {
  const begin = performance.now();
  const kymo = new Kymo(context, showError);
  context.subscriptions.push(
    kymo,
    new StudyWatch(() => kymo.studies.refresh()),
    new RefinementPanels(kymo, startRefinement),
    new CubeEditors(kymo),
    new FunctionLenses(kymo),
    new FindingLenses(kymo),
    new FindingHovers(kymo),
    new FindingProblems(kymo),
    new SourceAnnotations(kymo),
    new FunctionHovers(kymo),
    new WarningFixes(kymo),
    new ExpectationFixes(kymo),
    new ExpectationProblems(),
    new CursorContext(kymo),
  );
  context.subscriptions.push(
    new AssistantServers(kymo),
    new SettingsWatch(),
    new RefinementStatus(kymo),
    new StartStatus(),
    new WatchStatus(kymo),
    new FileStatus(kymo),
    registerConfigurationHelp(kymo),
    watchConfiguration(),
    watchResults(kymo),
    vscode.tasks.registerTaskProvider(taskType, new KymoTasks(kymo)),
  );
  registerViews(kymo);
  registerCommands(kymo);
  registerLanguages(kymo);
  kymo.log.info(`Activated in ${(performance.now() - begin).toFixed(1)} ms`);
}
