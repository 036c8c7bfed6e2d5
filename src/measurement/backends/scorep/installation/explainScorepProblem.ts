import type { ErrorPlace } from '../../../../core/errors';

/** Why a build or a run with Score-P failed. `reason` is stable. */
export interface ScorepProblem {
  readonly reason: ScorepProblemReason;
  /** Sentences about what happened, why, and the next step. */
  readonly message: string;
  readonly where?: ErrorPlace;
  /** For `scorep-frame-left`: the region whose exit Score-P missed, by Score-P's name. */
  readonly region?: string;
  /** For `scorep-frame-left`: the region whose exit came instead. */
  readonly outerRegion?: string;
  /** For `scorep-callpath-depth`: the depth of the program's calls. */
  readonly depth?: number;
}

export type ScorepProblemReason =
  | 'scorep-frame-left'
  | 'scorep-callpath-depth'
  | 'scorep-memory-exceeded'
  | 'scorep-memory-refused'
  | 'scorep-filter-invalid'
  | 'scorep-filter-missing'
  | 'scorep-directory'
  | 'scorep-metric-unknown'
  | 'scorep-variable-invalid'
  | 'scorep-option-unknown'
  | 'scorep-unsupported'
  | 'scorep-threads-untracked'
  | 'scorep-opari'
  | 'scorep-lto-constructor'
  | 'scorep-compiler-mismatch'
  | 'scorep-not-linked'
  | 'scorep-user-disabled'
  | 'scorep-library-missing'
  | 'scorep-static-link'
  | 'scorep-other';

type Explain = (match: RegExpExecArray, output: string) => Omit<ScorepProblem, 'reason'>;

const longestQuote = 300;

/**
 * Explains Score-P's messages in the output of a build or a run, the most specific one first; undefined when there is none.
 * The texts are those of Score-P 8.4 (test/data/scorep); other messages are quoted.
 */
export function explainScorepProblem(output: string): ScorepProblem | undefined {
  const text = output.replace(/[^\P{Cc}\n\t]/gu, '');
  for (const [reason, pattern, explain] of knownProblems) {
    const match = pattern.exec(text);
    if (match !== null) return { reason, ...explain(match, text) };
  }
  // "Execution failed" follows the messages of the failed command itself.
  const match = /^\[Score-P\] (?:\S+:\d+: )?(?:Error|Fatal|ERROR): (?!Execution failed)(.*)$/m.exec(text);
  if (match === null) return undefined;
  return {
    reason: 'scorep-other',
    message: `Score-P reports: “${quoted(match[1])}”. Its manual and “scorep-info config-vars --full” may explain it.`,
  };
}

function quoted(text = ''): string {
  return text.trim().slice(0, longestQuote);
}

