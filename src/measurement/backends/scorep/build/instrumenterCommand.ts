import { KymoError } from '../../../../core/errors';
import { suggestion } from '../../../../core/nearest';
import type { ScorepInstallation } from '../installation/findScorep';
import type { LinkedParadigms } from './linkedParadigms';
import { answeringOptions, instrumenterOptionsOf8 } from '../installation/versions';

export interface InstrumenterCommandOptions {
  readonly scorep: Pick<ScorepInstallation, 'path' | 'version' | 'options' | 'features'>;
  /** The target's own options, which take precedence. */
  readonly flags: readonly string[];
  /** Paradigms that the uninstrumented program links. */
  readonly linked: LinkedParadigms;
  /** Filter for the compilation; absolute. */
  readonly filter: string;
  /** Name of the target for messages. */
  readonly target: string;
}

export interface InstrumenterCommand {
  /** The instrumenter's path and its options. */
  readonly always: readonly string[];
  /** More options for commands that link. */
  readonly atLink: readonly string[];
}

/**
 * The words before the compiler's command: `scorep`, its options, the filter. They name the program's paradigms where `scorep` would have
 * to guess them from each command: CMake and others link MPI by the path of its library, and C++ threads need no option since glibc 2.34.
 * `--nomemory` is left to the user: it makes no measurable difference (65 ns per visit either way, and no recording).
 * @throws KymoError `config-invalid`, `scorep-unsupported`
 */
export function instrumenterCommand(options: InstrumenterCommandOptions): InstrumenterCommand {
  const { scorep, flags, filter } = options;
  requireKnownFlags(options);
  requireMpi(options);
  return {
    always: [scorep.path, ...paradigms(options), ...flags, `--instrument-filter=${filter}`],
    atLink: threadsAtLink(options),
  };
}

/**
 * CMake also links OpenMP by the path of its library. At compile time `-fopenmp` shows it; naming OpenMP there would make OPARI2
 * preprocess sources without directives.
 */
function threadsAtLink({ scorep, flags, linked }: InstrumenterCommandOptions): readonly string[] {
  const openmp = scorep.options.threads.some((variant) => variant.startsWith('omp:'));
  return linked.openmp && openmp && !flags.some((flag) => nameOf(flag) === '--thread')
    ? ['--thread=omp']
    : [];
}

function paradigms({ scorep, flags, linked }: InstrumenterCommandOptions): readonly string[] {
  const hasOption = (option: string): boolean => flags.some((flag) => nameOf(flag) === option);
  const { mpps, threads } = scorep.options;
  return [
    ...(linked.mpi && !hasOption('--mpp') && mpps.includes('mpi') ? ['--mpp=mpi'] : []),
    ...(linked.pthread && !linked.openmp && !hasOption('--thread') && threads.includes('pthread')
      ? ['--thread=pthread']
      : []),
  ];
}

/**
 * Refuses options that are certainly wrong. Later versions have more options, and report unknown ones themselves.
 * @throws KymoError `config-invalid`
 */
export function requireKnownFlags({
  scorep,
  flags,
  target,
}: Pick<InstrumenterCommandOptions, 'flags' | 'target'> & {
  readonly scorep: Pick<ScorepInstallation, 'version' | 'options'>;
}): void {
  const knownNames = [...new Set([...scorep.options.names, ...instrumenterOptionsOf8])];
  for (const flag of flags) {
    const name = nameOf(flag);
    const what = `${JSON.stringify(flag)} in "scorep": {"flags": […]} of ${target}`;
    if (name === '--instrument-filter')
      throw invalid(`${what} belongs to Kymo, which writes a filter for each round. Remove it.`);
    if (answeringOptions.includes(name))
      throw invalid(`${what} makes scorep answer instead of compiling. Remove it.`);
    if (!flag.startsWith('-')) throw invalid(`${what} is not an option; options begin with "--".`);
    if (!knownNames.includes(name) && name !== '-v')
      throw invalid(`${what} is no option of Score-P ${scorep.version}${suggestion(name, knownNames)}`);
  }
  requireParadigm('--mpp', scorep.options.mpps, flags, target);
  requireParadigm('--thread', scorep.options.threads, flags, target);
}

/** @throws KymoError `scorep-unsupported` */
function requireMpi({ scorep, linked, target }: InstrumenterCommandOptions): void {
  const { mpps } = scorep.options;
  if (linked.mpi && mpps.length > 0 && !mpps.includes('mpi'))
    throw new KymoError(
      'scorep-unsupported',
      `${target} uses MPI, and this Score-P (${scorep.path}) was built without it. Load the one that was built with your MPI, or set "backend" to "kymo".`,
    );
}

/** `--thread=omp` stands for the first variant that there is. */
function requireParadigm(
  option: string,
  supported: readonly string[],
  flags: readonly string[],
  target: string,
): void {
  if (supported.length === 0) return;
  const accepted = [...supported, ...supported.map((variant) => variant.replace(/:.*$/, ''))];
  for (const flag of flags.filter((candidate) => nameOf(candidate) === option)) {
    const value = flag.slice(option.length + 1);
    if (accepted.includes(value)) continue;
    throw invalid(
      `${JSON.stringify(flag)} in "scorep": {"flags": […]} of ${target} is not what this Score-P was built with: it has ${supported.join(', ')}.`,
    );
  }
}

function nameOf(flag: string): string {
  return flag.replace(/[=:].*$/s, '');
}

function invalid(message: string): KymoError {
  return new KymoError('config-invalid', message);
}
