import type { Target } from '../../measurement/config/config';
import type { ConfiguredTarget } from './messages';

type Command = ConfiguredTarget['commands'][number];

/**
 * All that a target makes Kymo start, as it would be typed: what a user is asked about before the first run. Variables count, since
 * `LD_PRELOAD` or `PATH` decide what runs as much as a command does.
 */
export function targetCommands(target: Target): readonly Command[] {
  const { clean, configure, command } = target.build;
  const some = (purpose: Command['purpose'], line: string | undefined): readonly Command[] =>
    line === undefined ? [] : [{ purpose, line }];
  return [
    ...some('clean', clean),
    ...some('configure', configure),
    { purpose: 'build', line: command },
    ...some('instrument', instrumenter(target)),
    { purpose: 'run', line: runLine(target) },
  ];
}

/** What Score-P's back-end puts before each command of a compiler, and adds to a run's environment. */
function instrumenter({ backend, scorep }: Target): string | undefined {
  if (backend !== 'scorep') return undefined;
  return words([...assignments(scorep.environment), scorep.instrumenter, ...scorep.flags]);
}

function runLine({ executable, run }: Target): string {
  const { launcher } = run;
  const launched =
    launcher.kind === 'local'
      ? []
      : [
          launcher.kind === 'slurm' ? 'srun' : 'mpirun',
          '-n',
          launcher.ranks.join('|'),
          ...launcher.arguments,
        ];
  const input = run.input === undefined ? '' : ` < ${quoted(run.input)}`;
  return `${words([...assignments(run.environment), ...launched, executable, ...run.arguments])}${input}`;
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
