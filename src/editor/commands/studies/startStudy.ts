import path from 'node:path';
import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import { KymoError } from '../../../core/errors';
import { pointName } from '../../../core/study/texts';
import { parameterCommands, type ConfiguredTarget } from '../../../engine/requests/targetCommands';
import type { ForecastPlan } from '../../../workflows/study/forecastStudy';
import type { StudyVariable } from '../../../workflows/study/planStudy';
import { confirmCommands, confirmWork, refuseUntrusted } from '../../actions/consent';
import { editTarget } from '../../actions/editTarget';
import { pickFolder, pickTarget } from '../../actions/pick';
import { refuseBusy } from '../../actions/refuseBusy';
import type { Kymo } from '../../state/kymo';
import type { ParameterStudyRequest } from '../../state/runs/parameterStudies';
import { forecastLines } from '../../words/studies/parameterStudyText';
import {
  readValues,
  requestOf,
  studyEdit,
  suggestedValues,
  valuesPrompt,
  whyNoValues,
} from '../../words/studies/studyInput';
import { refuseElsewhere } from '../refinement/watchElsewhere';
import { runStudy, showModelsOf } from './runStudy';

const title = l10n.t('Kymo: Run Parameter Study');
const run = l10n.t('Run');
const saveAndRun = l10n.t('Run and Keep in kymo.json');
const retryFailed = l10n.t('Retry Failed Points');
const beginNew = l10n.t('New Study');
const showModels = l10n.t('Show Models');

/** *Kymo: Run Parameter Study*: asks for the target and, where `kymo.json` has none, for values; then measures all points. */
export async function studyCommand(kymo: Kymo): Promise<void> {
  if (await refuseUntrusted(l10n.t('build and run the program'))) return;
  const folder = await pickFolder(title);
  if (folder === undefined || refuseBusy(kymo, folder)) return;
  await prepare(kymo, folder, async (targets) => {
    const target = await pickTarget(targets, title);
    return target === undefined ? undefined : { target: target.name };
  });
}

/** Continues a study as it was planned, or runs its failed points again; asks as the command does. */
export async function continueStudy(
  kymo: Kymo,
  folder: vscode.WorkspaceFolder,
  request: ParameterStudyRequest,
): Promise<void> {
  if ((await refuseUntrusted(l10n.t('build and run the program'))) || refuseBusy(kymo, folder)) return;
  await prepare(kymo, folder, () => Promise.resolve(request));
}

/** Measures single points of a study; without a further question where the user agreed to the commands before. */
export async function measurePoints(
  kymo: Kymo,
  folder: vscode.WorkspaceFolder,
  request: ParameterStudyRequest,
): Promise<void> {
  if ((await refuseUntrusted(l10n.t('build and run the program'))) || refuseBusy(kymo, folder)) return;
  await vscode.workspace.saveAll(false);
  const { target } = await configured(kymo, folder, request);
  if (await refuseElsewhere(kymo, folder, target.name)) return;
  // Texts are words of a command line that the user has not seen.
  const texts = (request.points ?? []).flatMap((point) =>
    Object.entries(point).flatMap(([name, value]) =>
      Number.isFinite(Number(value)) ? [] : parameterCommands({ [name]: [value] }),
    ),
  );
  const extended = { ...target, commands: [...target.commands, ...texts] };
  if (!(await confirmCommands(kymo.extension.workspaceState, folder, extended))) return;
  kymo.log.info(`Measuring ${(request.points ?? []).map(pointName).join('; ')}`);
  await runStudy(kymo, folder, request);
}

type Choose = (targets: readonly ConfiguredTarget[]) => Promise<ParameterStudyRequest | undefined>;

