import { beginOf, endOf } from '../../formats/scorep-filter/syntax/keywords';
import type { FilterPlace } from '../../formats/scorep-filter/editing/filterPlace';

/** A keyword to choose. */
export interface Keyword {
  readonly word: string;
  /** With what belongs to it; a snippet. */
  readonly snippet?: string;
  readonly detail?: string;
}

/** The keywords that may stand at a place, the likeliest first. */
export function keywordsAt({ block, afterAction, hasAction, word }: FilterPlace): readonly Keyword[] {
  if (block === undefined) {
    return [
      {
        word: beginOf.region,
        snippet: 'SCOREP_REGION_NAMES_BEGIN\n  EXCLUDE *\n  INCLUDE MANGLED $0\nSCOREP_REGION_NAMES_END',
        detail: 'a list of functions',
      },
      {
        word: beginOf.file,
        snippet: 'SCOREP_FILE_NAMES_BEGIN\n  EXCLUDE */$0\nSCOREP_FILE_NAMES_END',
        detail: 'files to leave out',
      },
    ];
  }
  const mangling = block === 'region' && hasAction ? [{ word: 'MANGLED' }, { word: 'DEMANGLED' }] : [];
  const end = { word: endOf[block] };
  const rules = [{ word: 'INCLUDE' }, { word: 'EXCLUDE' }];
  // Behind a bare INCLUDE another one makes no sense, unless it is being written right there.
  if (afterAction && word === undefined) return mangling;
  return afterAction ? [...mangling, ...rules, end] : [...rules, ...mangling, end];
}
