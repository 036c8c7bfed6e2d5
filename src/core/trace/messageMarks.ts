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

/** `int, double`; `bytes` where none is known. */
export function typeNames(marks: number, { types = [] }: EntryKeys): string {
  return types.filter((_, number) => has(marks, typeMark(number))).join(', ') || 'bytes';
}

/** `5`, `5, 7 and others`; undefined: unknown, or no messages between two processes. */
export function tagNames(marks: number, { tags = [] }: EntryKeys): string | undefined {
  const names = tags.filter((_, number) => has(marks, markOf(number))).join(', ');
  const others = has(marks, markOf(last)) ? 'others' : '';
  return [names, others].filter((part) => part !== '').join(' and ') || undefined;
}

function has(marks: number, mark: number): boolean {
  return (marks & mark) !== 0;
}
