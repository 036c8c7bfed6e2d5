import path from 'node:path';
import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import { KymoError } from '../../../core/errors';
import { confirmCommands } from '../../actions/consent';
import type { EngineEvent } from '../../../engine/wire';
import { parameterCommands } from '../../../engine/requests/targetCommands';
import type { Kymo } from '../../state/kymo';
import { localFolders } from '../../state/studies/studies';
import { studiedSentence } from '../../../core/study/texts';
import { whyBusy } from '../../actions/refuseBusy';
import { refinedSentence } from '../../words/studies/experimentText';
import { readTask, taskName, type KymoTask } from './taskDefinition';
import { TaskTerminal, type TaskWork } from './taskTerminal';
import { builtSentence, measuredSentence } from '../../words/settings/taskText';

export const taskType = 'kymo';
/** Problem matchers for compiler messages in a task's terminal. gcc's matcher also reads clang's; each line counts once. */
const matchers = [
  '$kymo-gcc',
  '$kymo-clang',
  '$kymo-gfortran',
  '$kymo-gfortran-neighbours',
  '$kymo-gfortran-two-places',
];

/** Tasks for each target of each folder's `kymo.json`, and those that `tasks.json` defines. */
export class KymoTasks implements vscode.TaskProvider {
  constructor(private readonly kymo: Kymo) {}

  async provideTasks(): Promise<vscode.Task[]> {
    if (!vscode.workspace.isTrusted) return [];
    const all = await Promise.all(localFolders().map((folder) => this.tasksOf(folder)));
    return all.flat();
  }

  resolveTask(task: vscode.Task): vscode.Task | undefined {
    const folder = folderOf(task.scope);
    if (folder === undefined) return undefined;
    const { definition } = task;
    const read = readTask(definition);
    // An invalid definition is still a task: its terminal shows the error.
    const work = typeof read === 'string' ? refused(read) : this.workOf(folder, read);
    return makeTask(definition, folder, task.name, work);
  }

  private async tasksOf(folder: vscode.WorkspaceFolder): Promise<vscode.Task[]> {
    try {
      const { targets } = await this.kymo.engine.query('targets', { workspace: folder.uri.fsPath });
      return targets.flatMap(({ name, hasStudy }) =>
        (['refine', 'build', 'measure', ...(hasStudy === true ? ['study' as const] : [])] as const).map(
          (command) => {
            const task: KymoTask = { command, target: name };
            return makeTask({ type: taskType, ...task }, folder, taskName(task), this.workOf(folder, task));
          },
        ),
      );
    } catch (error) {
      // A folder without a kymo.json, or with an incomplete one, has no tasks. The list of tasks cannot show errors.
      if (!(error instanceof KymoError && error.reason === 'config-missing'))
        this.kymo.log.warn(
          `No tasks of ${folder.name}: ${error instanceof Error ? error.message : String(error)}`,
        );
      return [];
    }
  }

  private workOf(folder: vscode.WorkspaceFolder, task: KymoTask): TaskWork {
    return async (print, signal) => {
      const target = await this.agreedTarget(folder, task);
      this.kymo.problems.clear();
      print(`> kymo ${taskName({ command: task.command, target })}`);
      switch (task.command) {
        case 'refine':
          return this.run(this.kymo.refinements, folder, signal, async () =>
            refinedSentence(await this.kymo.refinements.start(folder, { target }, print)),
          );
        case 'study':
          return this.run(this.kymo.parameterStudies, folder, signal, async () =>
            studiedSentence(await this.kymo.parameterStudies.start(folder, { target }, print)),
          );
        case 'build':
          return builtSentence(
            await this.kymo.engine.job(
              'build',
              { workspace: folder.uri.fsPath, target },
              hooks(print, signal),
            ),
          );
        case 'measure': {
          const { filter, repetitions, parameters } = task;
          const result = await this.kymo.engine.job(
            'measure',
            {
              workspace: folder.uri.fsPath,
              target,
              ...(filter === undefined ? {} : { filter: path.resolve(folder.uri.fsPath, filter) }),
              ...(repetitions === undefined ? {} : { repetitions }),
              ...(parameters === undefined ? {} : { parameters }),
            },
            hooks(print, signal),
          );
          return measuredSentence(result);
        }
      }
    };
  }

