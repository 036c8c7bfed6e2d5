import * as l10n from '@vscode/l10n';
import { beginOf, endOf } from '../../formats/scorep-filter/syntax/keywords';
import type { FilterPlace } from '../../formats/scorep-filter/editing/filterPlace';

/** A keyword that can be completed. */
export interface Keyword {
  readonly word: string;
  /** The keyword with its operands, as a snippet. */
  readonly snippet?: string;
  readonly detail?: string;
}

/** Valid keywords at a place, the likeliest first. */
export function keywordsAt({ block, afterAction, hasAction, word }: FilterPlace): readonly Keyword[] {
  if (block === undefined) {
    return [
      {
        word: beginOf.region,
        snippet: 'SCOREP_REGION_NAMES_BEGIN\n  EXCLUDE *\n  INCLUDE MANGLED $0\nSCOREP_REGION_NAMES_END',
        detail: l10n.t('a list of functions'),
      },
      {
        word: beginOf.file,
        snippet: 'SCOREP_FILE_NAMES_BEGIN\n  EXCLUDE */$0\nSCOREP_FILE_NAMES_END',
        detail: l10n.t('files to leave out'),
      },
    ];
  }
  const mangling = block === 'region' && hasAction ? [{ word: 'MANGLED' }, { word: 'DEMANGLED' }] : [];
  const end = { word: endOf[block] };
  const rules = [{ word: 'INCLUDE' }, { word: 'EXCLUDE' }];
  // A bare INCLUDE cannot be followed by another one, unless it is just being typed there.
  if (afterAction && word === undefined) return mangling;
  return afterAction ? [...mangling, ...rules, end] : [...rules, ...mangling, end];
}