const knownProblems: readonly (readonly [ScorepProblemReason, RegExp, Explain])[] = [
  [
    'scorep-frame-left',
    /Inconsistent profile\. Stop profiling: Exit event for other than current region.*?Expected exit for region '(.*?)(?:\[\d+\])?'\. Exited region '(.*?)(?:\[\d+\])?'/,
    ([, inner, outer]) => ({
      region: quoted(inner),
      outerRegion: quoted(outer),
      message: `Score-P ended the program: ${quoted(inner)} has no exit before that of ${quoted(outer)}. An exception or a long jump left it, which Score-P 8 does not notice. Exclude functions that throw, and those that the exception leaves, from the instrumentation.`,
    }),
  ],
  [
    'scorep-memory-exceeded',
    /Out of memory\. Please increase SCOREP_TOTAL_MEMORY=(\d+)/,
    ([, bytes]) => ({
      message: `Score-P's memory for the measurement, ${megabytes(Number(bytes))} per process, was not enough for all call paths. Increase it by "scorep": {"environment": {"SCOREP_TOTAL_MEMORY": "…"}} in kymo.json (below 4G), or record fewer functions.`,
    }),
  ],
  [
    'scorep-memory-refused',
    /Cannot create memory manager for SCOREP_TOTAL_MEMORY=(\d+)/,
    ([, bytes]) => ({
      message: `The system refused Score-P the ${megabytes(Number(bytes))} per process that SCOREP_TOTAL_MEMORY requests. Lower it under "scorep": {"environment": {…}} in kymo.json, or raise the limit of the job (ulimit -v).`,
    }),
  ],
  [
    'scorep-filter-missing',
    /(?:Unable to open filter specification file|Filter file does not exists?:) '(.*?)'/,
    ([, file]) => ({
      where: { file: quoted(file) },
      message: `The filter file ${quoted(file)} cannot be read. Is it on a disk that all nodes see? Score-P needs its absolute path.`,
    }),
  ],
  ['scorep-filter-invalid', /scorep_filter_parser\.c:\d+: Error: (.*)$/m, explainFilter],
  [
    'scorep-directory',
    /Can't create experiment directory "(.*?)"|Experiment directory "(.*?)" exists and overwriting is disabled/,
    explainDirectory,
  ],
  [
    'scorep-metric-unknown',
    /PERF metric not recognized: (\S+)|Invalid rusage metric name \('(.*?)'\)|\[Score-P\].*\b(PAPI_\w+)/,
    ([, perf, rusage, papi]) => ({
      message: `The metric “${quoted(perf ?? rusage ?? papi)}” is unknown here. Choose another one under "scorep": {"environment": {…}} in kymo.json: “perf list”, “man getrusage” and “papi_avail” list the metrics.`,
    }),
  ],
  [
    'scorep-variable-invalid',
    /Can't set variable '.*?' to value '(.*?)' from environment variable (\w+)/,
    ([, value, variable]) => ({
      message: `${quoted(variable)} cannot be “${quoted(value)}”. Correct it under "scorep": {"environment": {…}} in kymo.json; “scorep-info config-vars --full” lists the accepted values.`,
    }),
  ],
  [
    'scorep-option-unknown',
    /\[Score-P\] ERROR: Unknown parameter: '(.*?)'/,
    ([, option]) => ({
      message: `This Score-P has no option ${quoted(option)}. Remove it from "scorep": {"flags": […]} in kymo.json; “scorep --help” lists the options.`,
    }),
  ],
  [
    'scorep-unsupported',
    /\[Score-P\] ERROR: (?:'(.*?)' is not supported by this Score-P installation|This installation does not support '(.*?)')|^ERROR: Unknown paradigm '(.*?)' specified/m,
    ([, feature, option, paradigm]) => ({
      message: `This Score-P was built without “${quoted(feature ?? option ?? paradigm)}”. Remove it from "scorep": {"flags": […]} in kymo.json, or load a Score-P that has it; “scorep-info config-summary” lists its features.`,
    }),
  ],
  [
    'scorep-threads-untracked',
    /Wrong timestamp order on location \d+/,
    () => ({
      message:
        'Two threads were recorded as one. The program starts threads that Score-P does not know: add "--thread=omp:opari2" (OpenMP) or "--thread=pthread" to "scorep": {"flags": […]} in kymo.json. If it has one thread only, it moved between cores with different clocks: set "SCOREP_TIMER": "clock_gettime" in "environment".',
    }),
  ],
  [
    'scorep-opari',
    /^ERROR: (.*)\n\s+near "(.*?)" construct at (.*?):(\d+)/m,
    ([, what, construct, file, line]) => ({
      where: { file: quoted(file), line: Number(line) },
      message: `OPARI2, which instruments OpenMP directives, does not understand ${quoted(file)}:${quoted(line)} (${quoted(construct)}: ${quoted(what)}). Put the block in braces that begin on the line after the directive, or add "--noopenmp" to "scorep": {"flags": […]} in kymo.json: parallel regions are still recorded then, the other directives not.`,
    }),
  ],
  [
    'scorep-lto-constructor',
    /during GIMPLE pass: scorep_instrument_function\n(?:In .*\n|(.*?): In .*\n)?/,
    ([, file]) => ({
      ...(file === undefined ? {} : { where: { file: quoted(file) } }),
      message: `The compiler crashed in Score-P's plug-in${file === undefined ? '' : ` at ${quoted(file)}`}. This is a known problem of constructors and destructors of C++ with -flto: exclude these from the instrumentation, or build with -fno-lto for the measurement.`,
    }),
  ],
  [
    'scorep-compiler-mismatch',
    /(\S*clang\S*): error: unknown argument: '(-fno-ipa-icf|-fplugin\S*)'|(cannot load plugin .*scorep\S*|incompatible gcc\/plugin versions|plugin .*scorep\S* is not licensed.*|fail(?:ed)? to initialize plugin (?:\S*scorep\S*))/,
    ([, compiler, option, plugin]) => ({
      message:
        compiler === undefined
          ? `The compiler does not load Score-P's plug-in (${quoted(plugin)}): a plug-in fits one version of gcc. “scorep-info config-summary” names it; use that, or a Score-P that was built with yours.`
          : `Score-P was built for gcc, and ${compiler} does not know its option ${quoted(option)}. Set the compiler to gcc (KYMO_CC, KYMO_CXX), or load a Score-P that was built with clang.`,
    }),
  ],
  [
    'scorep-user-disabled',
    /undefined reference to `(SCOREP_User_\w+)'|fatal error: (scorep\/SCOREP_\w+\.(?:h|inc))|Can't open (?:included|module) file '(scorep\/\S+)'/,
    ([, symbol, header, include]) => ({
      message:
        symbol === undefined
          ? `The program includes ${quoted(header ?? include)}, and a build without Score-P does not find it. Put the include and the macros between #ifdef SCOREP_USER_ENABLE and #endif, or add “scorep-config --cppflags” to the compiler's flags.`
          : `The sources use Score-P's user macros (${symbol}), and the link step does not know. Add "--user" to "scorep": {"flags": […]} in kymo.json: it has to be given for each step.`,
    }),
  ],
  [
    'scorep-not-linked',
    /undefined reference to `(scorep_\w+|SCOREP_\w+|POMP2_\w+)'/,
    ([, symbol]) => ({
      message: `Objects were compiled with Score-P and linked without it (${quoted(symbol)} is missing). The link command has to use \${cc}, \${cxx} or \${fc}, too; a library linked by ar or ld needs nothing, the program that it goes into does.`,
    }),
  ],
  [
    'scorep-library-missing',
    /error while loading shared libraries: (lib(?:scorep|cube|otf2|papi)\S*?):/,
    ([, library]) => ({
      message: `${quoted(library)} was not found when the program started. Load the module of the Score-P that it was built with, or add its folder to LD_LIBRARY_PATH of "run".`,
    }),
  ],
  [
    'scorep-static-link',
    /cannot find -l(?:scorep_|cubew|otf2)/,
    () => ({
      message:
        'The linker found no static libraries of Score-P: the program is linked with -static, and this Score-P has shared ones only. Link the program dynamically for the measurement, or load a Score-P that was built with --enable-static.',
    }),
  ],
  [
    'scorep-callpath-depth',
    /callpath depth limitation of (\d+) exceeded\.\s*Reached callpath depth was (\d+)/,
    ([, limit, depth]) => ({
      depth: Number(depth),
      message: `The program calls deeper than Score-P records: ${quoted(depth)} levels, the limit is ${quoted(limit)}. What lies deeper is one region, COLLAPSE. If it is a recursion, raise "SCOREP_PROFILING_MAX_CALLPATH_DEPTH" under "scorep": {"environment": {…}} in kymo.json; if not, exceptions or long jumps leave instrumented functions.`,
    }),
  ],
];

function megabytes(bytes: number): string {
  return bytes < 1e6 ? `${Math.round(bytes / 1000)} kB` : `${Math.round(bytes / 1e6)} MB`;
}

function explainFilter([, what]: RegExpExecArray, output: string): Omit<ScorepProblem, 'reason'> {
  const file = /Couldn't load filter file '(.*?)'/.exec(output)?.[1];
  const name = file === undefined ? 'The filter file' : `The filter file ${quoted(file)}`;
  return {
    ...(file === undefined ? {} : { where: { file: quoted(file) } }),
    message: `${name} is not understood by Score-P: ${quoted(what).replace(/^Error while parsing: /, '')}. “kymo filter check FILE” shows the line and column.`,
  };
}

function explainDirectory(
  [, failed, exists]: RegExpExecArray,
  output: string,
): Omit<ScorepProblem, 'reason'> {
  const file = quoted(failed ?? exists);
  const twice = exists !== undefined || output.includes('File does already exist');
  return {
    where: { file },
    message: twice
      ? `The experiment directory ${file} is there already. If several processes want to make it, the program uses MPI and was linked without Score-P's part for it: add "--mpp=mpi" to "scorep": {"flags": […]} in kymo.json. Otherwise remove the folder, or do not set SCOREP_OVERWRITE_EXPERIMENT_DIRECTORY to false.`
      : `Score-P cannot make the experiment directory ${file}. The folder that it lies in has to exist, and all nodes have to be able to write there.`,
  };
}
