import path from 'node:path';
import type { CompilerIdentity } from '../../compilers/compilerIdentity';
import { isInput, isOption, lastOption, type CommandLine } from './commandLine';
import type { UnitPlan } from './plan';

/** Options for which a command that compiles and links writes files named after the program. */
const pattern =
  /^(--coverage|-coverage|-ftest-coverage|-fprofile-|-fauto-profile|-fstack-usage|-fcallgraph-info|-fdump-|-ftime-trace|-fsave-optimization)/;
/** With these options, the names of clang's files are the same for all units. */
const namedAlike = /^-fprofile-(?:instr-)?(?:generate|use)\b|^-fprofile-sample|^-fauto-profile/;
/** The first gcc with options for the names of such files. */
const oldestGcc = 11;

/** The option for which a command that compiles and links writes or reads files beside the program, if any. */
export function sideFileOption(line: CommandLine): string | undefined {
  return line.items.filter(isOption).find(({ name }) => pattern.test(name))?.name;
}

/**
 * Options that give the files of a separately compiled unit the names that the driver would choose in one step (GCC manual,
 * "Overall Options", -dumpdir); undefined if the compiler has no such options.
 */
export function sideFileNames(
  { family, version }: CompilerIdentity,
  line: CommandLine,
  unit: UnitPlan,
): readonly string[] | undefined {
  if (family === 'clang') {
    const named = line.items.filter(isOption).filter(({ name }) => pattern.test(name));
    return named.every(({ name }) => namedAlike.test(name)) ? [] : undefined;
  }
  if (family !== 'gcc' || !(Number.parseInt(version, 10) >= oldestGcc)) return undefined;
  const file = path.basename(unit.input.file);
  const suffix = path.extname(file);
  const prefix = sidePrefix(line, path.basename(file, suffix));
  return ['-dumpdir', prefix, '-dumpbase', file, '-dumpbase-ext', suffix];
}

/** `t-` of a program `t`; a program of one source with the same name has no such prefix. */
function sidePrefix(line: CommandLine, stem: string): string {
  const program = (lastOption(line.items, '-o')?.value ?? 'a.out')
    .replace(/\.exe$/, '')
    .replace(/(^|\/)a\.out$/, '$1a');
  const sources = line.items
    .filter(isInput)
    .filter(({ language }) => language !== 'object' && language !== undefined);
  const isAlone = sources.length === 1 && path.basename(program) === stem;
  return isAlone ? program.slice(0, program.length - stem.length) || './' : `${program}-`;
}
