import path from 'node:path';
import { KymoError } from '../../core/errors';
import type { Selection } from '../../core/selection/selection';
import type { Backend } from '../../measurement/backends/common/backend';
import type { Target } from '../../measurement/config/config';
import { makeOwnFolder } from '../../measurement/files/ownFiles';
import { localProcesses } from '../../overlay/agent/localProcesses';
import { RunBench } from '../refine/bench/runBench';
import type { RunContext } from '../refine/bench/runContext';
import { refinementLoop } from '../refine/loop/loop';
import type { LoopInput, LoopResult, LoopState } from '../refine/loop/loop.types';
import type { TriedRound } from './bestRound';
import { finalOfEnded, withBestRound } from './lastRounds';
import { unlessEnded } from './unlessEnded';
import { WatchedJob } from './watchedJob';
import { WindowBench } from './windowBench';

/** Folder of the study with the results of the whole run. */
const runFolder = 'online';

const nothingCalled =
  'No function of the program was called in any round: those that take its time began before, or are in libraries that were not built with Kymo. Choose longer rounds with --window, or refine without --online.';

const nothing: Selection = { decisions: new Map() };

/** @throws KymoError `usage` when the target cannot be refined inside one run */
export function requireOnline({ name, refinement, run }: Target, backend: Backend['name']): void {
  const refuse = (why: string): never => {
    throw new KymoError(
      'usage',
      `The target ${name} cannot be refined with --online: ${why}. Refine without it.`,
    );
  };
  if (backend === 'scorep') refuse('filters of Score-P cannot change while the program runs');
  if (refinement.strategy !== 'hotspot')
    refuse(`the strategy ${refinement.strategy} compares whole runs; hotspot does not`);
  if (run.launcher.kind === 'slurm') refuse('the processes of a batch job run on other machines');
}

/**
 * The refinement inside one run: its rounds are windows of the run, between which sites are switched. The strategy, its reasons and the files are those of
 * `refinementLoop` with runs. When the selection no longer changes, it stays until the program ends.
 * @throws KymoError `not-watchable` when the program ends before the first round, or runs on other machines
 */
export async function refineOnline(
  input: LoopInput,
  context: RunContext,
  windowSeconds: number,
): Promise<LoopResult> {
  const { recorder, target, facts, directory, signal, note } = context;
  const folder = path.join(directory, runFolder);
  await makeOwnFolder(folder);
  const plan = await recorder.planWatched?.(nothing, folder, { sampling: 'adjustable' });
  if (plan === undefined) throw new TypeError(`the runs of ${target.name} cannot be watched`);
  let state: LoopState | undefined;
  let spentSeconds = 0;
  const tried: TriedRound[] = [];
  const looped: LoopInput = {
    ...input,
    repetitions: 1,
    onRound: async (round, reached) => {
      state = reached;
      spentSeconds += round.medianSeconds;
      tried.push({
        index: round.index,
        selection: reached.selection,
        overheadPercent: round.overheadPercent,
      });
      await input.onRound(round, reached);
    },
  };
  const watched = new RunBench(context).watched<LoopResult>(folder, plan, async (experiment, running) => {
    const job = new WatchedJob(plan, localProcesses(plan.sockets(experiment), plan.token), signal);
    try {
      await job.attach(running);
      const bench = new WindowBench(job, plan, {
        directory,
        sites: input.sites,
        windowSeconds,
        overheadPercent: input.overheadPercent,
        experiment: {
          kymoExperiment: 1,
          target: target.name,
          study: context.study,
          parameters: context.parameters,
          ranks: context.ranks,
          command: [plan.program.executable, ...target.run.arguments],
          ...facts,
          buildId: context.buildId,
          exitStatus: 0,
        },
      });
      const loop = await withBestRound(looped, bench, await refinementLoop(looped, bench), tried, note);
      if (loop.iterations.every(({ visits }) => visits === 0)) note(nothingCalled);
      return loop;
    } catch (error) {
      unlessEnded(error);
      if (state === undefined)
        throw new KymoError(
          'not-watchable',
          `The program ended before the first round of ${windowSeconds} s was complete. Give it more to do, choose shorter rounds with --window, or refine without --online.`,
          {},
          { cause: error },
        );
      const final = await finalOfEnded(input, state, tried, note);
      return { ...state, selection: final.selection, final, stopReason: 'program-ended', spentSeconds };
    } finally {
      job.close();
    }
  });
  const { answer } = await watched.catch((error: unknown) => {
    throw signal.aborted ? cancelled(error) : error;
  });
  return answer;
}

function cancelled(cause: unknown): KymoError {
  return new KymoError(
    'run-cancelled',
    'Cancelled, and the run was ended, which cannot go on. Complete rounds stay readable; the same command begins anew.',
    {},
    { cause },
  );
}
