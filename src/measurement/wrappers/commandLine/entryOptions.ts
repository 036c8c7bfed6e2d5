import { layoutNeutralEntry } from '../../../core/probes/entryNops';
import type { CompilerIdentity } from '../../compilers/compilerIdentity';
import { isOption, type CommandLine } from './commandLine';

/**
 * Options that give every function a patchable entry and line information.
 * @param alone whether the unit gets no probes, so that its code must keep its layout; probes change the layout anyway
 */
export function entryOptions(identity: CompilerIdentity, line: CommandLine, alone: boolean): string[] {
  if (identity.family === 'other' || identity.architecture === 'other') return [];
  const debug = line.items
    .filter(isOption)
    .findLast(({ name }) => /^-g([0-3]|gdb\S*|dwarf\S*|line-tables-only|mlt)?$/.test(name));
  const withoutDebug = debug === undefined || debug.name === '-g0';
  const isSplit = line.items.filter(isOption).some(({ name }) => name.startsWith('-gsplit-dwarf'));
  return [
    // Kymo reads debug information in the program itself.
    ...(isSplit ? ['-gno-split-dwarf'] : []),
    // Kymo needs functions, inlined calls and lines, but not the locations of variables, which take a third of gcc's time.
    ...(withoutDebug ? (identity.family === 'gcc' ? ['-g', '-fno-var-tracking'] : ['-g']) : []),
    `-fpatchable-function-entry=${nops(identity, alone)}`,
    // Callers could otherwise keep values in registers that the function does not use.
    ...(identity.family === 'gcc' ? ['-fno-ipa-ra'] : []),
  ];
}

/** Bytes of NOP on x86-64, instructions on aarch64: in total, and before the function. */
function nops({ family, architecture }: CompilerIdentity, alone: boolean): string {
  if (architecture !== 'x86-64') return '2';
  // Clang merges all NOPs at the entry into one instruction, which could not be patched at five bytes.
  if (!alone || family !== 'gcc') return '5';
  const { before, at } = layoutNeutralEntry;
  return `${before + at},${before}`;
}
