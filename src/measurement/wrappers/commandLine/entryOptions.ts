import { layoutNeutralEntry } from '../../../core/probes/entryNops';
import type { CompilerIdentity } from '../../compilers/compilerIdentity';
import { isOption, type CommandLine } from './commandLine';

/**
 * Options that give every function a patchable entry, and lines to what is found there.
 * @param alone whether entries are all that is added to the unit: then its code keeps its layout. Probes move code anyway.
 */
export function entryOptions(identity: CompilerIdentity, line: CommandLine, alone: boolean): string[] {
  if (identity.family === 'other' || identity.architecture === 'other') return [];
  const debug = line.items
    .filter(isOption)
    .findLast(({ name }) => /^-g([0-3]|gdb\S*|dwarf\S*|line-tables-only|mlt)?$/.test(name));
  const withoutDebug = debug === undefined || debug.name === '-g0';
  const isSplit = line.items.filter(isOption).some(({ name }) => name.startsWith('-gsplit-dwarf'));
  return [
    // In the program, where it is read.
    ...(isSplit ? ['-gno-split-dwarf'] : []),
    // Functions, inlined calls and lines are wanted; where variables live is not, and costs gcc a third of its time.
    ...(withoutDebug ? (identity.family === 'gcc' ? ['-g', '-fno-var-tracking'] : ['-g']) : []),
    `-fpatchable-function-entry=${nops(identity, alone)}`,
    // Callers may otherwise keep values in registers that a function is known not to touch.
    ...(identity.family === 'gcc' ? ['-fno-ipa-ra'] : []),
  ];
}

/** Bytes of NOP on x86-64, instructions on aarch64: all, and how many of them before the function. */
function nops({ family, architecture }: CompilerIdentity, alone: boolean): string {
  if (architecture !== 'x86-64') return '2';
  // Clang makes one instruction of the NOPs at the entry, of which five bytes could not be patched.
  if (!alone || family !== 'gcc') return '5';
  const { before, at } = layoutNeutralEntry;
  return `${before + at},${before}`;
}
