import path from 'node:path';
import { existsSync } from 'node:fs';
import { compareSides, type ComparedSides } from '../core/compare/sides';
import { KymoError } from '../core/errors';
import { figureNames } from '../core/gate/figures';
import {
  gateOf,
  mayBeRegression,
  verdictOfAll,
  type GateEntry,
  type MeasuredFigures,
  type RunFigure,
} from '../core/gate/gate';
import { functionGrowth } from '../core/gate/growth';
import type { DifferenceOfSides } from '../core/gate/differences';
import type { GatedSide, GateReport } from '../core/gate/report';
import type { GateSide } from '../core/gate/side';
import type { Verdict } from '../core/gate/verdict';
import { entrySentence, signed, wholeSentence } from '../core/gate/words';
import { present } from '../core/present';
import { silent, type ProgressSink } from '../core/progress';
import { writeBaseline } from '../formats/kymo-baseline/baselineFile';
import { lockStudy } from '../measurement/experiments/studyLock';
import type { GateSettings, Target } from '../measurement/config/config';
import { writeFileAtomically } from '../measurement/files/disk';
import { makeOwnFolder } from '../measurement/files/ownFiles';
import { gateFolder, commitNamed } from './gating/baselineTree';
import { missingInputsSentence } from './gating/missingInputs';
import { measureByTurns } from './measureByTurns';
import { incomparable, itself } from './gating/comparable';
import { areParameterStudies, scalingEntries } from './scalingGate';
import { readSide } from './gating/sides';
import { recordedNames } from './gating/recordedNames';
import { measure, type MeasureOptions } from './measure';
import { refine } from './refine';
import { measurableTarget } from './targets/measurableTarget';

export interface GateOptions {
  readonly workspace: string;
  readonly target?: string;
  /** Folder of a measurement, a baseline file, or a git revision; default: that of kymo.json. */
  readonly baseline?: string;
  /** Folder of a measurement, or a baseline file; default: the workspace is built and measured now. */
  readonly candidate?: string;
  /** Of each side that is measured now. */
  readonly repetitions?: number;
  /** Relative change of a time from which on it matters. */
  readonly minimumChange?: number;
  /** What may differ between the sides. */
  readonly allow: readonly DifferenceOfSides[];
  readonly filter?: string;
  readonly signal: AbortSignal;
  readonly progress?: ProgressSink;
}

const cannotCompare =
  'Cannot tell: the baseline and the candidate cannot be compared. Measure both alike, best by turns: kymo gate --baseline REVISION.';

/** In percent of the run: what recording costs is uncertain, and so it limits which changes can be told. */
const mostOverheadPercent = 2;

/** Changes of a function by a smaller share of the run do not matter. */
const leastStake = 0.005;

/**
 * Judges whether the candidate is worse than the baseline. What is a git revision is built and measured by turns with the candidate.
 * @throws KymoError for all that a user can fix; `study-locked` while another gate is under way
 */
export async function gate(options: GateOptions): Promise<GateReport> {
  const { progress = silent, signal } = options;
  const { workspace, target } = await measurableTarget(options);
  const settings = target.gate;
  const wanted = options.baseline ?? settings.baseline;
  if (wanted === undefined)
    throw new KymoError(
      'usage',
      'What is the candidate to be compared with? Give --baseline: a git revision such as origin/main, the folder of a measurement, or a file that "kymo gate --save" wrote.',
    );
  const lock = await lockStudy(gateFolder(workspace));
  try {
    const inputs = await inputsOf({ ...options, workspace, progress }, target, wanted);
    return await gateMeasured(target, inputs, {
      ...{ allow: options.allow, minimumChange: options.minimumChange ?? settings.minimumChange },
      ...{ signal, progress },
    });
  } finally {
    await lock.release();
  }
}

/**
 * Judges what is measured already. Builds and runs nothing.
 * @throws KymoError the errors of reading
 */
