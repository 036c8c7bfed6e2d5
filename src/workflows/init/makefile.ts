import { compilerAssignments, languagesOf, mpiAssignments } from './compilerVariables';
import { shellWord, targetNameOf, type Drafts } from './draft';
import type { Language, Survey } from './survey';

interface Rule {
  readonly target: string;
  readonly prerequisites: readonly string[];
  readonly recipe: readonly string[];
}

/** What a Makefile says, as far as reading it without running it tells. */
interface Makefile {
  readonly variables: ReadonlyMap<string, string>;
  readonly rules: readonly Rule[];
  readonly phony: ReadonlySet<string>;
}

/** @param jobs parallel jobs of the build */
export function makefileDrafts(text: string, found: Survey, jobs: number): Drafts {
  const makefile = readMakefile(text);
  const notes: string[] = [];
  const byDefault = defaultExecutable(makefile);
  const executable = byDefault ?? anyExecutable(makefile);
  if (executable === undefined)
    notes.push('The Makefile does not tell which program it makes: set "executable" in kymo.json.');
  else if (byDefault === undefined)
    notes.push(
      `The Makefile does not tell which program it makes by default. It can link ${executable}: correct "executable" in kymo.json where that is another one.`,
    );
  const languages = usedLanguages(text, found);
  const throughMpi = /\bmpi(cc|cxx|c\+\+|CC|icc|icpc|f77|f90|fort|ifort)\b/.test(text);
  const assignments = throughMpi ? mpiAssignments(languages) : compilerAssignments(languages);
  const make = `make -j${jobs}`;
  if (!throughMpi && callsByName(makefile))
    notes.push(
      'The Makefile calls a compiler by its name (such as gcc), not by CC, CXX or FC: use the variables in its rules, or nothing can be measured.',
    );
  const program = executable ?? './program';
  return {
    targets: [
      {
        name: targetNameOf(program.slice(program.lastIndexOf('/') + 1)),
        build: {
          command: throughMpi ? `${assignments} ${make}` : `${make} ${assignments}`.trim(),
          ...(makefile.rules.some((rule) => rule.target === 'clean') ? { clean: 'make clean' } : {}),
        },
        executable: program,
        ...(found.usesMpi ? { ranks: [2] } : {}),
      },
    ],
    notes,
  };
}

function usedLanguages(text: string, found: Survey): readonly Language[] {
  const mentioned: Language[] = [];
  if (/\$[({]CC[)}]/.test(text)) mentioned.push('C');
  if (/\$[({]CXX[)}]/.test(text)) mentioned.push('C++');
  if (/\$[({]FC[)}]/.test(text)) mentioned.push('Fortran');
  const present = languagesOf(found);
  return (['C', 'C++', 'Fortran'] as const).filter(
    (language) => mentioned.includes(language) || present.includes(language),
  );
}

function callsByName({ rules }: Makefile): boolean {
  return rules.some(({ recipe }) =>
    recipe.some((line) =>
      /^\s*[@-]*\s*(gcc|g\+\+|clang(\+\+)?|gfortran|cc|c\+\+|icc|icpc|icx|ifort|ifx)(-\d+)?\s/.test(line),
    ),
  );
}

/** The first program that `make` without a target links. */
export function linkedByDefault(text: string): string | undefined {
  return defaultExecutable(readMakefile(text));
}

/** The first program that any rule links: the default target may be made by a make of its own. */
function anyExecutable(makefile: Makefile): string | undefined {
  for (const { target, recipe } of makefile.rules) {
    if (isPart(target)) continue;
    const linked = recipe.flatMap((line) => linkedProgram(makefile, line, target))[0];
    if (linked !== undefined) return relative(linked);
  }
  return undefined;
}

function isPart(file: string): boolean {
  return /%|\.(o|lo|a|la|so|res|mod|d|h|c|cc|cpp|cxx|f|f90|F90)$/.test(file);
}

/** Follows the first rule to the first program that it links. */
function defaultExecutable(makefile: Makefile): string | undefined {
  const first = makefile.rules.find(({ target }) => !/^\.|%/.test(target));
  return first === undefined ? undefined : programBehind(makefile, first.target, new Set());
}

