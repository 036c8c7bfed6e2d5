import path from 'node:path';
import { Option, type Command } from 'commander';
import { KymoError } from '../../core/errors';
import { readingOptions, type Comparison } from '../../core/groups/comparison/compareGroups';
import { blockOrders, type BlockOrder } from '../../core/groups/differences/blocks';
import { groupNames } from '../../core/groups/differences/readings';
import { fallbackSteps, type FallbackStep } from '../../core/groups/graph/fallbacks';
import { graphSvg } from '../../core/groups/graph/svg';
import { groupsCsv, matrixCsv, numberedName } from '../../core/groups/tables';
import { capitalised } from '../../core/groups/words';
import { present } from '../../core/present';
import type { PropertyInput } from '../../core/problems/context/makeContext';
import { readProfileJson } from '../../formats/profile-json/read';
import { groupsOf, reportOf, type GroupsInput, type GroupsReport } from '../../workflows/groups';
import { dotGraph, drawnGraph } from '../../workflows/grouping/groupGraph';
import { asMeasured } from '../../workflows/studies/profileOrigin';
import { tracedProcesses } from '../../workflows/trace/tracedProcesses';
import type { CommandResult, RegisterCommand } from '../execution/context';
import { groupsText, processName } from '../terminal/groupsText';
import { nameAmong, readProfileInput, readText, writeWhole } from '../arguments/inputs';
import { positiveInteger, share } from '../arguments/options';

interface GroupsFlags {
  readonly measure: 'pairs' | 'functions';
  readonly threshold?: number;
  readonly closure?: boolean;
  readonly kMeans?: number | 'structure';
  readonly coarser?: FallbackStep;
  readonly artificial?: readonly string[];
  readonly order: BlockOrder;
  readonly graph?: string;
  readonly lattice?: boolean;
  readonly csv?: string;
  readonly similarity?: string;
  readonly subsumption?: string;
}

/** `kymo groups`: which processes behave alike, and how the others differ. */
export const registerGroups: RegisterCommand = (program, run) => {
  program
    .command('groups <input...>')
    .description(
      'groups processes and threads by the functions that they call, and describes how the groups differ; of a profile, an experiment, a study, an OTF2 trace (traces.otf2), or the JSON of “kymo profile show --json --per-location”; several inputs are compared with each other',
    )
    .addOption(
      new Option('--measure <what>', 'compare pairs of caller and callee, or functions only')
        .choices(['pairs', 'functions'])
        .default('pairs'),
    )
    .option(
      '--threshold <similarity>',
      'merge groups whose members are pairwise at least this similar (0 to 1; 1: equal processes only); default: differences that functions missing at random explain',
      share,
    )
    .option(
      '--closure',
      'intermediate calls are no difference: what a callee calls counts as called by its caller',
    )
    .option(
      '--k-means <groups>',
      'for comparison: group by similar times in the ten functions with the most exclusive time, into this number of groups, or “structure”: as many as by structure',
      (text) => (text === 'structure' ? text : positiveInteger(text)),
    )
    .addOption(
      new Option(
        '--coarser <step>',
        'compare more coarsely: by functions; without the attributes that divide most; equal processes only; irregular processes as one. Default: irregular processes as coarsely as is needed',
      ).choices(fallbackSteps),
    )
    .option('--artificial <names...>', 'functions that are no part of the program; default: PARALLEL')
    .addOption(
      new Option('--order <by>', 'rank what differs by its time, or by its share of all attributes')
        .choices(blockOrders)
        .default('time'),
    )
    .option('--graph <file>', 'also write the graph of what groups have in common, as .svg or .dot')
    .option('--lattice', 'with --graph: the whole concept lattice, with its empty nodes')
    .option('--csv <file>', 'also write the groups as CSV')
    .option('--similarity <file>', 'also write the similarity of the groups as CSV')
    .option('--subsumption <file>', 'also write the matrix “does all of” of the groups as CSV')
    .action(async (inputs: readonly string[], _: unknown, command: Command) => {
      await run(() => groups(inputs, command.opts<GroupsFlags>()));
    });
};

