import { findProgram } from '../../../measurement/launch/findProgram';
import { compilerOf, inOrder, mpiAssignments, mpiCompilers, placeholderOf } from '../sources/compilers';
import { compilerWord } from '../asking/draft';
import { compilationOf, markerPrefix, type MakeOutput } from './makeOutput';
import type { Language } from '../sources/survey';

/** A variable of a makefile that names a compiler, such as `CXX = g++ -DUSE_MPI=0`. */
export interface CompilerVariable {
  readonly name: string;
  /** The compiler, as the makefile names it. */
  readonly command: string;
  readonly options: readonly string[];
  /** Placeholder for the compiler in a dry run, which identifies the variable in its commands. */
  readonly marker: string;
}

/** Assignments that pass the measuring compilers to the build. */
export interface Assignments {
  /** Assignments before `make`. */
  readonly environment: string;
  /** Assignments after `make`. */
  readonly variables: string;
  readonly notes: readonly string[];
}

/** Variables of make's data base (`make -p`) whose value begins with a compiler. */
export function candidateVariables(variables: ReadonlyMap<string, string>): readonly CompilerVariable[] {
  const wordsOf = (text: string): readonly string[] => expand(text, variables).trim().split(/\s+/);
  return [...variables].flatMap(([name, written]) => {
    const [command = '', ...options] = wordsOf(written);
    // A reference to such a variable needs no assignment of its own.
    const reference = /^\s*(\$[({][\w.-]+[)}])(?=\s|$)/.exec(written)?.[1];
    const follows = reference !== undefined && compilerOf(wordsOf(reference)[0] ?? '') !== undefined;
    // A version text also begins with the compiler's name.
    const isCompiler = compilerOf(command) !== undefined && (options[0]?.startsWith('-') ?? true);
    return follows || !isCompiler ? [] : [{ name, command, options, marker: `${markerPrefix}${name}` }];
  });
}

const longestValue = 2000;

/** Assignments of the variables with other values when compilers have other names. Values refer to further variables as in the makefile. */
export function dependentVariables(
  plain: MakeOutput,
  marked: MakeOutput,
  candidates: readonly CompilerVariable[],
): readonly string[] {
  const compilers = new Set(candidates.map(({ name }) => name));
  const named = (text: string): string =>
    candidates.reduce((result, { marker, command }) => result.replaceAll(marker, command), text);
  return [...plain.variables].flatMap(([name, value]) => {
    const other = marked.variables.get(name);
    if (
      /^M(AKE|FLAGS)/.test(name) ||
      compilers.has(name) ||
      other === undefined ||
      named(other) === value ||
      value.length > longestValue
    )
      return [];
    return [`${name}=${value}`];
  });
}

/** Only the variables that the commands of a dry run really come from, each with its options. */
export async function usedAssignments(
  candidates: readonly CompilerVariable[],
  { commands }: MakeOutput,
): Promise<Assignments> {
  const called = new Set(commands.flatMap(({ words }) => compilationOf(words)?.compiler ?? []));
  const notes: string[] = [];
  const variables: string[] = [];
  const throughMpi: Language[] = [];
  for (const { name, command, options } of candidates.filter((candidate) => called.has(candidate.marker))) {
    const { language, mpi } = compilerOf(command) ?? { language: 'C', mpi: false };
    if (!mpi) variables.push(`${name}=${compilerWord(placeholderOf[language], options)}`);
    else {
      throughMpi.push(language);
      const own = await installedMpi(language, command);
      if (own !== command) {
        variables.push(`${name}=${compilerWord(own, options)}`);
        notes.push(
          `${command}, which the Makefile names in ${name}, is not installed: ${own} takes its place.`,
        );
      }
    }
  }
  const byName = [...called].filter((compiler) => !compiler.startsWith(markerPrefix));
  for (const compiler of byName) {
    const { language, mpi } = compilerOf(compiler) ?? { language: 'C', mpi: false };
    if (mpi) throughMpi.push(language);
    else
      notes.push(
        `The Makefile calls ${compiler} by its name, not by a variable such as CC, CXX or FC: use a variable in its rules, or what it compiles cannot be measured.`,
      );
  }
  const environment = mpiAssignments(inOrder(throughMpi));
  return { environment, variables: variables.join(' '), notes };
}

async function installedMpi(language: Language, wanted: string): Promise<string> {
  for (const name of [wanted, ...mpiCompilers[language]])
    if (name.includes('/') || (await findProgram(name)) !== undefined) return name;
  return mpiCompilers[language][0];
}

/** Plain references only; functions of make stay as they are. Bounded, as values may refer to themselves. */
function expand(text: string, variables: ReadonlyMap<string, string>): string {
  let result = text;
  for (let round = 0; round < 10 && result.length < 10_000; round++) {
    const next = result.replace(
      /\$[({]([\w.-]+)[)}]/g,
      (whole, name: string) => variables.get(name) ?? whole,
    );
    if (next === result) break;
    result = next;
  }
  return result;
}
