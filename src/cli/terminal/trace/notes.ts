import { printable } from '../table';

/** Notes behind an empty line; nothing without notes. */
export function notesText(notes: readonly string[]): readonly string[] {
  return notes.length === 0 ? [] : ['', ...notes.map(printable)];
}