async function groups(given: readonly string[], flags: GroupsFlags): Promise<CommandResult> {
  requireSense(given, flags);
  const inputs: GroupsInput[] = [];
  for (const input of given) inputs.push(await inputOf(input, nameAmong(input, given), flags));
  const { measure, threshold, closure, kMeans, coarser, artificial, order } = flags;
  const options = {
    kind: measure,
    order,
    ...present({ threshold, closure, kMeans, coarser, artificial }),
  };
  const comparison = groupsOf(inputs, options);
  const report = reportOf(inputs, comparison, options);
  // Whatever cannot be written is found before anything is.
  const files = [...filesOf(comparison, report, flags)];
  for (const [file, text] of files) writeWhole(file, [text]);
  return { result: report, text: groupsText(report, comparison, order) };
}

function* filesOf(
  comparison: Comparison,
  report: GroupsReport,
  { graph, lattice, csv, similarity, subsumption }: GroupsFlags,
): Generator<readonly [file: string, text: string]> {
  if (graph !== undefined) yield [graph, graphText(comparison, graph, lattice === true)];
  if (csv !== undefined) yield [csv, groupsCsv(report.measure, report.groups, representativeOf(report))];
  const names = groupNames(comparison.groups, readingOptions(comparison)).map(({ text }, group) =>
    numberedName(group, capitalised(text)),
  );
  for (const [file, rows] of [
    [similarity, report.similarity],
    [subsumption, report.subsumption],
  ] as const) {
    if (file === undefined) continue;
    if (rows.length === 0)
      throw new KymoError('usage', 'Only equal processes are grouped: there is no matrix.', { file });
    yield [file, matrixCsv(names, (row, column) => rows[row]?.[column] ?? 0)];
  }
}

function representativeOf(report: GroupsReport): (group: number) => string {
  return (group) => processName(report, report.groups[group]?.representative ?? -1);
}

/** @throws KymoError `usage` where an option or an input would have no effect */
function requireSense(given: readonly string[], { threshold, kMeans, lattice, graph }: GroupsFlags): void {
  const paths = given.map((input) => path.resolve(input));
  const twice = given.find((_, index) => paths.indexOf(paths[index] ?? '') !== index);
  if (twice !== undefined)
    throw new KymoError('usage', `“${twice}” is given twice. Give each input once.`, { file: twice });
  if (threshold !== undefined && kMeans !== undefined)
    throw new KymoError('usage', 'Groups are by --threshold or by --k-means: give one of them.', {});
  if (lattice === true && graph === undefined)
    throw new KymoError('usage', '--lattice is about the file of --graph, which is not given.', {});
}

async function inputOf(
  given: string,
  run: string,
  { measure: kind, artificial }: GroupsFlags,
): Promise<GroupsInput> {
  if (/\.otf2$/i.test(given))
    return { run, traced: tracedProcesses(given, { kind, ...present({ artificial }) }) };
  return { run, measured: await measuredIn(given) };
}

async function measuredIn(given: string): Promise<PropertyInput> {
  if (given.toLowerCase().endsWith('.json'))
    return { profile: readProfileJson(await readText(given), given), run: path.basename(given) };
  const { profile, origin } = await readProfileInput(given);
  return asMeasured(profile, origin);
}

/** @throws KymoError `usage` for another ending, and where there is no such graph */
function graphText(comparison: Comparison, file: string, isWhole: boolean): string {
  const refused = (reason: string): KymoError => new KymoError('usage', reason, { file });
  if (file.toLowerCase().endsWith('.dot')) {
    const dot = dotGraph(comparison, isWhole);
    if ('reason' in dot) throw refused(dot.reason);
    return dot.text;
  }
  if (!file.toLowerCase().endsWith('.svg'))
    throw refused(`The ending of “${file}” names no format of a graph. Use .svg or .dot.`);
  const drawing = drawnGraph(comparison, isWhole);
  if ('reason' in drawing) throw refused(drawing.reason);
  return graphSvg(drawing);
}
