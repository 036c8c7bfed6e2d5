import path from 'node:path';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { present } from '../../core/present';
import { severityOf } from '../../core/properties/property';
import { KymoError } from '../../core/errors';
import type { Finding } from '../../core/diagnosis/findings/findings';
import type { Hypothesis } from '../../core/diagnosis/hypotheses/hypothesis';
import { publishedHypotheses } from '../../core/diagnosis/hypotheses/published';
import { writeSearch } from '../../formats/kymo-search/searchFile';
import { checkHypothesis, diagnose, diagnosisOf, type Diagnosis } from '../../workflows/diagnose';
import { hypothesesFor, hypothesesOf } from '../../workflows/diagnosing/hypothesesFor';
import { liveDefaults } from '../../workflows/diagnosing/live/settings';
import { hypothesesFileName } from '../../workflows/diagnosing/hypothesesFile';
import { isSavedSearch, readSavedSearch } from '../../workflows/diagnosing/savedSearch';
import { runDoubts } from '../../workflows/studies/runDoubts';
import { asMeasured } from '../../workflows/studies/profileOrigin';
import type { CliContext, CommandResult, RegisterCommand } from '../execution/context';
import { diagnosisDocument } from '../terminal/diagnosis/diagnosisDocument';
import { diagnosisText, withNotes } from '../terminal/diagnosis/diagnosisText';
import { readProfileInput, writeWhole } from '../arguments/inputs';
import { assignment, nonNegative, positiveInteger, positiveSeconds, share } from '../arguments/options';
import { diagnoseRunning, strategies, type RunningFlags } from './watching/diagnoseRunning';

interface DiagnoseFlags extends RunningFlags {
  readonly hypotheses?: string;
  readonly threshold?: Readonly<Record<string, string>>;
  readonly tree?: boolean;
  readonly export?: string;
  readonly failOn?: readonly string[];
  readonly failAbove?: number;
}

const runningOptions = [
  'strategy',
  'deepStart',
  'costLimit',
  'concludeAfter',
  'seconds',
  'ranks',
  'parameter',
] as const;

/** The word that stands for the hypotheses as they were published, in place of a file. */
const published = 'published';
/** The word that stands for all hypotheses but those that only say where the program computes. */
const any = 'any';

/** `kymo diagnose`: searches why and where a program is slow, in finished measurements. */
export const registerDiagnose: RegisterCommand = (program, run) => {
  program
    .command('diagnose [input...]')
    .description(
      'searches why and where a program is slow, in a profile, an experiment or a study, or in several runs of one program together; or shows a search that was exported. Without an input: in the program while it runs, in a run that is under way or else in a new one',
    )
    .option(
      '--hypotheses <file>',
      `hypotheses of one's own beside the usual ones (default: ${hypothesesFileName} of the measurement’s workspace, or of this one), or "${published}"`,
    )
    .option('--threshold <name=value>', 'another threshold of a hypothesis; can be repeated', thresholds)
    .option('--tree', 'also print all experiments of the search')
    .option('--export <file>', 'write the whole search to this file, as JSON')
    .option(
      '--fail-on <hypothesis...>',
      `exit with status 3 when one of these hypotheses holds anywhere ("${any}": each but CPU bound)`,
    )
    .option(
      '--fail-above <percent>',
      'exit with status 3 when a finding is more severe; that a place computes (CPU bound) is no problem and counts with --fail-on CPUBound only',
      nonNegative,
    )
    .addOption(
      new Option(
        '--strategy <name>',
        'while it runs: who searches. ca: one search of all processes; pda: one of the whole program, and each host its own part; tda: each host by itself (default: pda)',
      ).choices(Object.keys(strategies)),
    )
    .option(
      '--deep-start [share]',
      'while it runs: test functions early that are in more than this share (0 to 1) of stack samples (default: 0.2)',
      share,
    )
    .option(
      '--cost-limit <percent>',
      `while it runs: processor time that recording for the search may take (default: ${100 * liveDefaults.costLimit})`,
      costLimit,
    )
    .option(
      '--conclude-after <seconds>',
      `while it runs: how long values have to agree (default: ${liveDefaults.concludeAfter})`,
      concludeAfter,
    )
    .option(
      '--seconds <number>',
      'while it runs: end the search then (default: with the program)',
      positiveSeconds,
    )
    .option(
      '--ranks <number>',
      'of a new run: number of MPI ranks in place of the one in kymo.json',
      positiveInteger,
    )
    .option(
      '--parameter <name=value>',
      'of a new run: value of a parameter of kymo.json; repeatable',
      assignment,
    )
    .action(async (inputs: readonly string[], _: unknown, command: Command) => {
      const flags = command.opts<DiagnoseFlags>();
      if (inputs.length > 0) await run((context) => diagnoseInputs(inputs, flags, context));
      else await run((context) => diagnoseLive(flags, context), { outlivesTerminal: true });
    });
};

async function diagnoseInputs(
  given: readonly string[],
  flags: DiagnoseFlags,
  context: CliContext,
): Promise<CommandResult> {
  const running = runningOptions.find((name) => flags[name] !== undefined);
  if (running !== undefined)
    throw new KymoError(
      'usage',
      `--${running.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} is for a search in a running program: leave out ${given.join(' ')} to search there.`,
    );
  const found = given.some(isSavedSearch)
    ? await savedDiagnosis(given, flags)
    : await measuredDiagnosis(given, flags, context);
  return resultOf(found, flags);
}

