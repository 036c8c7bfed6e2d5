import os from 'node:os';
import path from 'node:path';
import { counted, formatPercent, formatSeconds } from '../../../core/format';
import { median } from '../../../core/cost/overhead';
import type { Calibration, Experiment } from '../../../core/profile/experiment';
import { pointName } from '../../../core/study/texts';
import type { Target } from '../../../measurement/config/config';
import { loadConfig } from '../../../measurement/config/loadConfig';
import { readExperiment } from '../../../measurement/experiments/experimentFile';
import type { ParameterStudyFile } from '../../../workflows/study/parameterStudyFile';
import type { StudyFile } from '../../../workflows/studies/study';
import { targetOfResults } from '../../../workflows/targets/targetOfResults';
import { timesOf } from '../../terminal/measureText';
import type { Rows } from '../../terminal/table';
import { tableBlock, texts, type Block, type Fact, type Section } from '../base/document';
import type { Reported, ReportedRun } from '../base/reported';

const mostRuns = 40;

/** How the numbers came about: program, command, build, machine, and runs. */
export async function measuredSection(reported: Reported): Promise<Section> {
  const { input, study, parameterStudy, run } = reported;
  const experiment = run?.origin.experiment ?? (await firstExperiment(input, parameterStudy));
  const target = await targetNow(input);
  return {
    id: 'measured',
    title: 'How it was measured',
    blocks: [
      {
        kind: 'facts',
        facts: [
          ...(run === undefined ? [] : [['Profile', run.file] as const]),
          ...(experiment === undefined ? [] : programFacts(experiment, target, parameterStudy !== undefined)),
          ...(experiment === undefined ? [] : machineFacts(experiment)),
          ...(study === undefined ? [] : noiseFacts(study)),
          ...(experiment === undefined ? [] : recordingFacts(experiment)),
        ],
      },
      ...texts(experiment === undefined ? [unknownOrigin] : []),
      ...(run === undefined ? [] : runBlocks(run)),
      ...(parameterStudy === undefined ? [] : pointBlocks(parameterStudy)),
    ],
  };
}

const unknownOrigin =
  'No measurement of Kymo is beside the profile: how it was measured is known as far as the file says it.';

/** Of a study over parameters, any run: its points differ in what the table of points has. */
async function firstExperiment(
  input: string,
  study: ParameterStudyFile | undefined,
): Promise<Experiment | undefined> {
  const folder = study?.points.flatMap(({ runs }) => runs)[0]?.folder;
  return folder === undefined
    ? undefined
    : readExperiment(path.join(input, path.basename(folder))).catch(() => undefined);
}

/** The target as `kymo.json` has it now; undefined where that cannot be read. */
async function targetNow(input: string): Promise<Target | undefined> {
  const found = targetOfResults(input);
  if (found === undefined) return undefined;
  const loaded = await loadConfig(found.workspace).catch(() => undefined);
  return loaded?.config.targets.find(({ name }) => name === found.target);
}

/** @param isFirst it is the first run of several points, whose table has their parameters */
function programFacts(experiment: Experiment, target: Target | undefined, isFirst: boolean): readonly Fact[] {
  const { command, parameters, ranks, threads, compiler, buildId, git } = experiment;
  const build = [target?.build.configure, target?.build.command].filter((word) => word !== undefined);
  const values = Object.entries(parameters);
  return [
    ['Target', experiment.target],
    ['Study', experiment.study],
    [isFirst ? 'Command of the first run' : 'Command', command.map(asWord).join(' ')],
    ...(values.length === 0 || isFirst ? [] : [['Parameters', pointName(parameters)] as const]),
    ...(isFirst
      ? []
      : [
          [
            'Processes',
            `${ranks}${threads === undefined ? '' : ` with ${counted(threads, 'thread')} each`}`,
          ] as const,
        ]),
    ...(build.length === 0
      ? []
      : [['Build command', `${build.join(' && ')} (kymo.json as it is now)`] as const]),
    ['Compiler', compiler],
    ['Build id', buildId],
    ...(git === undefined
      ? []
      : [['Sources', `commit ${git.commit}${git.dirty ? ', with uncommitted changes' : ''}`] as const]),
  ];
}

