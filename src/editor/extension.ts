import * as vscode from 'vscode';
import { CursorContext } from './annotations/cursorContext';
import { SourceAnnotations } from './annotations/sourceAnnotations';
import { registerCommands } from './commands/register';
import { registerConfigurationHelp } from './configuration/configurationHelp';
import { watchConfiguration } from './configuration/presence';
import { CubeEditors } from './cube/cubeEditors';
import { MeasurementWarnings } from './diagnostics/measurementWarnings';
import { WarningFixes } from './diagnostics/warningFixes';
import { DynamicsLenses } from './dynamics/dynamicsLenses';
import { DynamicsProblems } from './dynamics/dynamicsProblems';
import { FunctionHovers } from './hovers/functionHovers';
import { Kymo } from './kymo';
import { registerLanguages } from './languages/registerLanguages';
import { FunctionLenses } from './lenses/functionLenses';
import { SettingsWatch } from './settingsWatch';
import { FileStatus } from './status/fileStatus';
import { RefinementStatus } from './status/refinementStatus';
import { KymoTasks, taskType } from './tasks/taskProvider';
import { RefinementPanels } from './panels/refinementPanels';
import { StudyWatch } from './studyWatch';
import { registerViews } from './views/registerViews';

/** Must stay quick (≤ 50 ms): workflows live in the engine process, which starts with the first question to it. */
export function activate(context: vscode.ExtensionContext): void {
  const begin = performance.now();
  const kymo = new Kymo(context);
  context.subscriptions.push(
    kymo,
    new StudyWatch(() => kymo.studies.refresh()),
    new RefinementPanels(kymo),
    new CubeEditors(kymo),
    new FunctionLenses(kymo),
    new DynamicsLenses(kymo),
    new DynamicsProblems(kymo),
    new SourceAnnotations(kymo),
    new FunctionHovers(kymo),
    new MeasurementWarnings(kymo),
    new WarningFixes(kymo),
    new CursorContext(kymo),
  );
  context.subscriptions.push(
    new SettingsWatch(),
    new RefinementStatus(kymo),
    new FileStatus(kymo),
    registerConfigurationHelp(kymo),
    watchConfiguration(),
    vscode.tasks.registerTaskProvider(taskType, new KymoTasks(kymo)),
  );
  registerViews(kymo);
  registerCommands(kymo);
  registerLanguages(kymo);
  kymo.log.info(`Activated in ${(performance.now() - begin).toFixed(1)} ms`);
}
