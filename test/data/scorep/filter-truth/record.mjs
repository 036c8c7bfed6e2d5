// Asks a real Score-P (on PATH, built with the gcc plug-in and gfortran) for the verdict of many filters on the functions of ./src, at
// compile time and at run time, and writes filter-verdicts.json:   node record.mjs [folder that does not exist]
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const work = process.argv[2] ?? '/tmp/filter-truth';
const here = import.meta.dirname;
rmSync(work, { recursive: true, force: true });
mkdirSync(work, { recursive: true });
cpSync(path.join(here, 'src'), path.join(work, 'src'), { recursive: true });
const units = ['shapes.cc', 'plain.c', 'sub/sub.c', 'part.f90'];

/** A generator with a seed: the same filters each time. */
let state = 20261121;
const random = (below) => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
};
const pick = (list) => list[random(list.length)];

const compiler = { '.cc': 'g++', '.c': 'gcc', '.f90': 'gfortran' };

/** What the plug-in says with the highest verbosity: names that it instruments and names that it leaves out, or that it refuses. */
function compileTime(filter) {
  const flags = execFileSync('scorep-config', ['--cxxflags'], { encoding: 'utf8' }).trim().split(/\s+/);
  const plugin = '-fplugin-arg-scorep_instrument_function';
  const verdicts = new Map();
  for (const unit of units) {
    const { status, stderr } = spawnSync(
      compiler[path.extname(unit)],
      [
        ...flags,
        `${plugin}-verbosity=3`,
        ...(filter === undefined ? [] : [`${plugin}-filter=${filter}`]),
        '-w',
        '-c',
        path.join(work, 'src', unit),
        '-o',
        '/dev/null',
        `-J${work}`,
      ].filter((flag) => unit.endsWith('.f90') || !flag.startsWith('-J')),
      { encoding: 'utf8', cwd: work, env: { ...process.env, LC_ALL: 'C' } },
    );
    if (status !== 0) return undefined;
    for (const [, what, name] of stderr.matchAll(/(Instrumenting function|excluded[^']*): '([^\n]*)'$/gm)) {
      verdicts.set(name, { instrumented: what.startsWith('Instr'), inline: what.includes('inline') });
    }
  }
  return verdicts;
}

/** Regions of a run of the program in which everything is instrumented: [name, mangled name, file]. */
function runTime(filter) {
  const experiment = path.join(work, 'run');
  rmSync(experiment, { recursive: true, force: true });
  const { status } = spawnSync(path.join(work, 'program'), {
    cwd: work,
    env: {
      ...process.env,
      SCOREP_EXPERIMENT_DIRECTORY: experiment,
      ...(filter === undefined ? {} : { SCOREP_FILTERING_FILE: filter }),
    },
  });
  if (status !== 0) return undefined;
  const anchor = execFileSync('tar', ['-xOf', path.join(experiment, 'profile.cubex'), 'anchor.xml'], {
    encoding: 'utf8',
  });
  const text = (body, tag) =>
    (new RegExp(`<${tag}>(.*)</${tag}>`).exec(body)?.[1] ?? '')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&apos;', "'")
      .replaceAll('&amp;', '&');
  return [...anchor.matchAll(/<region [^>]*mod="([^"]*)"[^>]*>([\s\S]*?)<\/region>/g)]
    .map(([, file, body]) => [text(body, 'name'), text(body, 'mangled_name'), file, text(body, 'paradigm')])
    .filter(([, , , paradigm]) => paradigm === 'compiler');
}

const everything = path.join(work, 'everything.filter');
writeFileSync(everything, 'SCOREP_REGION_NAMES_BEGIN\nINCLUDE ?*\nSCOREP_REGION_NAMES_END\n');
const scorep = (tool, ...args) =>
  execFileSync(
    'scorep',
    ['--nomemory', '--mpp=none', '--thread=none', `--instrument-filter=${everything}`, tool, '-w', ...args],
    { cwd: work },
  );
for (const unit of units) {
  scorep(
    compiler[path.extname(unit)],
    '-c',
    path.join(work, 'src', unit),
    '-o',
    `${unit.replaceAll('/', '_')}.o`,
  );
}
scorep('g++', ...units.map((unit) => `${unit.replaceAll('/', '_')}.o`), '-lgfortran', '-o', 'program');

const plain = compileTime(undefined);
const functions = runTime(undefined)
  .filter(([name]) => plain.has(name))
  .map(([name, mangledName, file]) => ({ name, mangledName, file, inline: plain.get(name).inline }));

const escaped = (name) => name.replace(/[\\*?[\]# \t]/g, '\\$&');
const piece = (text) => {
  const from = random(text.length);
  return text.slice(from, from + 1 + random(6));
};
function pattern(mangled) {
  const f = pick(functions);
  const name = mangled ? f.mangledName : f.name;
  switch (random(9)) {
    case 0:
      return '*';
    case 1:
      return '?*';
    case 2:
      return escaped(name);
    case 3:
      return `*${escaped(piece(name))}*`;
    case 4:
      return `${escaped(name.slice(0, 1 + random(name.length)))}*`;
    case 5:
      return `*${escaped(name.slice(random(name.length)))}`;
    case 6:
      return [...name].map((c) => (random(4) === 0 ? '?' : escaped(c))).join('');
    case 7:
      return `*[${pick(['a-m', '!a-m', '[:digit:]', '^_', '_Z', '(,'])}]${pick(['*', '?', ''])}`;
    default:
      return escaped(pick([f.mangledName, f.name]));
  }
}
function filePattern() {
  const { file } = pick(functions);
  return pick([
    '*',
    '*/shapes.*',
    '*.c',
    '*/sub/*',
    'shapes.cc',
    file,
    `*${piece(file)}*`,
    '*.[ch]',
    '*.h',
    '*.?90',
  ]);
}
function block(kind) {
  const words = [];
  for (let at = 1 + random(4); at > 0; at--) {
    words.push(pick(['INCLUDE', 'EXCLUDE', 'EXCLUDE']));
    let mangled = false;
    for (let more = 1 + random(2); more > 0; more--) {
      if (kind === 'REGION' && random(3) === 0) {
        mangled = !mangled;
        words.push(mangled ? 'MANGLED' : 'DEMANGLED');
      }
      words.push(kind === 'REGION' ? pattern(mangled) : filePattern());
    }
  }
  return `SCOREP_${kind}_NAMES_BEGIN\n${words.map((word) => word + pick([' ', '\n', '\t', ' # x\n'])).join('')}\nSCOREP_${kind}_NAMES_END\n`;
}

const region = (body) => `SCOREP_REGION_NAMES_BEGIN\n${body}\nSCOREP_REGION_NAMES_END\n`;
const padded = (text, length) => text + 'x'.repeat(length - text.length);
const byHand = [
  '',
  '# only a comment\n',
  region('INCLUDE sub_c\nEXCLUDE *'),
  region('EXCLUDE *\nINCLUDE *'),
  region('INCLUDE *'),
  region('INCLUDE MANGLED *'),
  region('INCLUDE **'),
  region('INCLUDE ?*'),
  region('INCLUDE *inline*\nINCLUDE *'),
  region('INCLUDE ?*\nEXCLUDE *\nINCLUDE *'),
  region('INCLUDE ?*\nEXCLUDE *c*\nINCLUDE *c*'),
  region('EXCLUDE sub_c plain_c main'),
  region('EXCLUDE int\\ main()'),
  region('EXCLUDE MANGLED main DEMANGLED sub_c'),
  region('EXCLUDE _ZN3geo4areaEPKdS1_'),
  region('EXCLUDE MANGLED _ZN3geo4areaEPKdS1_'),
  region('EXCLUDE Real_t*'),
  region('EXCLUDE double*'),
  region('EXCLUDE *\\[with*'),
  region('EXCLUDE *[[]with*'),
  region('EXCLUDE *\nINCLUDE MANGLED _ZN3geo3BoxC1Ei _ZN3geo3BoxD1Ev'),
  region('EXCLUDE *\nINCLUDE MANGLED _ZN3geo3BoxC2Ei _ZN3geo3BoxD2Ev'),
  region('EXCLUDE *\nINCLUDE solver::step fortran_part*'),
  region('EXCLUDE *\nINCLUDE MANGLED __solver_MOD_step fortran_part_'),
  region('EXCLUDE *#c\n'),
  region('EXCLUDE sub_c\\#'),
  region('EXCLUDE sub_c#comment'),
  region('EXCLUDE include INCLUDE'),
  region('EXCLUDE \\include*'),
  region('EXCLUDE \\*'),
  region('EXCLUDE [sp]*_c'),
  region('EXCLUDE [!sp]*'),
  region('EXCLUDE [sp*'),
  region('EXCLUDE *[[:foo:]]*'),
  region('EXCLUDE *'.repeat(50)),
  'SCOREP_REGION_NAMES_BEGIN EXCLUDE * INCLUDE sub_c SCOREP_REGION_NAMES_END',
  'SCOREP_REGION_NAMES_BEGIN EXCLUDE * INCLUDE sub_c',
  'SCOREP_REGION_NAMES_BEGIN EXCLUDE sub_c SCOREP_REGION_NAMES_END SCOREP_REGION_NAMES_BEGIN INCLUDE sub_c EXCLUDE plain_c SCOREP_REGION_NAMES_END',
  'SCOREP_FILE_NAMES_BEGIN EXCLUDE * SCOREP_FILE_NAMES_END SCOREP_REGION_NAMES_BEGIN INCLUDE ?* SCOREP_REGION_NAMES_END',
  'SCOREP_REGION_NAMES_BEGIN INCLUDE ?* SCOREP_REGION_NAMES_END SCOREP_FILE_NAMES_BEGIN EXCLUDE *.c INCLUDE */sub.c SCOREP_FILE_NAMES_END',
  'SCOREP_FILE_NAMES_BEGIN EXCLUDE sub.c shapes.cc SCOREP_FILE_NAMES_END',
  'SCOREP_FILE_NAMES_BEGIN EXCLUDE */shapes.h SCOREP_FILE_NAMES_END SCOREP_REGION_NAMES_BEGIN INCLUDE ?* SCOREP_REGION_NAMES_END',
  // what it refuses, or takes for something else
  'EXCLUDE *',
  region('exclude *'),
  region('EXCLUDE Mangled main'),
  region('sub_c'),
  region('MANGLED EXCLUDE sub_c'),
  'SCOREP_FILE_NAMES_BEGIN EXCLUDE MANGLED * SCOREP_FILE_NAMES_END',
  'SCOREP_FILE_NAMES_BEGIN EXCLUDE *.c SCOREP_REGION_NAMES_END',
  'SCOREP_FILE_NAMES_BEGIN SCOREP_REGION_NAMES_BEGIN EXCLUDE * SCOREP_REGION_NAMES_END',
  'SCOREP_REGION_NAMES_END',
  region('EXCLUDE sub_c \\\nplain_c'),
  region('EXCLUDE sub_c\\\nplain_c'),
  region('EXCLUDE sub_c\\\\\nplain_c'),
  region('EXCLUDE a\\ # comment'),
  region('EXCLUDE a\\  # comment'),
  region('EXCLUDE sub_\\c# comment'),
  region('EXCLUDE sub_\\c # comment'),
  region('EXCLUDE x\\\\ sub_c'),
  region('EXCLUDE x\\\\# sub_c'),
  'SCOREP_REGION_NAMES_BEGIN EXCLUDE sub_\\c',
  'SCOREP_REGION_NAMES_BEGIN EXCLUDE sub_c\\',
  'SCOREP_REGION_NAMES_BEGIN EXCLUDE sub_c x\\ ',
  region('EXCLUDE sub_c').replaceAll('\n', '\r\n'),
  'SCOREP_REGION_NAMES_BEGIN EXCLUDE sub_c\r\nplain_c\nSCOREP_REGION_NAMES_END\n',
  'SCOREP_REGION_NAMES_BEGIN EXCLUDE sub_c # with\r\nplain_c\nSCOREP_REGION_NAMES_END\n',
  region('EXCLUDE sub_c\rplain_c'),
  region('EXCLUDE sub_c \r plain_c'),
  // lines that end where the buffer of its reader does: 1,023 bytes with the newline, then 2,047
  ...[1021, 1022, 1023].map((length) => region(`${padded('EXCLUDE sub_c # ', length)}\nplain_c\nmain`)),
  region(`${padded('EXCLUDE sub_c # ö', 1021)}\nplain_c\nmain`),
  region(`${padded('EXCLUDE sub_c ', 1022)}\nplain_c\nmain`),
  region(`${padded('EXCLUDE sub_c # ', 2046)}\nplain_c\nmain`),
  region(`# ${'x'.repeat(1100)}\n${padded('EXCLUDE sub_c # ', 1022)}\nplain_c`),
  region(`# ${'x'.repeat(1100)}\n${padded('EXCLUDE sub_c # ', 2046)}\nplain_c`),
  region(`${padded('EXCLUDE sub_c ', 1022)}\n${padded('EXCLUDE sub_c # ', 1023)}\nplain_c`),
  // names that are not ASCII
  ...[
    'größe',
    'gr??e',
    'gr????e',
    'gr*e',
    'gr[ö]*',
    'gr[ö][ß]e',
    'gr[à-ü]*',
    'gr[!a][!a]e',
    'gr[!a]*',
    'gr[[:alpha:]]*',
  ].map((name) => region(`EXCLUDE *\nINCLUDE ${name}`)),
  region('EXCLUDE *\nINCLUDE MANGLED gr????e'),
  region('EXCLUDE\u00a0sub_c'),
  region('EXCLUDE sub_c\vplain_c'),
  region('EXCLUDE'),
  region('EXCLUDE MANGLED'),
  'SCOREP_UNKNOWN_BEGIN',
];
const generated = Array.from({ length: 110 }, () => {
  const parts = [
    block('REGION'),
    ...(random(3) === 0 ? [block('FILE')] : []),
    ...(random(5) === 0 ? [block('REGION')] : []),
  ];
  return random(2) === 0 ? parts.join('') : parts.reverse().join('');
});

const filters = [...byHand, ...generated].map((text) => {
  const file = path.join(work, 'tried.filter');
  writeFileSync(file, text);
  const compiled = compileTime(file);
  const ran = runTime(file);
  // One digit for each function: 1 instrumented, 0 not; undefined: refused.
  const atCompileTime =
    compiled && functions.map(({ name }) => (compiled.get(name)?.instrumented === true ? 1 : 0)).join('');
  const atRunTime =
    ran && functions.map(({ name }) => (ran.some(([other]) => other === name) ? 1 : 0)).join('');
  return { text, compileTime: atCompileTime ?? 'refused', runTime: atRunTime ?? 'refused' };
});
const version = execFileSync('scorep', ['--version'], { encoding: 'utf8' }).trim();
const lines = [
  '{',
  ` "madeBy": ${JSON.stringify(version)},`,
  ` "functions": [`,
  functions.map((f) => `  ${JSON.stringify(f)}`).join(',\n'),
  ' ],',
  ' "filters": [',
  filters.map((f) => `  ${JSON.stringify(f)}`).join(',\n'),
  ' ]',
  '}',
];
writeFileSync(path.join(here, '..', 'filter-verdicts.json'), `${lines.join('\n')}\n`);
rmSync(work, { recursive: true, force: true });
process.stdout.write(`${filters.length} filters × ${functions.length} functions × 2\n`);