async function prepare(kymo: Kymo, folder: vscode.WorkspaceFolder, choose: Choose): Promise<void> {
  // The build reads files from disk, so unsaved changes are saved first.
  await vscode.workspace.saveAll(false);
  const { targets } = await kymo.engine.query('targets', { workspace: folder.uri.fsPath });
  const chosen = await choose(targets);
  if (chosen === undefined) return;
  const { target } = await configured(kymo, folder, chosen);
  if (await refuseElsewhere(kymo, folder, target.name)) return;
  const request = await agreed(kymo, folder, target, chosen);
  // Something else may have started while the questions were open.
  if (request === undefined || refuseBusy(kymo, folder)) return;
  await runStudy(kymo, folder, request);
}

async function configured(
  kymo: Kymo,
  folder: vscode.WorkspaceFolder,
  request: ParameterStudyRequest,
): Promise<{ readonly target: ConfiguredTarget }> {
  const { targets, file } = await kymo.engine.query('targets', { workspace: folder.uri.fsPath });
  const target = targets.find(({ name }) => name === request.target);
  if (target !== undefined) return { target };
  throw new KymoError('unknown-target', l10n.t`${file} has no target ${request.target} any more.`, { file });
}

/** Asks for what is missing, and shows what will be measured. Undefined if the user does not agree, or there is nothing to do. */
async function agreed(
  kymo: Kymo,
  folder: vscode.WorkspaceFolder,
  target: ConfiguredTarget,
  given: ParameterStudyRequest,
): Promise<ParameterStudyRequest | undefined> {
  const workspace = folder.uri.fsPath;
  let request = given;
  let values: Values | undefined;
  for (;;) {
    const { variables, plan } = await kymo.engine.query('forecastStudy', { workspace, ...request });
    if (plan === undefined) {
      if (values !== undefined)
        throw new KymoError(
          'usage',
          l10n.t`Nothing changes in this study of ${target.name}. Enter several values of a parameter.`,
        );
      values = await askValues(target.name, variables);
      if (values === undefined) return undefined;
      request = { ...request, ...values };
      continue;
    }
    const work = workOf(target.name, plan, values !== undefined, given.study === undefined);
    switch (await confirmWork(kymo.extension.workspaceState, folder, target, work)) {
      case run:
        return request;
      case saveAndRun: {
        const { document } = await editTarget(kymo, folder, target.name, (text) =>
          studyEdit(text, target.name, values ?? {}),
        );
        await document.save();
        return given;
      }
      case retryFailed:
        return { ...request, retry: true };
      case beginNew:
        request = { ...request, fresh: true };
        break;
      case showModels:
        void showModelsOf(path.join(workspace, '.kymo', target.name, plan.continues ?? ''));
        return undefined;
      case undefined:
      default:
        return undefined;
    }
  }
}

function workOf(
  target: string,
  plan: ForecastPlan,
  isAsked: boolean,
  canBegin: boolean,
): Parameters<typeof confirmWork>[3] {
  const detail = forecastLines(plan);
  if (plan.runsToDo > 0)
    return {
      question: l10n.t`Run a parameter study of ${target}?`,
      detail,
      starting: isAsked ? [run, saveAndRun] : [run],
    };
  return {
    question: l10n.t`The parameter study of ${target} is complete.`,
    detail,
    starting: [...(plan.failed > 0 ? [retryFailed] : []), ...(canBegin ? [beginNew] : [])],
    other: [showModels],
  };
}

type Values = ReturnType<typeof requestOf>;

/** A step for each thing that can change. Undefined if the user cancelled. */
async function askValues(target: string, variables: readonly StudyVariable[]): Promise<Values | undefined> {
  const answers: (readonly [StudyVariable, readonly string[]])[] = [];
  for (const [index, variable] of variables.entries()) {
    const text = await vscode.window.showInputBox({
      title: l10n.t`${title} of ${target} (${index + 1}/${variables.length})`,
      prompt: valuesPrompt(variable),
      value: suggestedValues(variable),
      ignoreFocusOut: true,
      validateInput: (given) => whyNoValues(given, variable),
    });
    if (text === undefined) return undefined;
    answers.push([variable, readValues(text)]);
  }
  return requestOf(answers);
}
