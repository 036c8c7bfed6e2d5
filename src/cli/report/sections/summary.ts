import { counted, formatPercent, formatSeconds } from '../../../core/format';
import { overheadWords } from '../../../core/cost/overheadWords';
import type { Experiment } from '../../../core/profile/experiment';
import { findProperties } from '../../../core/problems/findProperties';
import { profileFunctions } from '../../../core/problems/profileFunctions';
import { timeWords } from '../../../core/functions/base';
import { median } from '../../../core/cost/overhead';
import { runDoubts } from '../../../workflows/studies/runDoubts';
import { preemption } from '../../terminal/profileText';
import { propertyRows } from '../../terminal/propertyRows';
import { tableBlock, texts, without, type Block, type Fact, type Section } from '../base/document';
import type { Reported, ReportedRun } from '../base/reported';

const mostFindings = 8;

/** What a reader has to know before anything else. */
export function summarySection(reported: Reported): Section {
  const { study, parameterStudy, run } = reported;
  return {
    id: 'summary',
    title: 'Summary',
    blocks: [
      ...texts([study?.verdict?.sentence ?? ''], 'verdict'),
      ...(run === undefined ? [] : runBlocks(reported, run)),
      ...(parameterStudy === undefined ? [] : studyBlocks(parameterStudy)),
    ],
  };
}

function runBlocks({ study }: Reported, run: ReportedRun): readonly Block[] {
  const { context, profile, origin, measured } = run;
  const findings = context === undefined ? [] : findProperties(measured);
  const shown = findings.slice(0, mostFindings);
  const more = findings.length - shown.length;
  return [
    { kind: 'facts', facts: [...sizeFacts(run, study), ...costFacts(study), ...hottest(run)] },
    ...texts([...runDoubts(origin.experiment), ...preemption(profile, context)], 'note'),
    ...tableBlock(
      more > 0
        ? `The ${shown.length} most severe of ${findings.length} findings`
        : 'Findings, the most severe first',
      without(propertyRows(shown), 'kind'),
      shown.map(({ severity = 0 }) => severity),
    ),
  ];
}

type Walls = Pick<Experiment, 'wallSeconds' | 'variant'>;

interface SizedRun extends Pick<ReportedRun, 'profile'> {
  readonly origin: { readonly experiment?: Walls };
  readonly round: readonly { readonly experiment: Walls }[];
}

/** Runs that took turns have long wall times: what the program itself takes is the CPU time beside them. */
export function sizeFacts(
  { profile, origin: { experiment }, round }: SizedRun,
  study: Pick<NonNullable<Reported['study']>, 'iterations'> | undefined,
): readonly Fact[] {
  const { paired, cpuSeconds } = study?.iterations.at(-1) ?? {};
  const processes = new Set(profile.locations.map(({ rank }) => rank)).size;
  const walls = round
    .filter(({ experiment: { variant } }) => variant === 'measured')
    .map(({ experiment: { wallSeconds } }) => wallSeconds);
  const wall =
    experiment === undefined ? undefined : median(walls.length > 0 ? walls : [experiment.wallSeconds]);
  return [
    ['Size', `${counted(processes, 'process', 'processes')}, ${counted(profile.locations.length, 'thread')}`],
    ...(wall === undefined
      ? []
      : [
          [
            'Wall time',
            `${formatSeconds(wall)} (median of ${counted(Math.max(1, walls.length), 'run')}${paired === true ? ', which took turns with others on one processor: about twice that of a run alone' : ''})`,
          ] as const,
        ]),
    ...(cpuSeconds === undefined ? [] : [['CPU time', `${formatSeconds(cpuSeconds)} (median)`] as const]),
  ];
}

function costFacts(study: Reported['study']): readonly Fact[] {
  const last = study?.iterations.at(-1);
  if (last === undefined) return [];
  const words = overheadWords(last);
  return [
    ['Recorded', counted(last.instrumented, 'function')],
    ['Cost of recording', `${words.charAt(0).toUpperCase()}${words.slice(1)}`],
  ];
}

function hottest({ context }: ReportedRun): readonly Fact[] {
  if (context === undefined) return [];
  const [first] = profileFunctions(context);
  return first === undefined
    ? []
    : [['Hottest', `${first.name}: ${formatPercent(first.exclusiveShare)} of ${timeWords(context.base)}`]];
}

function studyBlocks({ points, repetitions }: NonNullable<Reported['parameterStudy']>): readonly Block[] {
  const measured = points.filter(({ runs }) => runs.length > 0);
  const runs = measured.reduce((sum, point) => sum + point.runs.length, 0);
  const failed = points.filter(({ failure }) => failure !== undefined).length;
  return [
    {
      kind: 'facts',
      facts: [
        [
          'Points',
          `${measured.length} of ${points.length} measured${failed > 0 ? `, ${failed} failed` : ''}`,
        ],
        ['Runs', `${runs}, ${counted(repetitions, 'repetition')} of each point`],
      ],
    },
  ];
}