  /** Works as the command does: the views and the status bar show it, and a folder has one at a time. */
  private async run(
    runs: Pick<Kymo['refinements' | 'parameterStudies'], 'stop'>,
    folder: vscode.WorkspaceFolder,
    signal: AbortSignal,
    work: () => Promise<string>,
  ): Promise<string> {
    const why = whyBusy(this.kymo, folder);
    if (why !== undefined) throw new KymoError('already-running', why);
    const stop = (): void => void runs.stop(folder);
    signal.addEventListener('abort', stop, { once: true });
    try {
      return await work();
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  /** Values of parameters that the task brings, or the study of the target. */
  private async valuesOf(
    folder: vscode.WorkspaceFolder,
    target: string,
    task: KymoTask,
  ): Promise<Readonly<Record<string, string | readonly string[]>>> {
    if (task.command === 'measure') return task.parameters ?? {};
    if (task.command !== 'study') return {};
    const forecast = await this.kymo.engine.query('forecastStudy', { workspace: folder.uri.fsPath, target });
    return forecast.plan?.values ?? {};
  }

  /** The target's name if the user agrees to the commands that the workspace defines; else undefined. */
  private async agreedTarget(folder: vscode.WorkspaceFolder, task: KymoTask): Promise<string> {
    const { target: name } = task;
    if (!vscode.workspace.isTrusted)
      throw new KymoError(
        'untrusted',
        l10n.t('The workspace is not trusted, and this runs commands that it defines. Trust it first.'),
      );
    const { targets, file } = await this.kymo.engine.query('targets', { workspace: folder.uri.fsPath });
    const target = name === undefined ? targets[0] : targets.find((candidate) => candidate.name === name);
    if (target === undefined)
      throw new KymoError(
        'unknown-target',
        l10n.t`${file} has no target ${JSON.stringify(name ?? '')}. It has: ${targets.map((candidate) => candidate.name).join(', ')}.`,
      );
    // The workspace also provides tasks.json, so its parameters need consent, too.
    const given = parameterCommands(await this.valuesOf(folder, target.name, task));
    const extended = { ...target, commands: [...target.commands, ...given] };
    if (!(await confirmCommands(this.kymo.extension.workspaceState, folder, extended)))
      throw new KymoError('cancelled', l10n.t('Not agreed to.'));
    return target.name;
  }
}

function makeTask(
  definition: vscode.TaskDefinition,
  folder: vscode.WorkspaceFolder,
  name: string,
  work: TaskWork,
): vscode.Task {
  const execution = new vscode.CustomExecution(() => Promise.resolve(new TaskTerminal(work)));
  const task = new vscode.Task(definition, folder, name, taskType, execution, matchers);
  if (definition.command === 'build') task.group = vscode.TaskGroup.Build;
  // The terminal is revealed only on errors and never takes the focus.
  task.presentationOptions = { reveal: vscode.TaskRevealKind.Silent, focus: false, clear: true };
  return task;
}

function refused(why: string): TaskWork {
  return () => Promise.reject(new KymoError('usage', l10n.t`This task cannot run: ${why}`));
}

function folderOf(scope: vscode.Task['scope']): vscode.WorkspaceFolder | undefined {
  if (scope !== undefined && typeof scope === 'object')
    return scope.uri.scheme === 'file' ? scope : undefined;
  const folders = localFolders();
  return folders.length === 1 ? folders[0] : undefined;
}

function hooks(
  print: (line: string) => void,
  signal: AbortSignal,
): { readonly signal: AbortSignal; readonly onEvent: (event: EngineEvent) => void } {
  const onEvent = (event: EngineEvent): void => {
    if (event.kind === 'progress') print(event.message);
    else for (const line of event.lines) print(line);
  };
  return { signal, onEvent };
}
