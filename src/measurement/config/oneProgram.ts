import { KymoError } from '../../core/errors';
import type { Launcher, Target } from './config';

/** Options by which launchers read programs from a file: Open MPI's, Hydra's, Slurm's. */
const programFiles = {
  mpirun: /^--?(app|configfile)(=|$)/,
  slurm: /^--multi-prog(=|$)/,
  template: /^--multi-prog(=|$)/,
} as const;

/**
 * A selection holds the addresses of one executable: ranks with another one would record nothing, and look as if they never worked.
 * @throws KymoError `several-programs` if the launcher starts different programs (MPMD)
 */
export function requireOneProgram({ name, run }: Target): void {
  const { launcher } = run;
  if (launcher.kind === 'local') return;
  const own = launcherWords(launcher);
  // mpirun and srun take a colon among the program's own arguments, too, as the beginning of another program.
  const words = launcher.kind === 'template' ? own : [...own, ...run.arguments];
  const word =
    words.find((text) => text === ':') ?? own.find((text) => programFiles[launcher.kind].test(text));
  if (word === undefined) return;
  throw new KymoError(
    'several-programs',
    `The launcher of ${name} starts several programs at once (“${word}” in "run" of kymo.json). Kymo measures one executable per target: it enables patch points by their addresses in it, so that ranks with another one would be missing from all results, and those that wait for them would look slow without a reason. Start the same executable on all ranks and let it choose by rank what to do, or measure one of the programs alone.`,
  );
}

/** The launcher's own words in `kymo.json`. */
export function launcherWords(launcher: Launcher): readonly string[] {
  if (launcher.kind === 'local') return [];
  return launcher.kind === 'template' ? launcher.command : launcher.arguments;
}
