/* oxlint-disable no-control-regex -- files that are no text begin with control characters */

/** A kind of file that is told by its beginning. */
export interface FileKind {
  /** After “is”. */
  readonly what: string;
  /** A sentence: what to do with it, and which command takes it. */
  readonly use: string;
}

/** Bytes by which `kindOf` tells a file. */
export const bytesOfKind = 4096;

const traceCommands = '“kymo trace show” and “kymo compare” take';
const inFolder = 'Give the folder that it is in.';

/** Patterns of the beginning, one character per byte; the first that fits. */
const kinds: readonly (readonly [beginning: RegExp, what: string, use: string])[] = [
  [/^$/, 'empty', 'Write it again, or look why the program that writes it wrote nothing.'],
  [
    /^\x7fELF/,
    'a program or library (ELF)',
    '“kymo measure” runs a program and records its iterations; “kymo callgraph” takes programs that Kymo’s wrappers built.',
  ],
  [/^\x1f\x8b/, 'compressed by gzip', 'Decompress it first (gunzip).'],
  [/^\xfd7zXZ\0/, 'compressed by xz', 'Decompress it first (unxz).'],
  [/^BZh[1-9]/, 'compressed by bzip2', 'Decompress it first (bunzip2).'],
  [/^\x28\xb5\x2f\xfd/, 'compressed by zstd', 'Decompress it first (unzstd).'],
  [
    /^PK(?:\x03\x04|\x05\x06)/,
    'a ZIP archive',
    'Unpack it first. “kymo model” takes those of Extra-P (*.extra-p).',
  ],
  [/^\x03[B#]OTF2/, 'the anchor of an OTF2 trace', `${traceCommands} it.`],
  [/^\x03[B#]/, 'a part of an OTF2 trace', `${traceCommands} the file *.otf2 of the trace.`],
  [/^#mvtrace/, 'a call-graph trace', '“kymo compare” takes it.'],
  [
    /^KYMOTRC\d/,
    'the trace of a process as Kymo records it',
    `${traceCommands} the file traces.otf2 of its experiment.`,
  ],
  [
    /^KYMO(?:ITP|RES|JOB)\d/,
    'a result of a process as Kymo records it',
    'Give the folder of its experiment.',
  ],
  [/^kymotrix/, 'an index of a trace', `${traceCommands} the trace beside which it is.`],
  [
    /^(?:PERFILE2|2ELIFREP)/,
    'a recording of Linux perf (perf.data)',
    'It has no iterations, and no command of Kymo takes it.',
  ],
  [
    /^(?:# callgrind format|version: *\d+\s+creator: *callgrind|(?:[^\n]*\n){0,8}events: [A-Z])/,
    'a profile of Callgrind',
    'It has no iterations, and no command of Kymo takes it.',
  ],
  [/^gmon/, 'a profile of gprof', 'It has no iterations, and no command of Kymo takes it.'],
  [
    /^(?:<\?xml[^>]*>\s*)?<cube\b/,
    'the description of a Cube profile (XML)',
    'Give the whole profile, such as profile.cubex.',
  ],
  [/^\s*(?:#[^\n]*\s+)*SCOREP_\w+_NAMES_BEGIN/, 'a filter of Score-P', '“kymo filter check” takes it.'],
  [/^(?:\xff\xfe|\xfe\xff)/, 'a text in UTF-16', 'Save it as UTF-8.'],
  [
    /^\s*(?:\{[^]*"traceEvents"\s*:|\[\s*\{[^}]*"ph"\s*:)/,
    'a trace of Chrome or Perfetto (JSON)',
    'No command of Kymo takes it. “kymo trace convert” makes such files of OTF2 traces, which “kymo trace show” takes.',
  ],
  [
    /^\s*\{[^]*"\$schema"\s*:\s*"[^"]*speedscope/,
    'a profile of speedscope',
    'It has no iterations, and no command of Kymo takes it.',
  ],
  [/^\s*\{[^]*"\$schema"\s*:\s*"[^"]*sarif/, 'a list of findings (SARIF)', 'No command of Kymo takes it.'],
  [/^\s*\{\s*"kymoStudy"/, 'the progress of a study', inFolder],
  [/^\s*\{\s*"kymoExperiment"/, 'the description of an experiment', inFolder],
  [
    /^\s*\{\s*"kymoParameterStudy"/,
    'the progress of a study',
    '“kymo model” takes the folder that it is in.',
  ],
  [/^\s*\{[^]*"kymoRules"\s*:/, 'a file of rules', 'Give it with --rules, beside what they are for.'],
  [/^\s*\{\s*"kymo(?:Functions|Selection)"/, 'a file of a study', inFolder],
  [
    /^\s*\{[^]*"targets"\s*:\s*\[/,
    'a file of settings (kymo.json)',
    'For its newest experiment, give --workspace and the folder that it is in.',
  ],
  [
    /^\s*\{\s*"properties"\s*:/,
    'a list of properties',
    'No command of Kymo takes it. Give what they were found in.',
  ],
  [/^\s*\{\s*"metrics"\s*:/, 'a profile as JSON', 'It has no iterations. “kymo groups” takes it.'],
  [/^\s*\{\s*"_MetaCG"/, 'a call graph (MetaCG)', '“kymo select” takes it.'],
  [
    /^\s*\[\s*\{[^}]*"(?:directory|command|arguments)"\s*:/,
    'a compilation database',
    '“kymo callgraph” takes it.',
  ],
  [/^[^]{257}ustar/, 'a tar archive', 'Unpack it first.'],
  [/[\0-\x08\x0e-\x1a]/, 'a binary file of a kind that Kymo does not know', 'Give another file.'],
];

/** What a file is that was taken for another one; undefined: a text of an unknown kind. */
export function kindOf(beginning: Uint8Array): FileKind | undefined {
  const text = Buffer.from(beginning.subarray(0, bytesOfKind))
    .toString('latin1')
    .replace(/^\xef\xbb\xbf/, '');
  const [, what, use] = kinds.find(([pattern]) => pattern.test(text)) ?? [];
  return what === undefined || use === undefined ? undefined : { what, use };
}