export async function gateMeasured(
  { name, gate: settings }: Pick<Target, 'name' | 'gate'>,
  inputs: Inputs,
  { allow, minimumChange, ...context }: Omit<JudgedHow, 'settings'> & Parameters<typeof scalingEntries>[2],
): Promise<GateReport> {
  if (await areParameterStudies(inputs.baseline, inputs.candidate))
    return scalingReport(name, inputs, context);
  const baseline = await readSide(inputs.baseline, inputs.names[0], context);
  const candidate = await readSide(inputs.candidate, inputs.names[1], context);
  return judged(name, inputs, baseline, candidate, { settings, allow, minimumChange });
}

interface Inputs {
  /** Folders or files. */
  readonly baseline: string;
  readonly candidate: string;
  readonly names: readonly [string, string];
  /** What the program is run with and the commit of the baseline does not have. */
  readonly missing?: readonly string[];
}

async function inputsOf(
  options: GateOptions & { readonly progress: ProgressSink },
  target: Target,
  wanted: string,
): Promise<Inputs> {
  const { workspace, signal, candidate } = options;
  const stored = path.resolve(workspace, wanted);
  const commit = existsSync(stored) ? undefined : await commitNamed(workspace, wanted, signal);
  if (!existsSync(stored) && commit === undefined)
    throw new KymoError(
      'baseline-missing',
      `“${wanted}” is neither a folder or file nor a git revision here. Give the folder of a measurement, a file that "kymo gate --save" wrote, or a revision such as origin/main (in a clone without history: git fetch origin main).`,
    );
  if (commit === undefined) {
    const measured =
      candidate === undefined
        ? (await measure(await measuring(options, target))).directory
        : path.resolve(workspace, candidate);
    return { baseline: stored, candidate: measured, names: [wanted, candidate ?? 'the workspace'] };
  }
  if (candidate !== undefined)
    throw new KymoError(
      'usage',
      'The baseline is a git revision, which is built and measured by turns with the workspace as it is: leave out --candidate, or give the folder of a measurement as --baseline, too.',
    );
  const pair = await measureByTurns(commit, target.run, await measuring(options, target));
  return {
    baseline: pair.baseline.directory,
    candidate: pair.candidate.directory,
    names: [`${wanted} (${commit.slice(0, 12)})`, 'the workspace'],
    missing: pair.missing,
  };
}

/** How both sides are measured. */
async function measuring(
  options: Pick<GateOptions, 'workspace' | 'signal' | 'repetitions' | 'filter'> & {
    readonly progress: ProgressSink;
  },
  target: Target,
): Promise<MeasureOptions & { readonly progress: ProgressSink }> {
  const { workspace, signal, progress } = options;
  const filter =
    options.filter ?? target.gate.filter ?? (await chosenNames(workspace, target, { signal, progress }));
  return {
    ...{ workspace, target: target.name, signal, progress },
    repetitions: options.repetitions ?? target.gate.repetitions,
    ...present({ filter: filter === undefined ? undefined : path.resolve(workspace, filter) }),
  };
}

/** What both sides record: as `recordedNames`, of a refinement that is made now if there is none. */
async function chosenNames(
  workspace: string,
  { name, refinement }: Target,
  context: { readonly signal: AbortSignal; readonly progress: ProgressSink },
): Promise<string | undefined> {
  const known = await recordedNames(workspace, name);
  if (known !== undefined) return known;
  context.progress.log(
    'Nothing is accepted and nothing was refined: a refinement chooses first what to record.',
  );
  const overheadPercent = Math.min(refinement.overheadPercent, mostOverheadPercent);
  await refine({ workspace, target: name, overheadPercent, ...context });
  return recordedNames(workspace, name);
}

interface JudgedHow {
  readonly settings: GateSettings;
  readonly allow: readonly DifferenceOfSides[];
  readonly minimumChange: number;
}

