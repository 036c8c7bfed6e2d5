import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { treeContradictions } from './consistency/callTree';
import { compareContradictions } from './consistency/compare';
import { diagnosisContradictions, type DiagnosisOutput } from './consistency/diagnosis';
import { searchContradictions, type SearchOutput } from './consistency/search/searchOutput';
import { efficiencyContradictions } from './consistency/efficiencyFactors';
import { findingContradictions } from './consistency/findings';
import { flatContradictions, type FlatOutput } from './consistency/flatProfile';
import { groupContradictions } from './consistency/groups';
import { messageContradictions, type Messages } from './consistency/messages';
import { modelContradictions, type ModelsOutput } from './consistency/models';
import { dynamicsContradictions, type DynamicsOutput } from './consistency/overTime';
import { roundContradictions, type RunFile } from './consistency/rounds';
import {
  dynamicsTextContradictions,
  efficiencyTextContradictions,
  findingsTextContradictions,
  profileTextContradictions,
  ranksTextContradictions,
} from './consistency/texts';
import { traceContradictions } from './consistency/trace';
import { readSearch } from '../src/formats/kymo-search/searchFile';
import { contradictions, outputsOf } from './outputAgreement';
import type { Property } from '../src/core/properties/property';
import type { ProfileJson } from '../src/formats/exports/json';
import type { CompareReport } from '../src/workflows/compare';
import type { EfficiencyReport } from '../src/workflows/efficiency';
import type { GroupsReport } from '../src/workflows/groups';
import type { TraceReport } from '../src/workflows/trace/report.types';
import type { RefineResult } from '../src/workflows/studies/refine.types';
import type { StoredRow } from '../src/workflows/studies/functionsFile';

/** The command line. */
export interface Cli {
  /** Its one document with `--json`; that of an error, too. */
  readonly json: (args: readonly string[]) => unknown;
  /** What it prints for people. */
  readonly text: (args: readonly string[]) => string;
}

/** Every contradiction between and within the outputs of a finished refinement, a sentence each; nothing: they agree. */
export function studyContradictions(result: RefineResult, cli: Cli): readonly string[] {
  const { directory, filter } = result;
  const functions = storedRows(directory);
  const rounds = roundFolders(directory).slice(0, result.iterations.length);
  const runs = rounds.map((round) => runFolders(round).map(runFile));
  const [last = ''] = runFolders(rounds.at(-1) ?? directory).slice(
    (result.iterations.at(-1)?.typicalRun ?? 1) - 1,
  );
  return [
    ...contradictions(outputsOf(result, cli.json)),
    ...(JSON.stringify(storedFindings(directory)) === JSON.stringify(result.properties)
      ? []
      : ['properties.json has other findings than the result']),
    ...roundContradictions({
      result,
      functions,
      runs,
      selections: rounds.map(selectionOf),
      included: readFileSync(filter, 'utf8').match(/^ *INCLUDE .*$/gm) ?? [],
    }),
    ...runContradictions(last, cli, functions),
    ...comparisons(rounds, cli),
    // Runs with other numbers of ranks.
    ...roundFolders(path.join(directory, 'ranks')).flatMap((round) =>
      runFolders(round).flatMap((run) => runContradictions(run, cli)),
    ),
  ];
}

/** The first round with the last one, and two runs of the last one. */
function comparisons(rounds: readonly string[], cli: Cli): readonly string[] {
  const [first, last] = [rounds[0], rounds.at(-1)];
  if (first === undefined || last === undefined) return [];
  const [one, other] = runFolders(last);
  return [
    ...(first === last ? [] : ofComparison([first, last], cli)),
    ...(one === undefined || other === undefined ? [] : ofComparison([one, other], cli, true)),
  ];
}

function ofComparison([a, b]: readonly [string, string], cli: Cli, isOfRuns = false): readonly string[] {
  return compareContradictions(cli.json(['compare', a, b]) as CompareReport, {
    back: cli.json(['compare', b, a]) as CompareReport,
    text: cli.text(['compare', a, b]),
    ...(isOfRuns ? { profiles: [a, b].map((run) => cli.json(['profile', 'show', run]) as FlatOutput) } : {}),
  });
}

/**
 * Every contradiction between and within what is shown of one measured run.
 * @param run folder with `profile.cubex`
 * @param stored rows of the study whose last round this is
 */
export function runContradictions(
  run: string,
  cli: Cli,
  stored: readonly StoredRow[] = [],
): readonly string[] {
  const show = ['profile', 'show', run];
  const plain = cli.json(show) as FlatOutput;
  const perLocation = cli.json([...show, '--per-location']) as ProfileJson;
  const hasRanks = new Set(plain.locations.map(({ rank }) => rank)).size > 1;
  const flat = hasRanks ? (cli.json([...show, '--ranks']) as FlatOutput) : plain;
  const { properties } = cli.json(['properties', run]) as { readonly properties: readonly Property[] };
  const all = ['--top', String(Math.max(1, flat.functions?.length ?? 1))];
  return [
    ...treeContradictions({ combined: plain, perLocation }),
    ...flatContradictions(flat, perLocation),
    ...findingContradictions(properties, flat),
    ...profileTextContradictions(cli.text([...show, ...all]), flat),
    ...profileTextContradictions(cli.text([...show, ...all, '--per-location']), flat),
    ...(hasRanks ? ranksTextContradictions(cli.text([...show, ...all, '--ranks']), flat) : []),
    ...findingsTextContradictions(cli.text(['properties', run]), properties),
    ...(plain.locations.length > 1 ? ofEfficiency(run, cli, flat, properties, stored) : []),
    ...groupContradictions(cli.json(['groups', run]) as GroupsReport, {
      text: cli.text(['groups', run]),
      perLocation,
      findings: properties,
    }),
    ...ofDiagnosis(run, cli, flat),
    ...ofMessages(run, perLocation),
    ...(existsSync(path.join(run, 'traces.otf2')) ? ofTrace(path.join(run, 'traces.otf2'), cli) : []),
    ...(existsSync(path.join(run, 'iterations.kymo'))
      ? ofIterations(run, cli, flat, perLocation, properties)
      : []),
  ].map((sentence) => `${path.basename(path.dirname(run))}/${path.basename(run)}: ${sentence}`);
}

