import path from 'node:path';
import { getOrMake } from '../../../core/getOrMake';
import { KymoError } from '../../../core/errors';
import { median } from '../../../core/cost/overhead';
import { decisionClock, secondsBy, type RunTime } from '../../../core/cost/runTime';
import { present } from '../../../core/present';
import type { ProgressSink } from '../../../core/progress';
import type { Selection } from '../../../core/selection/selection';
import { coordinatesKey, coordinateValue, type StudyCoordinates } from '../../../core/study/points';
import { experimentName } from '../../../measurement/experiments/experimentName';
import { roundDirectory } from '../../../measurement/experiments/studies';
import { measurePoints } from '../../study/measurePoints';
import {
  readParameterStudy,
  saveParameterStudy,
  type ParameterStudyFile,
} from '../../study/parameterStudyFile';
import { runAtPoint, type PointRun, type StudyPlan } from '../../study/planStudy';
import type { Evidence } from '../loop/digest';
import type { Bench, MeasuredRun } from '../loop/loop.types';

/** The program from the view of a refinement over points. */
export interface PointsBench {
  readonly plan: StudyPlan;
  /** Prepares the runs of a round, for all points. */
  readonly preparePlan: (round: number, selection: Selection) => Promise<void>;
  readonly at: (point: PointRun, coordinates: StudyCoordinates) => Pick<Bench, 'baseline' | 'measured'>;
}

export interface RoundsInput {
  readonly bench: PointsBench;
  readonly target: string;
  /** The study's folder and name. */
  readonly directory: string;
  readonly study: string;
  readonly buildId: string;
  readonly signal: AbortSignal;
  readonly progress: ProgressSink;
}

/** The runs of a round at one point. */
export interface PointEvidence extends Evidence {
  readonly coordinates: StudyCoordinates;
  /** Name of the folder of each measured run. */
  readonly folders: readonly string[];
}

/** Number of baseline runs that count, at least the repetitions: older runs met another state of the machine. */
const leastBaselines = 3;

/**
 * Runs of a refinement whose rounds measure all points of a study. Each round is a study over parameters in its folder `i<N>`, and goes on as
 * one. The baseline runs of the first round take turns with its measured ones; each later round adds one at each point, so that all rounds
 * together take little longer than their measured runs.
 */
export class PointRounds {
  spentSeconds = 0;
  lastSeconds = 0;
  /** By point and number of the run. */
  private longest: string | undefined;
  private readonly baselines = new Map<string, Map<number, RunTime>>();

  constructor(private readonly input: RoundsInput) {}

  /** The runs by point, the longest first. @throws KymoError `no-results` when the program failed at all points */
  async measure(index: number, selection: Selection): Promise<readonly PointEvidence[]> {
    const { bench, directory, signal, progress } = this.input;
    const before = this.spentSeconds;
    await bench.preparePlan(index, selection);
    const seen = new Map<string, MeasuredRun>();
    const run = async (coordinates: StudyCoordinates, repetition: number): Promise<MeasuredRun> => {
      const measured = await this.runBoth(index, selection, coordinates, repetition);
      seen.set(folderOf(coordinates, repetition), measured);
      return measured;
    };
    const folder = roundDirectory(directory, index);
    const file = await measurePoints({
      file: await this.fileOf(index, folder),
      constants: bench.plan.constants,
      runProgram: async (coordinates, _, repetition) => {
        const { wallSeconds } = await run(coordinates, repetition);
        return { wallSeconds, folder: folderOf(coordinates, repetition) };
      },
      save: (changed) => saveParameterStudy(folder, changed),
      signal,
      progress: {
        ...progress,
        report: (part) => {
          progress.report({ ...part, message: `Round ${index}: ${part.message}` });
        },
      },
    });
    const evidence: PointEvidence[] = [];
    for (const { coordinates, runs, failure } of file.points) {
      if (failure !== undefined) continue;
      const measured: MeasuredRun[] = [];
      const numbers = runs.map(({ repetition }) => repetition).sort((a, b) => a - b);
      // What an interrupted command completed is read from its folders.
      for (const repetition of numbers)
        measured.push(seen.get(folderOf(coordinates, repetition)) ?? (await run(coordinates, repetition)));
      const folders = numbers.map((repetition) => folderOf(coordinates, repetition));
      evidence.push({ coordinates, folders, measured, ...this.besideOf(index, coordinates) });
    }
    if (evidence.length === 0)
      throw new KymoError(
        'no-results',
        `The program failed at all points: ${file.points[0]?.failure?.message ?? ''}`,
      );
    this.lastSeconds = this.spentSeconds - before;
    evidence.sort((a, b) => baselineSecondsOf(b) - baselineSecondsOf(a));
    // The same one in all rounds, so that what is known of functions is of one point.
    const keys = evidence.map(({ coordinates }) => coordinatesKey(coordinates));
    this.longest = keys.find((key) => key === this.longest) ?? keys[0];
    const [longest = evidence[0]] = evidence.splice(keys.indexOf(this.longest ?? ''), 1);
    return longest === undefined ? evidence : [longest, ...evidence];
  }

