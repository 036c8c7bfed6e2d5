import { Option, type Command } from 'commander';
import type { CallGraph } from '../../core/callgraph/callGraph';
import { KymoError } from '../../core/errors';
import { formatPercent } from '../../core/format';
import { cutoffs, type Cutoff } from '../../core/selection/cutoff';
import { explainReason } from '../../core/selection/explainReason';
import { hotPathSelection } from '../../core/strategies/hotPath';
import { accumulateKnowledge, noKnowledge, type Knowledge } from '../../core/knowledge/knowledge';
import type { Prediction } from '../../core/strategies/nextSelection';
import { nextStep } from '../../core/strategies/nextStep';
import type { PairCosts } from '../../core/cost/pairCost';
import { foldIterations } from '../../core/profile/foldIterations';
import { graphWithProfile } from '../../core/callgraph/profileGraph';
import { regionKeys } from '../../core/callgraph/regionKeys';
import type { Decision, Selection } from '../../core/selection/selection';
import type { SelectionOptions } from '../../core/selection/selectionOptions';
import { overheadReductions, type OverheadReduction } from '../../core/selection/strategy';
import { staticSelection } from '../../core/strategies/staticSelection';
import { readMetaCg } from '../../formats/metacg/read';
import { writeFilter } from '../../formats/scorep-filter/lists/write';
import type { CliContext, CommandResult, RegisterCommand } from '../execution/context';
import { readProfileInput, readText, writeWhole } from '../arguments/inputs';
import { imbalanceSettingNames, imbalanceSettings } from '../terminal/dynamics/imbalanceSettings';
import { assignment, nonNegative } from '../arguments/options';
import { table } from '../terminal/table';

type Strategy = 'static' | 'refine' | 'hot-path' | OverheadReduction | 'imbalance';

const choices = [
  'static',
  'refine',
  'hot-path',
  ...overheadReductions,
  'imbalance',
] as const satisfies readonly Strategy[];

interface SelectFlags {
  readonly graph?: string;
  readonly profile?: readonly string[];
  readonly filter?: string;
  readonly strategy?: Strategy;
  readonly imbalance?: Readonly<Record<string, string>>;
  readonly cutoff: Cutoff;
  readonly loops?: true;
  readonly overhead: number;
  readonly mode: SelectionOptions['mode'];
  readonly baseline?: number;
  readonly pin?: readonly string[];
  readonly exclude?: readonly string[];
}

/** `kymo select`: makes one selection step from files and runs nothing. */
export const registerSelect: RegisterCommand = (program, run) => {
  program
    .command('select')
    .description('selects functions from a call graph and profiles, without running anything')
    .option('--graph <file>', "the program's call graph, MetaCG JSON")
    .option('--profile <path...>', 'measured runs, the oldest first: .cubex files, experiments or studies')
    .option('--filter <file>', 'write the selection as a Score-P filter')
    .addOption(
      new Option(
        '--strategy <name>',
        'static: statements; refine: overhead target; hot-path: PIRA I; tor, por: without each function whose overhead is excessive; imbalance: LIDe, what is unbalanced over ranks and threads',
      ).choices(choices),
    )
    .option(
      '--imbalance <name=value>',
      `parameter of the strategy imbalance; repeatable: ${imbalanceSettingNames}`,
      assignment,
    )
    .addOption(
      new Option('--cutoff <rule>', 'threshold of the static selection')
        .choices(cutoffs)
        .default('unique-median'),
    )
    .option(
      '--loops',
      'static: statements count a hundred times for each loop around them, also around the calls of their function',
    )
    .option(
      '--overhead <percent>',
      'target for the overhead; with tor, por and imbalance the limit for each function',
      nonNegative,
      5,
    )
    .addOption(
      new Option('--mode <mode>', 'whether to include callees of hot functions')
        .choices(['filter-only', 'filter-and-expand'])
        .default('filter-and-expand'),
    )
    .option(
      '--baseline <seconds>',
      'run time with nothing recorded (default: time of the profile without its overhead)',
      nonNegative,
    )
    .option('--pin <function...>', 'functions to record at any cost')
    .option('--exclude <function...>', 'functions that are not recorded')
    .action(async (_: unknown, command: Command) => {
      await run((context) => select(command.opts<SelectFlags>(), context));
    });
};

interface Step {
  readonly selection: Selection;
  readonly prediction?: Prediction;
  readonly exhausted?: boolean;
}

async function select(flags: SelectFlags, { progress }: CliContext): Promise<CommandResult> {
  if (flags.graph === undefined && flags.profile === undefined) {
    throw new KymoError('usage', 'Give what to decide from: --graph FILE, --profile FILE, or both.');
  }
  const callGraph =
    flags.graph === undefined ? undefined : readMetaCg(await readText(flags.graph), flags.graph);
  const measured = await measuredRuns(flags.profile ?? [], callGraph, (line) => progress.log(line));
  const graph = measured?.graph ?? callGraph ?? { functions: [], edges: [] };
  const step = decide(flags, graph, measured);
  const functions = new Map(graph.functions.map((f) => [f.key, f]));
  const report = ({ key, reason }: Decision): Readonly<Record<string, unknown>> => {
    const f = functions.get(key);
    const mangled = f?.mangledName === undefined ? {} : { mangled: f.mangledName };
    return { name: f?.name ?? key, ...mangled, reason, explanation: explainReason(reason) };
  };
  const decisions = [...step.selection.decisions.values()];
  const selected = decisions.filter((d) => d.selected);
  if (flags.filter !== undefined) writeWhole(flags.filter, [filterText(selected, graph)]);
  return {
    result: {
      selected: selected.map(report),
      rejected: decisions.filter((d) => !d.selected).map(report),
      ...(step.prediction === undefined ? {} : { prediction: step.prediction, exhausted: step.exhausted }),
      ...(flags.filter === undefined ? {} : { filter: flags.filter }),
    },
    text: selectionText(selected, graph, step, flags.filter),
  };
}