/** In a program while it runs. */
async function diagnoseLive(flags: DiagnoseFlags, context: CliContext): Promise<CommandResult> {
  if (flags.hypotheses !== undefined)
    throw new KymoError(
      'usage',
      `The hypotheses of a search in a running program are those of ${hypothesesFileName} in its workspace: leave out --hypotheses.`,
    );
  const hypotheses = await hypothesesFor(context.workspace, context.workspace);
  checkFailOn(flags, hypotheses);
  const changed = numbersOf(flags.threshold ?? {});
  for (const id of Object.keys(changed))
    checkHypothesis(
      id,
      hypotheses.map((one) => one.id),
    );
  const { found, folder, run } = await diagnoseRunning(flags, changed, context);
  const { result, text, limitExceeded = false } = resultOf(found, flags);
  return {
    result: { ...result, folder, ...present({ measurement: run }) },
    text: withNotes(text, run?.notes),
    limitExceeded,
  };
}

function resultOf(found: Diagnosis, flags: DiagnoseFlags): CommandResult & { readonly result: object } {
  if (flags.export !== undefined) writeWhole(path.resolve(flags.export), [writeSearch(found.record)]);
  const text = [diagnosisText(found, flags.tree === true), ...notCounted(found, flags)].join('\n\n');
  return {
    result: diagnosisDocument(found),
    text: flags.export === undefined ? text : `${text}\n\nWritten to ${flags.export}.`,
    limitExceeded: isExceeded(found, flags),
  };
}

async function measuredDiagnosis(
  given: readonly string[],
  flags: DiagnoseFlags,
  context: CliContext,
): Promise<Diagnosis> {
  const hypotheses = await chosenHypotheses(given[0] ?? '', flags, context);
  checkFailOn(flags, hypotheses);
  const inputs = [];
  const experiments = [];
  for (const file of given) {
    const { profile, origin } = await readProfileInput(file);
    inputs.push(asMeasured(profile, origin));
    experiments.push(origin.experiment);
  }
  const found = diagnose({ inputs, hypotheses, thresholds: numbersOf(flags.threshold ?? {}) });
  const doubts = experiments.flatMap((experiment) => runDoubts(experiment, found.base, found.threads));
  return { ...found, doubts: [...new Set(doubts)] };
}

/** @throws KymoError `usage` for what only a measurement can answer, and the errors of search files */
async function savedDiagnosis(given: readonly string[], flags: DiagnoseFlags): Promise<Diagnosis> {
  const [file = '', ...others] = given;
  if (others.length > 0 || flags.threshold !== undefined || flags.hypotheses !== undefined)
    throw new KymoError(
      'usage',
      `${given.find(isSavedSearch) ?? file} is a saved search: it is shown by itself and as it was. To search with other inputs, thresholds or hypotheses, give measurements.`,
      { file },
    );
  const record = await readSavedSearch(path.resolve(file));
  checkFailOn(flags, record.hypotheses);
  const found = diagnosisOf(record);
  return { ...found, doubts: runDoubts(undefined, found.base, found.threads) };
}

function checkFailOn({ failOn = [] }: DiagnoseFlags, hypotheses: readonly Hypothesis[]): void {
  const ids = hypotheses.map(({ id }) => id);
  for (const id of failOn) if (id !== any) checkHypothesis(id, ids);
}

async function chosenHypotheses(
  input: string,
  { hypotheses: named }: DiagnoseFlags,
  { workspace }: CliContext,
): Promise<readonly Hypothesis[]> {
  if (named === published) return publishedHypotheses;
  return named === undefined ? hypothesesFor(input, workspace) : hypothesesOf(path.resolve(named));
}

/** With `--fail-on`, of these hypotheses; else of all. */
function isExceeded({ findings }: Diagnosis, { failOn, failAbove }: DiagnoseFlags): boolean {
  if (failOn === undefined && failAbove === undefined) return false;
  const names = failOn ?? [any];
  return findings.some(
    (finding) =>
      (names.includes(finding.hypothesis) || (names.includes(any) && !isComputing(finding))) &&
      isAbove(finding, failAbove),
  );
}

function isAbove({ property }: Finding, percent = -1): boolean {
  return severityOf(property) * 100 > percent;
}

/** That a place computes is no problem. */
function isComputing({ property }: Finding): boolean {
  return property.kind === 'diagnosis-computing';
}

/** Why the exit status is 0 although a finding above the limit is printed. */
function notCounted({ findings }: Diagnosis, { failOn, failAbove }: DiagnoseFlags): readonly string[] {
  if (failAbove === undefined || failOn !== undefined) return [];
  return findings.some((finding) => isComputing(finding) && isAbove(finding, failAbove))
    ? [
        '--fail-above does not count findings on computing (CPU bound), which are no problem by themselves: --fail-on CPUBound counts them.',
      ]
    : [];
}

/** Commander's parser of a repeatable `NAME=VALUE`. */
function thresholds(
  text: string,
  before?: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const value = text.slice(text.indexOf('=') + 1);
  const isNumber = /^\s*\d+(\.\d*)?(e[+-]?\d+)?\s*%?\s*$/i.test(value);
  if (!isNumber || !Number.isFinite(Number.parseFloat(value)))
    throw new InvalidArgumentError(
      'It must be NAME=VALUE with a number from 0 on, such as CPUBound=0.5 or CPUBound=50%.',
    );
  return assignment(text, before);
}

function numbersOf(given: Readonly<Record<string, string>>): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(given).map(([id, text]) => [
      id.trim(),
      text.trim().endsWith('%') ? Number(text.trim().slice(0, -1)) / 100 : Number(text),
    ]),
  );
}

function costLimit(text: string): number {
  const value = positiveSeconds(text);
  if (value > 90) throw new InvalidArgumentError('It must be a number above 0 and at most 90.');
  return value;
}

function concludeAfter(text: string): number {
  const value = positiveSeconds(text);
  if (value < 1 || value > 3600) throw new InvalidArgumentError('It must be a number from 1 to 3600.');
  return value;
}
