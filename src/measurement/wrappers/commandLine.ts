import path from 'node:path';
import { meaningOf, type Role } from './optionTable';

/** A compiler's command line, in the order of its arguments. */
export interface CommandLine {
  readonly items: readonly Item[];
}

export type Item = InputItem | OptionItem;

export interface InputItem {
  readonly role: 'input';
  readonly file: string;
  /** The name of the language as `-x` takes it, `object` for what only the linker reads, or undefined when we do not know. */
  readonly language: string | undefined;
}

export interface OptionItem {
  readonly role: Role;
  readonly name: string;
  readonly value: string | undefined;
  /** As given. */
  readonly texts: readonly string[];
}

/** Languages by file suffix (GCC manual, "Overall Options"); case matters. */
const bySuffix: Record<string, string> = {
  '.c': 'c',
  '.i': 'cpp-output',
  '.ii': 'c++-cpp-output',
  '.cc': 'c++',
  '.cp': 'c++',
  '.cxx': 'c++',
  '.cpp': 'c++',
  '.CPP': 'c++',
  '.c++': 'c++',
  '.C': 'c++',
  '.s': 'assembler',
  '.S': 'assembler-with-cpp',
  '.sx': 'assembler-with-cpp',
  '.o': 'object',
  '.obj': 'object',
  '.lo': 'object',
  '.a': 'object',
  '.so': 'object',
};
for (const suffix of ['f', 'for', 'ftn', 'f90', 'f95', 'f03', 'f08']) {
  bySuffix[`.${suffix}`] = 'fortran';
  bySuffix[`.${suffix.toUpperCase()}`] = 'fortran';
}
/** What the compilers know and we leave to them: headers (which become precompiled), other languages, compilers' own forms. */
for (const suffix of 'h hh H hp hpp HPP hxx h++ tcc m mi mm M mii cu cuh hip cl cppm ccm ixx go ads adb d di ll bc'.split(
  ' ',
)) {
  bySuffix[`.${suffix}`] = 'foreign';
}
bySuffix['.fpp'] = bySuffix['.FPP'] = 'fortran';

/** `plusPlus`: the driver takes C sources for C++, as g++ does. */
export function languageOf(file: string, plusPlus: boolean): string | undefined {
  const suffix = path.extname(file);
  if (/\.so\.[\d.]+$/.test(file)) return 'object';
  const language = Object.hasOwn(bySuffix, suffix) ? bySuffix[suffix] : undefined;
  if (plusPlus && language === 'c') return 'c++';
  if (plusPlus && language === 'cpp-output') return 'c++-cpp-output';
  return language;
}

/** Understands arguments whose response files have been expanded. */
export function parseCommandLine(argumentList: readonly string[], plusPlus: boolean): CommandLine {
  const items: Item[] = [];
  let forced: string | undefined;
  for (let at = 0; at < argumentList.length;) {
    const argument = argumentList[at] ?? '';
    if (argument === '-' || !argument.startsWith('-')) {
      items.push({ role: 'input', file: argument, language: forced ?? languageOf(argument, plusPlus) });
      at++;
      continue;
    }
    const meaning = meaningOf(argument, argumentList[at + 1]);
    if (meaning.role === 'language') forced = meaning.value === 'none' ? undefined : meaning.value;
    items.push({
      role: meaning.role,
      name: meaning.name,
      value: meaning.value,
      texts: argumentList.slice(at, at + meaning.span),
    });
    at += meaning.span;
  }
  return { items };
}

export function isInput(item: Item): item is InputItem {
  return item.role === 'input';
}

export function isOption(item: Item): item is OptionItem {
  return item.role !== 'input';
}

/** The arguments of the items, as they were given. */
export function textsOf(items: readonly Item[]): string[] {
  return items.flatMap((item) => (item.role === 'input' ? [item.file] : item.texts));
}

/** The last option of this name, which is the one that counts. */
export function lastOption(items: readonly Item[], ...names: readonly string[]): OptionItem | undefined {
  return items.filter(isOption).findLast((item) => names.includes(item.name));
}
