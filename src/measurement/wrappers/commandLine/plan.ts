import path from 'node:path';
import {
  isInput,
  isOption,
  lastOption,
  parseCommandLine,
  textsOf,
  type CommandLine,
  type InputItem,
  type Item,
} from './commandLine';
import { sideFileOption } from './sideFiles';

/** The steps for one command line of the compiler. */
export type Plan =
  /** The plain compiler. */
  | { readonly kind: 'plain' }
  /** The compiler with patchable entries: units that are not C or C++, or that need the compiler's own pipeline. */
  | {
      readonly kind: 'entries';
      readonly links: boolean;
      readonly line: CommandLine;
      /** The option that needs the compiler's own pipeline. */
      readonly reason?: string | undefined;
    }
  /** Preprocess and parse units, and insert probes; then, unless `-c`, link. */
  | {
      readonly kind: 'units';
      readonly units: readonly UnitPlan[];
      readonly links: boolean;
      readonly line: CommandLine;
      /** The option that makes each unit write files named after the program, if the command links. */
      readonly sideFiles?: string | undefined;
    }
  /** Objects only; no unit to compile. */
  | { readonly kind: 'link'; readonly line: CommandLine };

export interface UnitPlan {
  readonly input: InputItem;
  readonly language: 'c' | 'c++';
  /** Whether the text is already preprocessed (`.i`, `.ii`). */
  readonly preprocessed: boolean;
  /** The object file; undefined for a temporary one, which the same command links. */
  readonly object: string | undefined;
  /** File and target of the dependencies that the plain compiler would write (`-MD`, `-MMD`). */
  readonly dependencyOptions: readonly string[];
}

const unitLanguages: Record<string, { language: 'c' | 'c++'; preprocessed: boolean }> = {
  c: { language: 'c', preprocessed: false },
  'c++': { language: 'c++', preprocessed: false },
  'cpp-output': { language: 'c', preprocessed: true },
  'c++-cpp-output': { language: 'c++', preprocessed: true },
};

export function planCommand(argumentList: readonly string[], plusPlus: boolean): Plan {
  const line = parseCommandLine(argumentList, plusPlus);
  const options = line.items.filter(isOption);
  const inputs = line.items.filter(isInput);
  // Kymo has no sites for machines other than the compiler's own.
  if (options.some((item) => /^(-m(32|x32|16)|--?target(=.*)?)$/.test(item.name))) return { kind: 'plain' };
  if (options.some((item) => item.role === 'inquiry') || inputs.length === 0) return { kind: 'plain' };
  // A pipe can be read only once; headers and unknown languages are compiled unchanged.
  if (inputs.some(({ file, language }) => file === '-' || isForeign(language))) return { kind: 'plain' };
  const links = lastOption(line.items, '-c') === undefined;
  const sources = inputs.filter(({ language }) => language !== 'object' && language !== undefined);
  if (sources.length === 0) return links ? { kind: 'link', line } : { kind: 'plain' };
  // For wrong usage, the compiler prints the best message.
  if (!links && sources.length > 1 && lastOption(line.items, '-o') !== undefined) return { kind: 'plain' };
  const pipelineOption = reasonForOwnPipeline(line.items, sources, links);
  if (pipelineOption !== undefined) return { kind: 'entries', links, line, reason: pipelineOption };
  const units = sources.flatMap((input) => unitPlan(line.items, input, links));
  const mixed = !links && units.length < sources.length;
  if (units.length === 0 || mixed) return { kind: 'entries', links, line };
  return { kind: 'units', units, links, line, sideFiles: links ? sideFileOption(line) : undefined };
}

function isForeign(language: string | undefined): boolean {
  return (
    language !== undefined &&
    !Object.hasOwn(unitLanguages, language) &&
    !/^(object|assembler|assembler-with-cpp|fortran|f77|f77-cpp-input|f95|f95-cpp-input)$/.test(language)
  );
}

function reasonForOwnPipeline(
  items: readonly Item[],
  sources: readonly InputItem[],
  links: boolean,
): string | undefined {
  const option = items.filter(isOption).find((item) => item.role === 'own-pipeline');
  if (option !== undefined) return option.name;
  const pch = items
    .filter(isOption)
    .find((item) => item.name === '-Xclang' && /pch|module/.test(item.value ?? ''));
  if (pch !== undefined) return pch.texts.join(' ');
  if (!links) return undefined;
  const dependency = lastOption(items, '-MD', '-MMD');
  const named = lastOption(items, '-MF') !== undefined || lastOption(items, '-o') !== undefined;
  return dependency !== undefined && (!named || sources.length > 1) ? dependency.name : undefined;
}

function unitPlan(items: readonly Item[], input: InputItem, links: boolean): UnitPlan[] {
  const kind = unitLanguages[input.language ?? ''];
  if (kind === undefined) return [];
  const output = lastOption(items, '-o')?.value;
  const stem = path.basename(input.file, path.extname(input.file));
  const object = links ? undefined : (output ?? `${stem}.o`);
  return [
    {
      input,
      ...kind,
      object,
      dependencyOptions: kind.preprocessed ? [] : dependencyOptions(items, stem, output),
    },
  ];
}

/**
 * File and target of `-MD`/`-MMD` as the driver chooses them (GCC manual, "Preprocessor Options"): from the output's name if there
 * is one, else from the source's, in the current folder.
 */
function dependencyOptions(items: readonly Item[], stem: string, output: string | undefined): string[] {
  if (lastOption(items, '-MD', '-MMD') === undefined) return [];
  const added: string[] = [];
  if (lastOption(items, '-MF') === undefined) {
    added.push('-MF', output === undefined ? `${stem}.d` : `${withoutSuffix(output)}.d`);
  }
  if (lastOption(items, '-MT', '-MQ') === undefined && output !== undefined) added.push('-MQ', output);
  return added;
}

function withoutSuffix(file: string): string {
  return file.slice(0, file.length - path.extname(file).length);
}

/** Arguments of the step that preprocesses a unit to standard output. */
export function preprocessArguments(line: CommandLine, unit: UnitPlan): string[] {
  const options = line.items.filter(
    (item) =>
      (item.role === 'both' || item.role === 'preprocess' || item.role === 'dependency') &&
      item.name !== '-P',
  );
  return [...textsOf(options), ...unit.dependencyOptions, '-E', '-x', unit.language, unit.input.file];
}

/** The options of the step that compiles preprocessed text. */
export function compileOptions(line: CommandLine): string[] {
  return textsOf(line.items.filter((item) => item.role === 'both' || item.role === 'assemble'));
}

/** The arguments of the link, in which objects replace the compiled units. */
export function linkArguments(line: CommandLine, objects: ReadonlyMap<InputItem, string>): string[] {
  const words: string[] = [];
  let language: string | undefined;
  for (const item of line.items) {
    if (item.role === 'language') language = item.value === 'none' ? undefined : item.value;
    const object = item.role === 'input' ? objects.get(item) : undefined;
    if (object !== undefined) {
      words.push(...(language === undefined ? [object] : ['-x', 'none', object, '-x', language]));
    } else if (item.role !== 'dependency') {
      words.push(...textsOf([item]));
    }
  }
  return language === undefined ? words : [...words, '-x', 'none'];
}