/** As a shell would take it, for readers. */
function asWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

function machineFacts({ host, startedAt }: Experiment): readonly Fact[] {
  const processors = os.cpus();
  const here =
    host === os.hostname() && processors[0] !== undefined
      ? `, ${counted(processors.length, 'processor')} (${processors[0].model})`
      : '';
  return [
    ['Machine', `${host}${here}`],
    ['Measured', `${startedAt.slice(0, 16).replace('T', ' ')} UTC`],
  ];
}

/** Of the last round. */
function noiseFacts({ iterations }: StudyFile): readonly Fact[] {
  const last = iterations.at(-1);
  if (last === undefined) return [];
  const { runs, noisePercent } = last;
  return [
    ...(runs === undefined
      ? []
      : [['Repetitions', String(runs)] as const, ['Times', timesOf(last, runs)] as const]),
    [
      'Noise',
      noisePercent === undefined
        ? 'unknown, because each configuration ran once'
        : `±${formatPercent(noisePercent / 100)}: smaller overheads cannot be told from it`,
    ],
  ];
}

function recordingFacts({ instrumented, selection, calibration, scorep }: Experiment): readonly Fact[] {
  return [
    [
      'Recorded',
      `${counted(instrumented, 'function')}${selection === undefined ? '' : ` (selection ${selection})`}`,
    ],
    ...(calibration === undefined ? [] : [['Cost of a visit', costText(calibration)] as const]),
    ...(scorep === undefined ? [] : [['Score-P', scorep.version] as const]),
  ];
}

function costText({ probe, entry }: Calibration): string {
  return `${formatSeconds(probe.pairSeconds)} at a probe sled, ${formatSeconds(entry.pairSeconds)} at a patchable entry, calibrated in the run`;
}

const variants: Readonly<Record<Experiment['variant'], string>> = {
  measured: 'recording',
  baseline: 'nothing recorded',
  vanilla: 'built without Kymo',
};

/** The runs of the round that is shown. */
function runBlocks({ round, file }: ReportedRun): readonly Block[] {
  const shown = round.slice(0, mostRuns);
  const rows: Rows = {
    heads: ['run', 'wall time', 'CPU time', 'how', 'begun (UTC)', 'parameters'],
    cells: shown.map(({ directory, experiment }) => [
      `${experiment.repetition}${path.dirname(file) === directory ? ', shown here' : ''}`,
      formatSeconds(experiment.wallSeconds),
      experiment.cpuSeconds === undefined ? 'unknown' : formatSeconds(experiment.cpuSeconds),
      variants[experiment.variant],
      experiment.startedAt.slice(0, 19).replace('T', ' '),
      pointName({ ...experiment.parameters, ranks: String(experiment.ranks) }),
    ]),
    numbers: 3,
  };
  return tableBlock(
    round.length > shown.length
      ? `The first ${shown.length} of ${round.length} runs of the round`
      : 'Runs of the round',
    rows,
  );
}

const mostPoints = 100;

function pointBlocks({ points }: ParameterStudyFile): readonly Block[] {
  const rows: Rows = {
    heads: ['runs', 'wall time (median)', 'least', 'most', 'point', 'failure'],
    cells: points.slice(0, mostPoints).map(({ runs, coordinates, failure }) => {
      const walls = runs.map(({ wallSeconds }) => wallSeconds);
      const text = (value: number): string => (walls.length === 0 ? '–' : formatSeconds(value));
      return [
        String(runs.length),
        text(median(walls)),
        text(Math.min(...walls)),
        text(Math.max(...walls)),
        pointName(coordinates),
        failure?.message ?? '',
      ];
    }),
    numbers: 4,
  };
  return tableBlock(
    points.length > mostPoints ? `The first ${mostPoints} of ${points.length} points` : 'Points',
    rows,
  );
}