/** The verdict of two sides that were read. */
export function judged(
  target: string,
  inputs: Inputs,
  baseline: GateSide,
  candidate: GateSide,
  { settings: { budgets }, allow, minimumChange }: JudgedHow,
): GateReport {
  const compared = compareSides(baseline, candidate);
  const byTurns = isByTurns(baseline, candidate);
  const differ = incomparable(baseline, candidate, compared);
  const missing = inputs.missing?.length ? [missingInputsSentence(inputs.missing)] : [];
  const refused = differ.filter(({ what }) => what === undefined || !allow.includes(what));
  const head = {
    target,
    sides: [gated(baseline, inputs.baseline), gated(candidate, inputs.candidate)] as const,
    byTurns,
    incomparable: refused.length === 0 ? [] : [...missing, ...refused.map(({ sentence }) => sentence)],
    allowable: refused.every(({ what }) => what !== undefined)
      ? [...new Set(refused.flatMap(({ what }) => what ?? []))]
      : [],
  };
  const allowed = differ
    .filter(({ what }) => what !== undefined && allow.includes(what))
    .map(({ sentence }) => sentence);
  if (refused.length > 0) {
    return { ...head, verdict: 'cannot-tell', sentence: cannotCompare, entries: [], notes: allowed };
  }
  const limits = { minimumChange, leastStake, budgets };
  const { entries, effects, waiting } = gateOf(
    compared,
    byTurns,
    figuresOf(compared, baseline, candidate),
    limits,
  );
  const verdict = verdictOfAll(entries);
  return {
    ...head,
    verdict,
    sentence: wholeSentence(verdict, entries),
    ...reported(entries),
    notes: [
      ...missing,
      ...allowed,
      ...notesOf(compared, byTurns, effects, waiting),
      ...growthNotes(compared, baseline, candidate),
    ],
  };
}

/** Of two studies over parameters, whose times at single points are not compared. */
async function scalingReport(
  target: string,
  { baseline, candidate, names }: Inputs,
  context: Parameters<typeof scalingEntries>[2],
): Promise<GateReport> {
  const isSame = path.resolve(baseline) === path.resolve(candidate);
  const entries = isSame ? [] : await scalingEntries(baseline, candidate, context);
  const verdict = isSame ? 'cannot-tell' : verdictOfAll(entries);
  const side = (which: 0 | 1, input: string): GatedSide => ({ name: names[which], input, runs: 0 });
  return {
    ...{ target, verdict, byTurns: false },
    sentence: isSame ? cannotCompare : wholeSentence(verdict, entries),
    incomparable: isSame ? [itself] : [],
    allowable: [],
    sides: [side(0, baseline), side(1, candidate)],
    ...reported(entries),
    notes: ['Both are studies over parameters: how functions grow is compared, and no single time.'],
  };
}

function reported(entries: readonly GateEntry[]): Pick<GateReport, 'entries'> {
  return {
    entries: [...entries].sort(worstFirst).map((entry) => ({ ...entry, sentence: entrySentence(entry) })),
  };
}

function gated({ name, runs, facts }: GateSide, input: string): GatedSide {
  return { name, input, runs: runs.length, ...present({ facts }) };
}

/** Runs of the same position follow each other before the next pair begins. */
export function isByTurns({ measured: a }: GateSide, { measured: b }: GateSide): boolean {
  if (b === undefined || a?.length !== b.length || b.length < 2) return false;
  const pairs = a.map(({ startedAt }, index) => [startedAt, b[index]?.startedAt ?? ''].sort());
  // Behind all times: nothing follows the last pair.
  return pairs.every(
    ([first = '', last = ''], index) => first < last && last < (pairs[index + 1]?.[0] ?? '~'),
  );
}

function figuresOf(compared: ComparedSides, baseline: GateSide, candidate: GateSide): MeasuredFigures {
  const whole = figureNames.flatMap((criterion): readonly RunFigure[] => {
    const [a, b] = [baseline.figures[criterion], candidate.figures[criterion]];
    return a === undefined || b === undefined ? [] : [{ criterion, values: Float64Array.from([...a, ...b]) }];
  });
  return { whole, growth: functionGrowth(compared, baseline.growth, candidate.growth) };
}

