import { createHash } from 'node:crypto';
import path from 'node:path';
import { KymoError } from '../core/errors';
import { roundName, runName } from '../core/functions/base';
import { silent, type ProgressSink } from '../core/progress';
import { DynamicsAnalysis } from '../core/degradations/analysis';
import { catalogue } from '../core/rules/catalogue';
import { defaultDynamicsOptions, defaultsOf, type DynamicsOptions } from '../core/degradations/model/options';
import { isStatic, type Rule } from '../core/rules/rule';
import { openProfileFile } from '../measurement/experiments/profileFile';
import { analysisLog, sha256Of } from './dynamics/analysisLog';
import { inputFiles } from './dynamics/inputFile';
import { noIterations, openInput, type OpenedInput } from './dynamics/openInput';
import { isReport, readReport, type StoredReport } from './dynamics/report';
import { readRules } from './dynamics/rulesFile';
import { combined } from './dynamics/repetitions';
import { namingWrongFile } from './dynamics/wrongFile';
import type { DynamicsContext, DynamicsRequest, DynamicsRun } from './dynamics/dynamics.types';
import { isFile } from '../measurement/files/isFile';
import { readRegularFile } from '../measurement/files/regularFile';

/**
 * Analyses the changes over the iterations of a run. Reads its series burst by burst, so that memory does not depend on the number of
 * iterations. Can be cancelled within a burst or a series.
 *
 * @throws KymoError `no-iterations` (the message explains how to mark a phase), `usage`, and the errors of reading and of rules
 */
export async function runDynamics(asked: DynamicsRequest, context: DynamicsContext): Promise<DynamicsRun> {
  const { signal, progress = silent } = context;
  const request = await reopened(asked, progress);
  const { method = defaultDynamicsOptions.method } = request.options ?? {};
  const options = checked({ ...defaultsOf(method), ...request.options });
  const rules = await rulesOf(request);
  const inputs = await openAll(request, metricsOf(rules.rules));
  try {
    const { source, repetitions, notes } = await combined(inputs);
    const switches = inputs.flatMap((input) => input.switches ?? []);
    const analysis = new DynamicsAnalysis(options, rules.rules, {}, switches);
    const iterations = expectedIterations(source.iterations, options.duration);
    const reading = new ToldProgress(progress);
    const analysing = new ToldProgress(progress);
    for await (const burst of source.bursts(options.burst)) {
      signal?.throwIfAborted();
      analysis.addBurst(burst);
      const done = burst.first + burst.length;
      const fraction = iterations === undefined || iterations === 0 ? undefined : (0.5 * done) / iterations;
      reading.report(`read ${done} iterations of ${burst.series.length} series`, fraction);
      if (options.duration > 0 && done >= options.duration) break;
    }
    const findings = await analysis.finishInSteps(async (done, all) => {
      analysing.report(`analysed ${done} of ${all} series`, 0.5 + (0.5 * done) / all);
      await new Promise((resolve) => setImmediate(resolve));
      signal?.throwIfAborted();
    }, source.unit);
    if (findings.iterations === 0)
      throw noIterations(
        `${inputs.map(({ file }) => file).join(', ')}: no iterations`,
        inputs[0]?.file ?? '',
      );
    const origin = { run: runOf(repetitions), analysis: 'dynamics' };
    const result = {
      ...findings,
      properties: findings.properties.map((property) => ({ ...property, origin })),
      notes: [
        ...new Set(inputs.flatMap((input) => input.notes)),
        ...notes(findings.iterations),
        ...findings.notes,
      ],
    };
    const made = { request, options, ...(rules.file === undefined ? {} : { rules: rules.file }) };
    return { result, log: await analysisLog(inputs, made, context.workspace) };
  } finally {
    for (const input of inputs) input.close();
  }
}

/** The name of the run: `i3.r1` in a study, `i3` of several repetitions there; else the name of the (first) file. */
function runOf(repetitions: readonly (readonly OpenedInput[])[]): string {
  const { experiment, file = '' } = repetitions[0]?.[0] ?? {};
  if (experiment === undefined) return path.basename(file);
  const { iteration, repetition } = experiment;
  return repetitions.length > 1 ? roundName(iteration) : runName(iteration, repetition);
}