function decide(flags: SelectFlags, graph: CallGraph, measured: Measured | undefined): Step {
  const strategy = flags.strategy ?? (measured === undefined ? 'static' : 'refine');
  if (strategy === 'static') return { selection: staticSelection(graph, flags.cutoff, flags.loops) };
  requireMeasured(strategy, measured);
  if (strategy === 'hot-path')
    return { selection: hotPathSelection(graph, measured?.knowledge ?? noKnowledge) };
  return nextStep({
    graph,
    ...(measured === undefined ? {} : { knowledge: measured.knowledge, pairCosts: measured.pairCosts }),
    ...(flags.baseline === undefined ? {} : { baselineSeconds: flags.baseline }),
    options: {
      ...(isReduction(strategy) || strategy === 'imbalance' ? { strategy } : {}),
      imbalance: imbalanceSettings(flags.imbalance ?? {}),
      overheadPercent: flags.overhead,
      mode: flags.mode,
      cutoff: flags.cutoff,
      pinnedIn: keysOf(graph, flags.pin ?? []),
      pinnedOut: keysOf(graph, flags.exclude ?? []),
    },
  });
}

/** @throws KymoError `usage` when the profile that the strategy needs is missing */
function requireMeasured(strategy: Strategy, measured: Measured | undefined): void {
  if (strategy === 'hot-path' && measured === undefined)
    throw new KymoError('usage', 'The hot path is found in a profile: give one with --profile.');
  if (isReduction(strategy) && measured === undefined)
    throw new KymoError('usage', 'What a function costs is seen in a profile: give one with --profile.');
  if (strategy === 'imbalance' && measured?.isParallel === false)
    throw new KymoError(
      'usage',
      'An imbalance is between ranks or threads: the profile has only one of them.',
    );
}

function isReduction(strategy: Strategy): strategy is OverheadReduction {
  return overheadReductions.some((reduction) => reduction === strategy);
}

interface Measured {
  readonly graph: CallGraph;
  readonly knowledge: Knowledge;
  readonly pairCosts: PairCosts;
  /** The last profile has several ranks or threads. */
  readonly isParallel: boolean;
}

async function measuredRuns(
  files: readonly string[],
  callGraph: CallGraph | undefined,
  log: (line: string) => void,
): Promise<Measured | undefined> {
  let measured: Measured | undefined;
  for (const given of files) {
    const { profile: read, file, origin } = await readProfileInput(given);
    const { costs: calibration, costsAssumed: assumed } = origin;
    const profile = foldIterations(read);
    if (assumed) log(`${file}: no calibration; 70 ns per visit are assumed for Score-P`);
    if (calibration === undefined) {
      throw new KymoError(
        'no-calibration',
        `“${file}” does not contain the cost of recording: there is no experiment.json beside it, and Score-P did not write it.`,
        { file },
      );
    }
    const graph = graphWithProfile(measured?.graph ?? callGraph, profile);
    const recorded = new Set(
      regionKeys(profile, graph).filter((_, index) =>
        ['compiler', 'user'].includes(profile.regions[index]?.paradigm ?? ''),
      ),
    );
    const knowledge = accumulateKnowledge(measured?.knowledge, profile, graph, calibration, recorded);
    measured = { graph, knowledge, pairCosts: calibration, isParallel: profile.locations.length > 1 };
  }
  return measured;
}

/** Keys of the functions that a user gives by key, mangled name or shown name. A shown name selects all functions with it. */
function keysOf(graph: CallGraph, names: readonly string[]): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const name of names) {
    const matches = graph.functions.filter((f) => [f.key, f.mangledName, f.name].includes(name));
    if (matches.length === 0) {
      throw new KymoError(
        'usage',
        `No function is called “${name}”; give a name or mangled name of the call graph.`,
      );
    }
    for (const { key } of matches) keys.add(key);
  }
  return keys;
}

function filterText(selected: readonly Decision[], graph: CallGraph): string {
  const functions = new Map(graph.functions.map((f) => [f.key, f]));
  return writeFilter(
    selected.map(({ key, reason }) => {
      const f = functions.get(key);
      const mangled = f?.mangledName === undefined ? {} : { mangledName: f.mangledName };
      return { name: f?.name ?? key, ...mangled, reason: explainReason(reason) };
    }),
    `${selected.length} functions selected by kymo`,
  );
}

function selectionText(
  selected: readonly Decision[],
  graph: CallGraph,
  { prediction, exhausted }: Step,
  filter: string | undefined,
): string {
  const names = new Map(graph.functions.map((f) => [f.key, f.name]));
  const lines = [
    table(
      ['function', 'why'],
      selected.map((d) => [names.get(d.key) ?? d.key, explainReason(d.reason)]),
      0,
    ),
    '',
    `${selected.length} of ${graph.functions.length} functions selected.`,
  ];
  if (prediction !== undefined) {
    const unknown =
      prediction.unmeasured === 0 ? '' : `, and ${prediction.unmeasured} functions of unknown cost`;
    lines.push(`Predicted overhead ${formatPercent(prediction.overheadPercent / 100)}${unknown}.`);
    if (exhausted === true) lines.push('The selection is final: another run would only confirm it.');
  }
  if (filter !== undefined) lines.push(`Written to ${filter}.`);
  return lines.join('\n');
}