interface ParameterStudy {
  readonly points: readonly {
    readonly coordinates: Readonly<Record<string, string>>;
    readonly runs: readonly { readonly folder: string }[];
  }[];
}

/** Every contradiction between and within what is shown of the models of a parameter study. */
export function modelsContradictions(directory: string, cli: Cli): readonly string[] {
  const { points } = read(path.join(directory, 'parameter-study.json')) as ParameterStudy;
  const measured = points.flatMap(({ coordinates, runs: [run] }) =>
    run === undefined ? [] : [{ coordinates, folder: run.folder }],
  );
  const model = ['model', directory];
  const show = (folder: string): ProfileJson =>
    cli.json(['profile', 'show', path.join(directory, folder), '--per-location']) as ProfileJson;
  return modelContradictions(cli.json(model) as ModelsOutput, {
    text: cli.text([...model, '--models', '100000']),
    csv: cli.text([...model, '--format', 'csv']),
    points: measured.length,
    profiles: [...measured.slice(0, 1), ...measured.slice(-1)].map(({ coordinates, folder }) => ({
      coordinates,
      perLocation: show(folder),
    })),
  });
}

interface CliError {
  readonly error: { readonly reason: string; readonly message: string };
}

function ofEfficiency(
  run: string,
  cli: Cli,
  flat: FlatOutput,
  findings: readonly Property[],
  stored: readonly StoredRow[],
): readonly string[] {
  const report = cli.json(['efficiency', run]) as EfficiencyReport | CliError;
  if ('error' in report) return report.error.reason === 'no-efficiency' ? [] : [report.error.message];
  const most = String(Math.max(1, report.functions.length));
  return [
    ...efficiencyContradictions(report, flat, findings, stored),
    ...efficiencyTextContradictions(cli.text(['efficiency', run, '--functions', most]), report),
  ];
}

function ofDiagnosis(run: string, cli: Cli, flat: FlatOutput): readonly string[] {
  const report = cli.json(['efficiency', run]) as EfficiencyReport | CliError;
  const folder = mkdtempSync(path.join(tmpdir(), 'kymo-search-'));
  try {
    const file = path.join(folder, 'search.json');
    const output = cli.json(['diagnose', run, '--export', file]) as DiagnosisOutput & SearchOutput;
    const text = cli.text(['diagnose', run, '--tree']);
    return [
      ...diagnosisContradictions(output, {
        flat,
        text,
        ...('error' in report ? {} : { efficiency: report }),
      }),
      ...searchContradictions(readSearch(readFileSync(file, 'utf8'), file), output, text),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function ofMessages(run: string, perLocation: ProfileJson): readonly string[] {
  const file = path.join(run, 'communication.json');
  return existsSync(file) ? messageContradictions(read(file) as Messages, perLocation) : [];
}

function ofTrace(anchor: string, cli: Cli): readonly string[] {
  const show = ['trace', 'show', anchor];
  const report = cli.json(show) as TraceReport;
  const ranks = [...new Set(report.locations.map(({ rank }) => rank))].filter((rank) => rank >= 0);
  return traceContradictions(report, {
    text: cli.text([...show, '--top', '1000000']),
    ofRanks: ranks.map((rank) => cli.json([...show, '--ranks', String(rank)]) as TraceReport),
  });
}

function ofIterations(
  run: string,
  cli: Cli,
  flat: FlatOutput,
  perLocation: ProfileJson,
  findings: readonly Property[],
): readonly string[] {
  const dynamics = cli.json(['dynamics', run, '--all']) as DynamicsOutput;
  return [
    ...dynamicsContradictions(dynamics, flat, perLocation, findings),
    ...findingContradictions(dynamics.properties, flat),
    ...dynamicsTextContradictions(cli.text(['dynamics', run, '--all']), dynamics),
  ];
}

function storedRows(directory: string): readonly StoredRow[] {
  return (read(path.join(directory, 'functions.json')) as { readonly functions: readonly StoredRow[] })
    .functions;
}

function storedFindings(directory: string): readonly Property[] {
  return (read(path.join(directory, 'properties.json')) as { readonly properties: readonly Property[] })
    .properties;
}

/** `i0`, `i1`, … */
function roundFolders(directory: string): readonly string[] {
  if (!existsSync(directory)) return [];
  const names = readdirSync(directory).filter((name) => /^i\d+$/.test(name));
  return names
    .sort((a, b) => Number(a.slice(1)) - Number(b.slice(1)))
    .map((name) => path.join(directory, name));
}

/** Of measured runs. */
function runFolders(round: string): readonly string[] {
  return readdirSync(round)
    .sort()
    .map((name) => path.join(round, name))
    .filter((folder) => existsSync(path.join(folder, 'profile.cubex')));
}

function runFile(folder: string): RunFile {
  return read(path.join(folder, 'experiment.json')) as RunFile;
}

function selectionOf(round: string): { readonly id: string; readonly selected: readonly string[] } {
  const { id, decisions } = read(path.join(round, 'selection.json')) as {
    readonly id: string;
    readonly decisions: readonly { readonly key: string; readonly selected: boolean }[];
  };
  return { id, selected: decisions.flatMap(({ key, selected }) => (selected ? [key] : [])) };
}

function read(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}
