import type { EntryKeys } from './callTrace';

// Types of elements and tags of the messages of a row are one set of 32 bits: half for each, and the last of each half stands for all further ones.
const last = 15;

/** The set of just this type, by its number. */
export function typeMark(number: number): number {
  return 2 ** Math.min(number, last);
}

/** The set of just this tag. @param tags those that are known; a new one is added where there is room: programs that count their messages by tags have one for each */
export function tagMark(tags: number[], tag: number): number {
  const known = tags.indexOf(tag);
  if (known >= 0) return markOf(known);
  return markOf(tags.length < last ? tags.push(tag) - 1 : last);
}

function markOf(tag: number): number {
  return 2 ** (last + 1 + tag);
}

/** The types of a set, without its tags. */
export function typesIn(marks: number): number {
  return marks & 0xffff;
}

/** `int, double`, `int and others`; `bytes` where none is known. */
export function typeNames(marks: number, { types = [] }: EntryKeys): string {
  return namesOf(types, typesIn(marks)) || 'bytes';
}

/** `5`, `5, 7 and others`; undefined: unknown, or no messages between two processes. */
export function tagNames(marks: number, { tags = [] }: EntryKeys): string | undefined {
  return namesOf(tags, marks >>> (last + 1)) || undefined;
}

/** @param half of a set */
function namesOf(all: readonly (string | number)[], half: number): string {
  const has = (number: number): boolean => ((half >>> number) & 1) === 1;
  const known = all.slice(0, last).filter((_, number) => has(number));
  return [known.join(', '), has(last) ? 'others' : ''].filter((part) => part !== '').join(' and ');
}