function programBehind(makefile: Makefile, target: string, seen: Set<string>): string | undefined {
  if (seen.has(target) || isPart(target)) return undefined;
  seen.add(target);
  const rules = makefile.rules.filter((rule) => rule.target === target);
  const linked = rules.flatMap(({ recipe }) =>
    recipe.flatMap((line) => linkedProgram(makefile, line, target)),
  )[0];
  if (linked !== undefined) return relative(linked);
  for (const name of rules.flatMap((rule) => rule.prerequisites)) {
    const program = programBehind(makefile, name, seen);
    if (program !== undefined) return program;
  }
  // A program without a recipe of its own is linked by make's implicit rule.
  const objects = rules.some(({ prerequisites }) =>
    prerequisites.some((name) => /\.(o|c|cc|cpp|f90)$/.test(name)),
  );
  return objects && !makefile.phony.has(target) && !rules.some(({ recipe }) => recipe.length > 0)
    ? relative(target)
    : undefined;
}

function linkedProgram(makefile: Makefile, line: string, target: string): readonly string[] {
  const expanded = expand(
    line.replaceAll('$@', () => target).replace(/\$[({]@[)}]/g, () => target),
    makefile.variables,
  );
  if (/(^|\s)-(c|E|S|M|shared)(\s|$)/.test(expanded) || /^\s*[@-]*(ar|ranlib|windres)\b/.test(expanded))
    return [];
  const name = /(?:^|\s)-o\s*(\S+)/.exec(expanded)?.[1];
  return name === undefined || name.includes('$') || isPart(name) ? [] : [name];
}

function relative(program: string): string {
  const name = shellWord(program) === program ? program : program.replaceAll(/['"]/g, '');
  return name.includes('/') ? name : `./${name}`;
}

function readMakefile(text: string): Makefile {
  const variables = new Map<string, string>();
  const rules: { target: string; prerequisites: readonly string[]; recipe: string[] }[] = [];
  let current: typeof rules = [];
  const lines = text.replace(/\\\r?\n/g, ' ').split(/\r?\n/);
  for (const line of lines) {
    if (line.startsWith('\t')) {
      current.forEach((rule) => rule.recipe.push(line.slice(1)));
      continue;
    }
    const code = line.replace(/(^|[^\\])#.*$/, '$1');
    const assignment = /^\s*(?:export\s+|override\s+)*([A-Za-z_][\w.-]*)\s*(\?|\+|::?|!)?=\s*(.*?)\s*$/.exec(
      code,
    );
    if (assignment !== null) {
      const [, name = '', operator = '', value = ''] = assignment;
      const old = variables.get(name);
      if (operator === '+') variables.set(name, `${old ?? ''} ${value}`.trim());
      else if (operator !== '?' || old === undefined) variables.set(name, value);
      continue;
    }
    const rule = /^([^\s:=#][^:=#]*?)\s*::?(?!=)\s*([^=;]*?)(?:;\s*(.*))?$/.exec(code);
    if (rule === null) continue;
    const [, targets = '', prerequisites = '', inline] = rule;
    current = words(expand(targets, variables)).map((target) => ({
      target,
      prerequisites: words(expand(prerequisites, variables)).filter((word) => word !== '|'),
      recipe: inline === undefined ? [] : [inline],
    }));
    rules.push(...current);
  }
  const phony = new Set(
    rules.filter(({ target }) => target === '.PHONY').flatMap((rule) => rule.prerequisites),
  );
  return { variables, rules, phony };
}

/** Plain references only; functions of make stay as they are. Bounded, as values may refer to themselves. */
function expand(text: string, variables: ReadonlyMap<string, string>): string {
  let result = text;
  for (let round = 0; round < 10 && result.length < 100_000; round++) {
    const next = result.replace(
      /\$[({]([\w.-]+)[)}]/g,
      (whole, name: string) => variables.get(name) ?? whole,
    );
    if (next === result) break;
    result = next;
  }
  return result;
}

function words(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}
