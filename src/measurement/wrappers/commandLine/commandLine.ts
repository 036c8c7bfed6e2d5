import path from 'node:path';
import { at } from '../../../core/at';
import { meaningOf, type Role } from './optionTable';

/** A compiler's command line, in the order of its arguments. */
export interface CommandLine {
  readonly items: readonly Item[];
}

export type Item = InputItem | OptionItem;

export interface InputItem {
  readonly role: 'input';
  readonly file: string;
  /** The language's name as in `-x`, `object` for files that only the linker reads, undefined for unknown ones. */
  readonly language: string | undefined;
}

export interface OptionItem {
  readonly role: Role;
  readonly name: string;
  readonly value: string | undefined;
  /** The arguments as given. */
  readonly texts: readonly string[];
}

/** Suffixes of files by language (GCC manual, "Overall Options"); upper and lower case differ. */
const suffixes: Readonly<Record<string, string>> = {
  c: 'c',
  'cpp-output': 'i',
  'c++-cpp-output': 'ii',
  'c++': 'cc cp cxx cpp CPP c++ C',
  assembler: 's',
  'assembler-with-cpp': 'S sx',
  object: 'o obj lo a so',
  fortran: 'f for ftn f90 f95 f03 f08 fpp F FOR FTN F90 F95 F03 F08 FPP',
  // Only the compiler handles these: headers (which become precompiled), other languages, its own formats.
  foreign: 'h hh H hp hpp HPP hxx h++ tcc m mi mm M mii cu cuh hip cl cppm ccm ixx go ads adb d di ll bc',
};
const languages: ReadonlyMap<string, string> = new Map(
  Object.entries(suffixes).flatMap(([language, names]) =>
    names.split(' ').map((name) => [`.${name}`, language] as const),
  ),
);

/** @param plusPlus whether the driver compiles C sources as C++, as g++ does */
export function languageOf(file: string, plusPlus: boolean): string | undefined {
  if (/\.so\.[\d.]+$/.test(file)) return 'object';
  const language = languages.get(path.extname(file));
  if (plusPlus && language === 'c') return 'c++';
  if (plusPlus && language === 'cpp-output') return 'c++-cpp-output';
  return language;
}

/** @param argumentList arguments with expanded response files */
export function parseCommandLine(argumentList: readonly string[], plusPlus: boolean): CommandLine {
  const items: Item[] = [];
  let forced: string | undefined;
  for (let position = 0; position < argumentList.length;) {
    const argument = at(argumentList, position);
    if (argument === '-' || !argument.startsWith('-')) {
      items.push({ role: 'input', file: argument, language: forced ?? languageOf(argument, plusPlus) });
      position++;
      continue;
    }
    const { span, ...meaning } = meaningOf(argument, argumentList[position + 1]);
    if (meaning.role === 'language') forced = meaning.value === 'none' ? undefined : meaning.value;
    items.push({ ...meaning, texts: argumentList.slice(position, position + span) });
    position += span;
  }
  return { items };
}

export function isInput(item: Item): item is InputItem {
  return item.role === 'input';
}

export function isOption(item: Item): item is OptionItem {
  return item.role !== 'input';
}

/** The original arguments of the items. */
export function textsOf(items: readonly Item[]): string[] {
  return items.flatMap((item) => (item.role === 'input' ? [item.file] : item.texts));
}

/** The last option with one of these names, which takes precedence. */
export function lastOption(items: readonly Item[], ...names: readonly string[]): OptionItem | undefined {
  return items.filter(isOption).findLast((item) => names.includes(item.name));
}
