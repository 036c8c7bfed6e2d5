import type { FilterFix } from '../../../../src/formats/scorep-filter/syntax/diagnostics';

/** The text after a fix. */
export function applyFix(text: string, fix: FilterFix): string {
  return [...fix.edits]
    .reverse()
    .reduce(
      (all, edit) => all.slice(0, edit.offset) + edit.text + all.slice(edit.offset + edit.length),
      text,
    );
}
