import path from 'node:path';
import type { Launcher, Target } from '../../measurement/config/config';

export interface ConfiguredTarget {
  readonly name: string;
  /** Whether a study would have several points by `kymo.json` alone. */
  readonly hasStudy?: boolean;
  /** The commands of the workspace as Kymo would start them, each with its purpose. */
  readonly commands: readonly {
    readonly purpose: 'clean' | 'configure' | 'build' | 'instrument' | 'run' | 'with';
    readonly line: string;
  }[];
}

type Command = ConfiguredTarget['commands'][number];

/**
 * All commands that Kymo starts for a target, as a user would type them: the user confirms these before the first run. Variables, folders and
 * values of parameters are included, because they influence the run as much as a command does.
 */
export function targetCommands(target: Target): readonly Command[] {
  const { clean, configure, command } = target.build;
  const some = (
    purpose: Command['purpose'],
    line: string | undefined,
    folder = target.build.cwd,
  ): readonly Command[] => (line === undefined ? [] : [{ purpose, line: `${line}${inFolder(folder)}` }]);
  return [
    ...some('clean', clean),
    ...some('configure', configure),
    ...some('build', command),
    ...some('instrument', instrumenter(target)),
    ...some('run', runLine(target), target.run.cwd),
    ...parameterCommands(target.parameters),
    ...Object.entries(target.run.files ?? {}).map(([name, { template }]): Command => ({
      purpose: 'with',
      line: `\${file:${name}} = ${quoted(template)} with the values of its parameters`,
    })),
  ];
}

/** The values that replace `${name}` in the run's command line. */
export function parameterCommands(
  parameters: Readonly<Record<string, string | readonly (string | number)[]>>,
): readonly Command[] {
  return Object.entries(parameters).map(([name, values]) => {
    const list = typeof values === 'string' ? [values] : values;
    return {
      purpose: 'with',
      line: `\${${name}} = ${list.map((value) => quoted(String(value))).join(', ')}`,
    };
  });
}

/** The folder of a command; nothing for the workspace, where commands are expected to run. */
function inFolder(folder: string): string {
  return path.join(folder, '.') === '.' ? '' : `  (in ${folder})`;
}

/** The command that the Score-P back-end puts before each compiler command, and the environment that it adds to a run. */
function instrumenter({ backend, scorep }: Target): string | undefined {
  if (backend !== 'scorep') return undefined;
  return words([...assignments(scorep.environment), scorep.instrumenter, ...scorep.flags]);
}

function runLine({ executable, run }: Target): string {
  const { launcher } = run;
  const program = [executable, ...run.arguments];
  const input = run.input === undefined ? '' : ` < ${quoted(run.input)}`;
  return `${words([...assignments(run.environment), ...launched(launcher, program)])}${input}`;
}

function launched(launcher: Launcher, program: readonly string[]): readonly string[] {
  switch (launcher.kind) {
    case 'local':
      return program;
    case 'mpirun':
    case 'slurm': {
      const starter = launcher.kind === 'slurm' ? 'srun' : 'mpirun';
      return [starter, '-n', launcher.ranks.join('|'), ...launcher.arguments, ...program];
    }
    case 'template':
      return launcher.command.flatMap((word) =>
        word === '${program}' ? program : [word.replaceAll('${ranks}', launcher.ranks.join('|'))],
      );
  }
}

function assignments(environment: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(environment).map(([name, value]) => `${name}=${value}`);
}

function words(list: readonly string[]): string {
  return list.map(quoted).join(' ');
}

function quoted(word: string): string {
  return /^[\w@%+=:,./${}|-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
