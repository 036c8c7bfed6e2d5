import type { CompilerIdentity } from '../compilers/compilerIdentity';
import { isOption, lastOption, type CommandLine, type InputItem } from './commandLine/commandLine';
import { say, type CompilerRun } from './compilerRun';
import { entryOptions } from './commandLine/entryOptions';
import { linkArguments } from './commandLine/plan';
import type { LinkAdditions } from './runtimeLibrary';

/** The kind of a link's result, which determines Kymo's additions. */
export type LinkKind = 'executable' | 'shared' | 'nothing of ours';

export function linkKind(line: CommandLine): LinkKind {
  const names = new Set(line.items.filter(isOption).map(({ name }) => name));
  if (names.has('-r') || names.has('-Wl,-r') || names.has('-Wl,--relocatable')) return 'nothing of ours';
  // libtool links C++ libraries with -nostdlib and names the standard objects itself; Kymo's object needs none of them.
  if (names.has('-shared') || names.has('--shared')) return 'shared';
  const free = ['-nostdlib', '-nodefaultlibs', '-nolibc', '-nostartfiles', '-ffreestanding'];
  return free.some((name) => names.has(name)) ? 'nothing of ours' : 'executable';
}

/**
 * Links with the registration object and, for executables, the runtime library. If that fails, runs the plain link, which prints
 * its own messages, or proves that only Kymo's additions failed.
 */
export async function link(
  run: CompilerRun,
  identity: CompilerIdentity,
  line: CommandLine,
  objects: ReadonlyMap<InputItem, string>,
  additions: (kind: 'executable' | 'shared') => Promise<LinkAdditions>,
  sourcesToo: boolean,
): Promise<number> {
  const plainArguments = linkArguments(line, objects);
  const kind = linkKind(line);
  const compiled = sourcesToo || identity.family === 'gcc' ? entryOptions(identity, line, sourcesToo) : [];
  // gcc runs the compiler once more in a link with -flto.
  const options = sourcesToo ? compiled : compiled.filter((option) => option.startsWith('-f'));
  if (kind === 'nothing of ours')
    return (await run.run([...plainArguments, ...(sourcesToo ? options : [])], 'nothing')).status;
  for (const added of await additionsInTurn(kind, additions)) {
    const result = await run.run([...options, ...withoutStrip(plainArguments), ...added], 'stderr');
    if (result.status === 0) {
      process.stderr.write(result.stderr);
      return 0;
    }
  }
  const plain = await run.run(sourcesToo ? [...options, ...plainArguments] : plainArguments, 'nothing');
  if (plain.status === 0) {
    const output = lastOption(line.items, '-o')?.value ?? 'a.out';
    say(`${output}: does not link with the measurement runtime; it cannot be measured`);
  }
  return plain.status;
}

async function additionsInTurn(
  kind: 'executable' | 'shared',
  additions: (kind: 'executable' | 'shared') => Promise<LinkAdditions>,
): Promise<(readonly string[])[]> {
  try {
    const added = await additions(kind);
    return kind === 'shared' ? [added.shared] : [added.executable, added.executableFallback];
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
    return [];
  }
}

/** Removes options that strip symbols, which Kymo needs to map addresses to functions. */
function withoutStrip(argumentList: readonly string[]): string[] {
  return argumentList.filter((argument) => !/^(-s|-Wl,(-s|-S|--strip-all|--strip-debug))$/.test(argument));
}
