import path from 'node:path';
import { qualifiedName } from '../../core/callgraph/regionKeys';
import { shortList } from '../../core/names/shortList';
import { recordedPartOf } from '../../core/profile/recordedPart';
import { withPreemption } from '../../core/series/preemption';
import { phasesIn } from '../../core/series/profileIterations';
import { profileSeries } from '../../core/series/profileSeries';
import type { SeriesSource, SwitchedIterations } from '../../core/series/series';
import { KymoError } from '../../core/errors';
import { suggestion } from '../../core/nearest';
import { present } from '../../core/present';
import { openCube, openExpanded } from '../../formats/cube4/read';
import type { ByteSource } from '../../formats/byteSource';
import { layoutAt, type IterationsDirectory } from '../../formats/kymo-iterations/iterationsFile';
import { openIterations } from '../../formats/kymo-iterations/read';
import { openSeries } from '../../formats/series/read';
import type { Experiment } from '../../core/profile/experiment';
import { readExperiment } from '../../measurement/experiments/experimentFile';
import { leastPairSeconds } from '../../measurement/results/calibration';
import { openProfileFile } from '../../measurement/experiments/profileFile';
import { shortName } from '../filters/notRecordable';
import type { AnalysedInput } from './dynamics.types';
import { iterationsSeries } from './iterationsSeries';
import { namingWrongFile } from './wrongFile';

/** Settings for deriving series from a file. */
export interface SeriesChoice {
  readonly callPaths: boolean;
  readonly inclusive: boolean;
  readonly phase?: string;
  /** Metrics that rules use. */
  readonly metrics: readonly string[];
}

/** An open input; call `close` after reading its series. */
export interface OpenedInput {
  readonly file: string;
  readonly kind: AnalysedInput['kind'];
  /** The bytes of the file at the time of opening. */
  readonly bytes: ByteSource;
  readonly source: SeriesSource;
  readonly experiment?: Experiment;
  /** Notes for the reader of the result; whole sentences. */
  readonly notes: readonly string[];
  readonly switches?: SwitchedIterations;
  close(): void;
}

/** Instructions for recording iterations. */
const howToMark =
  'Mark a phase: name the function whose visits are the iterations as "phase" of the target in kymo.json (in the editor: “Use as Phase”), ' +
  'or put KYMO_PHASE_BEGIN and KYMO_PHASE_END around the body of the loop, and measure again. ' +
  'With Score-P: a user region of type SCOREP_USER_REGION_TYPE_DYNAMIC.';

/**
 * @param what the input that has none, without a full stop
 * @param why what is known of it, and what to do; default: how to mark a phase
 */
export function noIterations(what: string, file: string, why = howToMark): KymoError {
  return new KymoError('no-iterations', `${what}. ${why}`, { file });
}

function isNamed(phase: string, wanted = phase): boolean {
  return `::${qualifiedName(phase)}`.endsWith(`::${qualifiedName(wanted)}`);
}

/** On a `--phase` that the file does not have: the iterations of another phase would be taken for those of this one. */
function requirePhase(wanted: string | undefined, phases: readonly string[], file: string): void {
  if (wanted === undefined || phases.includes(wanted)) return;
  const which =
    phases.length === 0
      ? 'Its phase has no name: leave out --phase.'
      : `There ${phases.length === 1 ? 'is' : 'are'}: ${phases.join(', ')}.`;
  throw new KymoError(
    'usage',
    `${file} has no iterations of a phase ${JSON.stringify(wanted)}${suggestion(wanted, phases) || '.'} ${which}`,
    { file },
  );
}

/**
 * Opens a file with series, of any kind.
 * @throws KymoError `no-iterations`, `usage` (there is no such phase), `wrong-file`, and the errors of reading
 */
