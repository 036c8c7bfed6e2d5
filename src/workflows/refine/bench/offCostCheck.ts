import {
  estimateOffCost,
  fewerProbes,
  mayExceed,
  offLimitPercent,
  type OffCost,
} from '../../../core/knowledge/offCost';
import { formatPercent, formatSeconds } from '../../../core/format';
import { median } from '../../../core/cost/overhead';
import type { Backend, PrepareOptions, Prepared } from '../../../measurement/backends/common/backend';
import { buildVanilla } from '../../../measurement/backends/common/buildSteps';
import type { VanillaComparison } from '../../studies/refine.types';
import type { LoopResult } from '../loop/loop.types';
import type { RunContext } from './runContext';
import { compareVanilla, costsTooMuch, pairsWithin } from './vanilla';

export interface OffCostOptions {
  readonly backend: Backend;
  /** Minimum number of statements of functions with probes in this build. */
  readonly prepareOptions: (minimumStatements: number) => PrepareOptions;
  readonly runContext: (prepared: Prepared) => Promise<RunContext>;
  /** Condition for a comparison with a vanilla build. */
  readonly compare: 'always' | 'in doubt' | 'never';
  readonly note: (sentence: string) => void;
}

export interface OffCostReport {
  /** The build with sites that is now in the workspace. */
  readonly prepared: Prepared;
  readonly offCost?: OffCost;
  readonly vanilla?: VanillaComparison;
  /** Idle patch points cost too much: the build to measure instead. */
  readonly minimumStatements?: number;
}

/**
 * Checks the cost of idle sites in the measured program. The number of visits is known after the rounds, so the cost is first estimated; a
 * vanilla build is made for comparison only if the estimate cannot exclude that the limit is exceeded.
 */
export class OffCostCheck {
  /** Builds that only served the comparison, also those without sites. */
  builds = 0;
  buildSeconds = 0;
  private vanillaExecutable: string | undefined;
  private hasProposed = false;

  constructor(private readonly options: OffCostOptions) {}

  /** Prepares a requested comparison before the program is built with sites, which saves a second build. */
  async begin(minimumStatements: number): Promise<void> {
    const { compare, backend, note, prepareOptions } = this.options;
    if (compare !== 'always' || this.vanillaExecutable !== undefined) return;
    if (backend.name === 'kymo') await this.buildVanilla(prepareOptions(minimumStatements));
    else note('With Score-P the baseline is the vanilla build already, so nothing else is compared.');
  }

  async end(prepared: Prepared, loop: LoopResult, minimumStatements: number): Promise<OffCostReport> {
    if (this.options.backend.name !== 'kymo') return { prepared };
    const { sites } = prepared;
    const input = { ...loop, sites };
    const offCost = estimateOffCost(input);
    const looks = this.looksAt(offCost, loop, minimumStatements);
    if (looks.length === 0) return { prepared, offCost };
    const program = await this.besideVanilla(prepared, minimumStatements, offCost);
    const vanilla = await compareVanilla(
      await this.options.runContext(program),
      this.vanillaExecutable ?? '',
      looks,
    );
    const report = { prepared: program, offCost, vanilla };
    if (!costsTooMuch(vanilla) || !this.options.prepareOptions(minimumStatements).probes) return report;
    const fewer = fewerProbes(input, vanilla.sitesPercent);
    // Only once: the remaining cost of fewer probes is reported and not reduced again.
    if (this.hasProposed || fewer <= minimumStatements) return report;
    this.hasProposed = true;
    this.options.note(
      `Idle patch points cost ${formatPercent(vanilla.sitesPercent / 100)} of the run, so the program was built a second time with probes only in functions of ${fewer / 10} statements or more with a loop, and of ${2 * fewer} without, and measured again.`,
    );
    return { ...report, minimumStatements: fewer };
  }

  /** Numbers of pairs of runs after which the comparison is evaluated; none: no comparison. */
  private looksAt(offCost: OffCost, loop: LoopResult, minimumStatements: number): readonly number[] {
    const { compare, note, prepareOptions } = this.options;
    const { probes, target } = prepareOptions(minimumStatements);
    const left = target.refinement.budgetSeconds - loop.spentSeconds;
    const within = (seconds: number): readonly number[] =>
      pairsWithin(seconds, median(loop.baselineSeconds), mayExceed(offCost));
    // A requested comparison is made at any cost.
    if (this.vanillaExecutable !== undefined) return within(compare === 'always' ? Infinity : left);
    // The number of entries alone cannot be reduced.
    if (compare === 'never' || !mayExceed(offCost) || !probes) return [];
    const looks = within(left);
    if (looks.length > 0 && target.build.clean !== undefined) return looks;
    const remedy =
      looks.length === 0
        ? 'use --vanilla or a larger time budget'
        : 'add the target’s "clean" command to "build" in kymo.json';
    note(
      `Idle patch points may cost more than ${offLimitPercent} %. To have that measured against a build without them, ${remedy}.`,
    );
    return [];
  }

  /** Builds both programs: the vanilla build replaces the one with sites, which is then built again. */
  private async besideVanilla(
    prepared: Prepared,
    minimumStatements: number,
    { mostPercent }: OffCost,
  ): Promise<Prepared> {
    if (this.vanillaExecutable !== undefined) return prepared;
    const { backend, prepareOptions } = this.options;
    const options = prepareOptions(minimumStatements);
    options.progress.log(
      `Idle patch points may cost up to ${formatPercent(mostPercent / 100)} of the run, and the limit is ${offLimitPercent} %. To measure that, the program is built without them, and then with them again; a build took ${formatSeconds(prepared.buildSeconds)}.`,
    );
    await this.buildVanilla(options);
    this.discard(prepared);
    return backend.prepare(options);
  }

  private async buildVanilla(options: PrepareOptions): Promise<void> {
    const { executable, seconds } = await buildVanilla(options);
    this.vanillaExecutable = executable;
    this.discard({ builds: 1, buildSeconds: seconds });
  }

  /** Counts a build that another one replaces. */
  discard({ builds, buildSeconds }: Pick<Prepared, 'builds' | 'buildSeconds'>): void {
    this.builds += builds;
    this.buildSeconds += buildSeconds;
  }
}
