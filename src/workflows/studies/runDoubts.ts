import os from 'node:os';
import path from 'node:path';
import type { Experiment } from '../../core/profile/experiment';
import { isTooShort } from '../../core/cost/runConditions';
import { formatSeconds } from '../../core/format';
import type { Base } from '../../core/functions/base';
import { allowedProcessors } from '../../measurement/launch/processors';
import { runsHere } from '../../measurement/launch/runs/launchCommand';

/** What is known of a run that makes its times mean little, a sentence each: to be read before any finding. @param threads whose time the base is */
export function runDoubts(
  experiment: Experiment | undefined,
  base?: Pick<Base, 'seconds'>,
  threads = 1,
): readonly string[] {
  return [
    ...crowdDoubts(experiment),
    ...(base === undefined ? [] : shortDoubts(base.seconds / Math.max(1, threads))),
  ];
}

function shortDoubts(seconds: number): readonly string[] {
  if (!isTooShort(seconds)) return [];
  return [
    `The run took only ${formatSeconds(seconds)}: too short to show what limits the program. Give it a larger input, so that it computes for a second or more, before you follow any advice.`,
  ];
}

/** Experiments do not have the number of processors: it is known of runs of this machine only. */
function crowdDoubts(experiment: Experiment | undefined): readonly string[] {
  const { ranks = 1, host, command = [] } = experiment ?? {};
  const processors = allowedProcessors().length;
  const isHere = host === os.hostname() && isLocal(command);
  if (!isHere || processors === 0 || ranks <= processors) return [];
  return [
    `${ranks} ranks shared ${processors} ${processors === 1 ? 'processor' : 'processors'}: those that waited took time from those that computed, so shares of waiting and the balance of work mean little. Measure with at most as many ranks as processors before you follow any advice.`,
  ];
}

/** Whether all processes that a command started ran where it was run. */
function isLocal([program = '', ...words]: readonly string[]): boolean {
  const isMpirun = ['mpirun', 'mpiexec'].includes(path.basename(program));
  return isMpirun && runsHere({ kind: 'mpirun', ranks: [], arguments: words }, process.env);
}