  /** A measured run and, where one is due, a baseline run, in alternating order. */
  private async runBoth(
    index: number,
    selection: Selection,
    coordinates: StudyCoordinates,
    repetition: number,
  ): Promise<MeasuredRun> {
    const { bench } = this.input;
    const { repetitions } = bench.plan;
    const here = bench.at(runAtPoint(bench.plan, coordinates), coordinates);
    const due = index === 0 ? repetition : repetition === 1 ? repetitions + index : undefined;
    const baseline = async (): Promise<void> => {
      const runs = getOrMake(this.baselines, coordinatesKey(coordinates), () => new Map());
      if (due === undefined || runs.has(due)) return;
      const time = await here.baseline(due);
      runs.set(due, time);
      this.spentSeconds += time.wallSeconds;
    };
    if (repetition % 2 === 1) await baseline();
    const measured = await here.measured(index, repetition, selection);
    this.spentSeconds += measured.wallSeconds;
    await baseline();
    return measured;
  }

  private besideOf(
    index: number,
    coordinates: StudyCoordinates,
  ): Pick<Evidence, 'beside' | 'paired' | 'baselines'> {
    const runs = this.baselines.get(coordinatesKey(coordinates)) ?? new Map<number, RunTime>();
    const all = [...runs].sort(([a], [b]) => a - b).map(([, time]) => time);
    if (index === 0) return { beside: all, paired: true, baselines: all };
    const { repetitions } = this.input.bench.plan;
    return { beside: all.slice(-Math.max(leastBaselines, repetitions)), paired: false, baselines: all };
  }

  private async fileOf(index: number, folder: string): Promise<ParameterStudyFile> {
    const { bench, target, study, buildId } = this.input;
    const { plan } = bench;
    const begun = await readParameterStudy(folder).catch(() => undefined);
    if (begun?.buildId === buildId) return begun;
    return {
      kymoParameterStudy: 1,
      target,
      study: path.join(study, path.basename(folder)),
      startedAt: new Date().toISOString(),
      variant: 'measured',
      fingerprint: '',
      buildId,
      selection: '',
      design: plan.design,
      repetitions: plan.repetitions,
      seed: index,
      ...present({ ranksName: plan.ranksName, threadsName: plan.threadsName }),
      points: plan.points.map((coordinates) => ({ coordinates, planned: true, runs: [] })),
    };
  }
}

export function folderOf(coordinates: StudyCoordinates, repetition: number): string {
  return experimentName('measured', coordinates, repetition);
}

/** Median time with nothing recorded, by the clock of all runs of the point. */
export function baselineSecondsOf({ measured, beside }: Pick<Evidence, 'measured' | 'beside'>): number {
  const clock = decisionClock([...measured, ...beside]);
  return median(beside.map((run) => secondsBy(clock, run)));
}

/** Orders points before they are measured: the product of the values. */
export function sizeOf(coordinates: StudyCoordinates): number {
  return Object.values(coordinates).reduce((size, text) => size * (coordinateValue(text) || 1), 1);
}