export async function openInput(file: string, choice: SeriesChoice): Promise<OpenedInput> {
  const open = openProfileFile(file);
  const bytes = open.source;
  const close = (): void => {
    open.close();
  };
  try {
    const beginning = Buffer.from(bytes.read(0, 512));
    const experiment = await readExperiment(path.dirname(file)).catch(() => undefined);
    const opened = { file, bytes, close, ...(experiment === undefined ? {} : { experiment }) };
    if (layoutAt(beginning) !== undefined)
      return { ...opened, kind: 'experiment', ...ofIterations(bytes, file, choice, experiment) };
    return namingWrongFile(bytes, file, () =>
      file.endsWith('.cubex') || beginning.includes(0)
        ? { ...opened, kind: 'profile', ...ofProfile(bytes, file, choice) }
        : { file, bytes, close, kind: 'series', ...ofSeries(bytes, file, choice) },
    );
  } catch (error) {
    close();
    throw error;
  }
}

function ofSeries(
  bytes: ByteSource,
  file: string,
  { phase }: SeriesChoice,
): Pick<OpenedInput, 'source' | 'notes'> {
  const source = withPreemption(openSeries(bytes, file));
  requirePhase(phase, source.phase === undefined ? [] : [source.phase], file);
  return { source, notes: [] };
}

function ofIterations(
  bytes: ByteSource,
  file: string,
  choice: SeriesChoice,
  experiment: Experiment | undefined,
): Pick<OpenedInput, 'source' | 'notes' | 'switches'> {
  const iterations = openIterations(bytes, file);
  const { directory } = iterations;
  if (directory.iterations === 0)
    throw noIterations(`The phase “${directory.phase}” never ran in ${file}`, file);
  // kymo.json names the function of a phase without arguments or classes, too.
  if (!isNamed(directory.phase, choice.phase)) requirePhase(choice.phase, [directory.phase], file);
  // Older files do not know it.
  const ofExperiment = experiment?.calibration && leastPairSeconds(experiment.calibration);
  const pairSeconds = directory.pairSeconds ?? ofExperiment;
  const source = iterationsSeries(iterations, { ...choice, ...present({ pairSeconds }) });
  return {
    source,
    notes: [...directory.notes, ...switchNotes(directory)],
    ...present({ switches: directory.switches }),
  };
}

function ofProfile(
  bytes: ByteSource,
  file: string,
  choice: SeriesChoice,
): Pick<OpenedInput, 'source' | 'notes'> {
  const stored = openCube(bytes, file);
  const isClustered = stored.definitions.attributes.get('CLUSTERING') === 'ON';
  const source = profileSeries(isClustered ? openExpanded(bytes, file) : stored, choice);
  if (source === undefined) {
    const phases = phasesIn(stored.definitions);
    if (phases.length > 0) requirePhase(choice.phase, phases, file);
    throw noIterations(
      `${file} has no iterations: “kymo properties” reports the problems of its whole run`,
      file,
    );
  }
  const isSwitched = stored.definitions.regions.some((region) => recordedPartOf(region) !== undefined);
  return { source, notes: [...(isClustered ? [clusteredNote] : []), ...(isSwitched ? [switchedNote] : [])] };
}

/** Names that a note has. */
const mostNames = 5;

function switchNotes({ partlyRecorded, regions, switches = [] }: IterationsDirectory): readonly string[] {
  if (partlyRecorded === undefined) return [];
  const names = [...new Set(partlyRecorded.map((position) => shortName(regions[position]?.name ?? '?')))];
  const [first] = switches;
  const where =
    first === undefined
      ? ''
      : switches.length === 1
        ? ` at iteration ${first[0] + 1}`
        : ` ${switches.length} times, first at iteration ${first[0] + 1}`;
  return [
    `What is recorded was switched while the program ran${where}. ${shortList(names.slice(0, mostNames), names.length)} ${names.length === 1 ? 'was' : 'were'} recorded in a part of the run only, and ${names.length === 1 ? 'is' : 'are'} left out here: callers have the time in all iterations alike. Steps at these iterations are not reported: they may be the cost of recording.`,
  ];
}

const switchedNote =
  'Functions of this run were switched while it ran: series of these and of their callers change there. Analyse the run’s iterations.kymo, which leaves that out.';

const clusteredNote =
  'Score-P merged similar iterations of this run (SCOREP_PROFILING_ENABLE_CLUSTERING): each has the mean of its cluster, so short changes may be blurred. Measure with SCOREP_PROFILING_ENABLE_CLUSTERING=false to see them.';
