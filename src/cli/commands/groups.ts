import path from 'node:path';
import { Option, type Command } from 'commander';
import { KymoError } from '../../core/errors';
import { formatPercent } from '../../core/format';
import { conceptGraph } from '../../core/groups/graph/conceptGraph';
import { graphDot, graphDrawing } from '../../core/groups/graph/export';
import { graphSvg } from '../../core/groups/graph/svg';
import { bitSetOf } from '../../core/groups/sets/bitSet';
import { present } from '../../core/present';
import { readProfileJson } from '../../formats/profile-json/read';
import {
  compareProcesses,
  type GroupsInput,
  type GroupsReport,
  type MeasuredInput,
  type TracedInput,
} from '../../workflows/groups';
import { asMeasured } from '../../workflows/studies/profileOrigin';
import { tracedProcesses } from '../../workflows/tracedProcesses';
import type { CommandResult, RegisterCommand } from '../terminal/context';
import { readProfileInput, readText, writeWhole } from '../terminal/inputs';
import { share } from '../terminal/options';
import { counted } from '../terminal/profileText';
import { shortened, table } from '../terminal/table';

interface GroupsFlags {
  readonly measure: 'pairs' | 'functions';
  readonly threshold?: number;
  readonly closure?: boolean;
  readonly artificial?: readonly string[];
  readonly graph?: string;
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
      'merge groups of which each two are at least this similar (0 to 1; 1: equal processes only); default: what is explained by functions that are missing at random',
      share,
    )
    .option(
      '--closure',
      'intermediate calls are no difference: what a callee calls counts as called by its caller',
    )
    .option('--artificial <names...>', 'functions that are no part of the program; default: PARALLEL')
    .option('--graph <file>', 'also write the graph of what groups have in common, as .svg or .dot')
    .action(async (inputs: readonly string[], _: unknown, command: Command) => {
      await run(() => groups(inputs, command.opts<GroupsFlags>()));
    });
};

async function groups(given: readonly string[], flags: GroupsFlags): Promise<CommandResult> {
  const inputs: GroupsInput[] = [];
  for (const input of given) inputs.push({ run: nameOf(input, given), ...(await comparedIn(input)) });
  const { measure, threshold, closure, artificial, graph } = flags;
  const report = compareProcesses(inputs, { kind: measure, ...present({ threshold, closure, artificial }) });
  if (graph !== undefined) writeWhole(graph, [graphText(report, graph)]);
  return { result: report, text: groupsText(report) };
}

async function comparedIn(
  given: string,
): Promise<Pick<MeasuredInput, 'measured'> | Pick<TracedInput, 'traced'>> {
  if (/\.otf2$/i.test(given)) return { traced: (options) => tracedProcesses(given, options) };
  return { measured: await measuredIn(given) };
}

async function measuredIn(given: string): Promise<MeasuredInput['measured']> {
  if (given.toLowerCase().endsWith('.json'))
    return { profile: readProfileJson(await readText(given), given), run: path.basename(given) };
  const { profile, origin } = await readProfileInput(given);
  return asMeasured(profile, origin);
}

/** The last part of the path that tells inputs apart. */
function nameOf(given: string, all: readonly string[]): string {
  const parts = path.resolve(given).split(path.sep);
  for (let count = 1; count < parts.length; count++) {
    const name = parts.slice(-count).join('/');
    if (all.filter((other) => path.resolve(other).endsWith(`${path.sep}${name}`)).length === 1) return name;
  }
  return given;
}

/** @throws KymoError `usage` for another ending, and for more nodes than a picture can have */
function graphText(report: GroupsReport, file: string): string {
  const { measure: kind, attributes, processes, groups: found } = report;
  const groupOf = new Int32Array(processes.length);
  found.forEach(({ members }, group) => {
    for (const member of members) groupOf[member] = group;
  });
  const sets = found.map((group) => bitSetOf(group.attributes, attributes.length));
  const context = { kind, attributes, processes, sets, groupOf };
  const graph = conceptGraph(context);
  const drawing = graphDrawing(context, graph);
  if (file.toLowerCase().endsWith('.dot')) return graphDot(context, graph);
  if (!file.toLowerCase().endsWith('.svg'))
    throw new KymoError('usage', `The ending of “${file}” names no format of a graph. Use .svg or .dot.`, {
      file,
    });
  if ('reason' in drawing) throw new KymoError('usage', drawing.reason, { file });
  return graphSvg(drawing);
}

const mostGroups = 40;
const mostInMatrix = 12;

function groupsText(report: GroupsReport): string {
  const { groups: found, processes, attributes, measure, closure, threshold, sentences, notes } = report;
  const what = `${counted(attributes.length, measure === 'pairs' ? 'pair of caller and callee' : 'function', measure === 'pairs' ? 'pairs of caller and callee' : 'functions')}${closure ? ', with calls of calls' : ''}`;
  const how = threshold === undefined ? '' : `, at least ${formatPercent(threshold)} similar`;
  const omitted = found.length - mostGroups;
  return [
    `${counted(processes.length, 'process', 'processes')} in ${counted(found.length, 'group')}${how}, by ${what}:`,
    '',
    table(
      ['group', 'processes', measure, 'similarity', 'representative', 'which processes'],
      found
        .slice(0, mostGroups)
        .map((group, index) => [
          String(index + 1),
          String(group.members.length),
          String(group.attributes.length),
          formatPercent(group.similarity.mean),
          processName(report, group.representative),
          shortened(group.processes, 100),
        ]),
      4,
    ),
    ...(omitted > 0 ? [`${counted(omitted, 'more group')}: --json`] : []),
    ...(found.length < 2 || found.length > mostInMatrix ? [] : ['', matrices(report)]),
    ...(sentences.length === 0 ? [] : ['', ...sentences]),
    ...(notes.length === 0 ? [] : ['', ...notes]),
  ].join('\n');
}

function processName({ processes }: GroupsReport, position: number): string {
  const { run, name, rank, thread } = processes[position] ?? { name: '', rank: 0, thread: 0 };
  const own = rank < 0 ? name : `${rank}:${thread}`;
  return run === undefined ? own : `${run} ${own}`;
}

function matrices({ similarity, subsumption }: GroupsReport): string {
  const matrix = (title: string, rows: readonly (readonly number[])[]): string =>
    table(
      [title, ...rows.map((_, group) => String(group + 1))],
      rows.map((row, group) => [String(group + 1), ...row.map((value) => value.toFixed(2))]),
      rows.length + 1,
    );
  return [
    matrix('similar', similarity),
    '',
    matrix('does all of', subsumption),
    'Row: the degree to which the group does at least the work of the group of the column.',
  ].join('\n');
}