const order: readonly Verdict[] = ['regression', 'cannot-tell', 'improvement', 'no-change'];

/** What decides of the verdict first. Within one the largest part of the run; what is of the whole run before functions. */
function worstFirst(a: GateEntry, b: GateEntry): number {
  return (
    order.indexOf(a.verdict) - order.indexOf(b.verdict) ||
    Number(mayBeRegression(b)) - Number(mayBeRegression(a)) ||
    (b.share ?? 1) - (a.share ?? 1)
  );
}

function notesOf(
  { isOneAfterOther, recordedOnce }: ComparedSides,
  byTurns: boolean,
  { shift, dependence }: { readonly shift: number; readonly dependence: number },
  waiting: readonly string[],
): readonly string[] {
  return [
    ...(byTurns || !isOneAfterOther
      ? []
      : [
          'The candidate was not measured by turns with the baseline, so a machine that changed meanwhile may hide a change, and only large ones are certain. A git revision as the baseline is measured by turns: kymo gate --baseline origin/main',
        ]),
    ...(!Number.isFinite(shift) || Math.abs(shift - 1) < 0.02
      ? []
      : [
          `Most functions changed alike, by ${signed(shift)}: functions are judged beside that, and all functions together with it.`,
        ]),
    ...(dependence === 0
      ? []
      : [
          'Runs that follow each other resemble each other more than chance explains, as on a machine that is busy for a while: intervals are wider for that.',
        ]),
    ...(waiting.length === 0
      ? []
      : [
          'Time in MPI and at barriers depends on other processes and on the machine; it is part of no function that is judged.',
        ]),
    ...recordedOnce.flatMap((names, side) =>
      names.length === 0
        ? []
        : [
            `${String(names.length)} functions were recorded in the ${side === 0 ? 'baseline' : 'candidate'} only; their time is in their callers on both sides.`,
          ],
    ),
  ];
}

/** Why growth over the iterations is not judged, although a side shows it. */
function growthNotes(
  { recordedOnce }: ComparedSides,
  baseline: GateSide,
  candidate: GateSide,
): readonly string[] {
  const [before, after] = [baseline.growth !== undefined, candidate.growth !== undefined];
  if (before !== after)
    return [
      `The ${before ? 'candidate' : 'baseline'} has no iterations, or fewer than four: how the time grows over them is not judged. It takes the same “phase” on both sides.`,
    ];
  return before && recordedOnce.some(({ length }) => length > 0)
    ? [
        'How functions grow over the iterations is not judged one by one, because both sides recorded other functions.',
      ]
    : [];
}

/**
 * Writes a measurement as a baseline that can be committed.
 * @param input folder of a measurement; default: the workspace is measured now
 */
export async function saveBaseline(
  file: string,
  options: Omit<GateOptions, 'baseline' | 'minimumChange' | 'allow'>,
): Promise<{
  readonly file: string;
  readonly runs: number;
  readonly functions: number;
  readonly bytes: number;
}> {
  const { progress = silent, signal, candidate } = options;
  const { workspace, target } = await measurableTarget(options);
  const input =
    candidate === undefined
      ? (await measure(await measuring({ ...options, workspace, progress }, target))).directory
      : path.resolve(workspace, candidate);
  const side = await readSide(input, input, { signal });
  const { facts, measured } = side;
  if (facts === undefined || measured === undefined)
    throw new KymoError(
      'not-comparable',
      `${input} does not say how it was measured, so nothing could be compared with it later. Give the folder of a measurement.`,
      { file: input },
    );
  const text = writeBaseline(side, { facts, measured, root: workspace });
  // As all commands do with the files that they are to write.
  await makeOwnFolder(path.dirname(file));
  await writeFileAtomically(file, text);
  return {
    file,
    runs: side.runs.length,
    functions: new Set(side.runs.flatMap(({ keys }) => keys)).size,
    bytes: Buffer.byteLength(text),
  };
}