/** Reports each twentieth of the work, or each doubling if its size is unknown. */
class ToldProgress {
  private steps = -1;
  private calls = 0;
  private nextCall = 1;

  constructor(private readonly progress: ProgressSink) {}

  report(message: string, fraction: number | undefined): void {
    this.calls++;
    const steps = fraction === undefined ? -1 : Math.floor(fraction * 20);
    const isDue = fraction === undefined ? this.calls >= this.nextCall : steps > this.steps;
    if (!isDue) return;
    this.steps = steps;
    this.nextCall = this.calls * 2;
    this.progress.report({ message, ...(fraction === undefined ? {} : { fraction }) });
  }
}

function expectedIterations(iterations: number | undefined, duration: number): number | undefined {
  return iterations === undefined || duration === 0 ? iterations : Math.min(iterations, duration);
}

/** Maximum size of a file with rules; any file written by a person is smaller. */
const mostRuleBytes = 16 << 20;

/** The built-in rules, with those of a file if one is given. */
async function rulesOf({ rules: file }: DynamicsRequest): Promise<{
  readonly rules: readonly Rule[];
  readonly file?: { readonly file: string; readonly sha256: string };
}> {
  if (file === undefined) return { rules: catalogue };
  try {
    const text = (await readRegularFile(file, mostRuleBytes)).toString('utf8');
    const sha256 = createHash('sha256').update(text).digest('hex');
    return { rules: readRules(text, file), file: { file, sha256 } };
  } catch (error) {
    if (error instanceof KymoError || !(error instanceof Error)) throw error;
    throw new KymoError(
      'file-unusable',
      `The rules in ${file} cannot be read: ${error.message}. Give another file, or none.`,
      { file },
      { cause: error },
    );
  }
}

/** Metrics that a rule uses; the others are not read. */
function metricsOf(rules: readonly Rule[]): readonly string[] {
  return [...new Set(['time', ...rules.filter(isStatic).flatMap(({ metrics }) => metrics)])];
}

function checked(options: DynamicsOptions): DynamicsOptions {
  const { burst, duration } = options;
  if (!Number.isSafeInteger(burst) || burst < 16 || burst > 2 ** 20 || Math.log2(burst) % 1 !== 0)
    throw new KymoError(
      'usage',
      `A burst of ${burst} iterations is not possible: give 16, 32, 64 … or 1048576.`,
    );
  if (!Number.isSafeInteger(duration) || duration < 0)
    throw new KymoError('usage', 'The number of iterations to analyse must be whole: 0 (all) or more.');
  return options;
}

/** A report repeats its own request; options given now take precedence. */
async function reopened(asked: DynamicsRequest, progress: ProgressSink): Promise<DynamicsRequest> {
  const [only] = asked.inputs;
  if (only === undefined || asked.inputs.length > 1 || !(await isFile(only))) return asked;
  const report = reportIn(only);
  if (report === undefined) return asked;
  const { request, sha256 } = report;
  for (const [file, was] of sha256)
    if (hashOf(file) !== was) progress.log(`${file} has changed since ${only} was made.`);
  return { ...request, ...asked, inputs: request.inputs, options: { ...request.options, ...asked.options } };
}

function reportIn(file: string): StoredReport | undefined {
  return withBytes(file, ({ source }) =>
    isReport(source) ? namingWrongFile(source, file, () => readReport(source, file)) : undefined,
  );
}

function hashOf(file: string): string {
  return withBytes(file, ({ source }) => sha256Of(source));
}

function withBytes<T>(file: string, action: (opened: ReturnType<typeof openProfileFile>) => T): T {
  const opened = openProfileFile(file);
  try {
    return action(opened);
  } finally {
    opened.close();
  }
}

async function openAll(
  request: DynamicsRequest,
  metrics: readonly string[],
): Promise<readonly OpenedInput[]> {
  const { callPaths = false, inclusive = false, phase } = request;
  const choice = { callPaths, inclusive, metrics, ...(phase === undefined ? {} : { phase }) };
  const opened: OpenedInput[] = [];
  try {
    for (const given of request.inputs)
      for (const file of await inputFiles(given)) opened.push(await openInput(file, choice));
    return opened;
  } catch (error) {
    for (const input of opened) input.close();
    throw error;
  }
}
