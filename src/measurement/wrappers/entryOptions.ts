import type { CompilerIdentity } from '../toolchain/compilerIdentity';
import { isOption, type CommandLine } from './commandLine';

/** Options that give every function a patchable entry, and lines to what is found there. */
export function entryOptions(identity: CompilerIdentity, line: CommandLine): string[] {
  if (identity.family === 'other' || identity.architecture === 'other') return [];
  // The number counts bytes of NOP on x86 and instructions on aarch64.
  const length = identity.architecture === 'x86-64' ? 5 : 2;
  const debug = line.items
    .filter(isOption)
    .findLast(({ name }) => /^-g([0-3]|gdb\S*|dwarf\S*|line-tables-only|mlt)?$/.test(name));
  const withoutDebug = debug === undefined || debug.name === '-g0';
  return [
    // Functions, inlined calls and lines are wanted; where variables live is not, and costs gcc a third of its time.
    ...(withoutDebug ? (identity.family === 'gcc' ? ['-g', '-fno-var-tracking'] : ['-g']) : []),
    `-fpatchable-function-entry=${String(length)}`,
    // Callers may otherwise keep values in registers that a function is known not to touch.
    ...(identity.family === 'gcc' ? ['-fno-ipa-ra'] : []),
  ];
}
