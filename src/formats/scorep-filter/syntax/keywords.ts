import { editDistance } from '../../../core/nearest';
import type { BlockKind } from './filter';

export const beginOf = { file: 'SCOREP_FILE_NAMES_BEGIN', region: 'SCOREP_REGION_NAMES_BEGIN' } as const;
export const endOf = { file: 'SCOREP_FILE_NAMES_END', region: 'SCOREP_REGION_NAMES_END' } as const;

export const filterKeywords = [
  'INCLUDE',
  'EXCLUDE',
  'MANGLED',
  'DEMANGLED',
  beginOf.file,
  endOf.file,
  beginOf.region,
  endOf.region,
] as const;

const blocks: readonly BlockKind[] = ['file', 'region'];

export function blockBegunBy(word: string): BlockKind | undefined {
  return blocks.find((block) => beginOf[block] === word);
}

export function blockEndedBy(word: string): BlockKind | undefined {
  return blocks.find((block) => endOf[block] === word);
}

export function isKeyword(word: string): boolean {
  return filterKeywords.some((keyword) => keyword === word);
}

/**
 * The keyword that the author of a word probably intended: with different case, or at most two wrong letters. Names
 * may resemble keywords, so `sure` words are only those in capitals and those that differ in case alone.
 */
export function nearestKeyword(word: string): string | undefined {
  if (word.length > 40 || isKeyword(word)) return undefined;
  const capitals = word.toUpperCase();
  if (isKeyword(capitals)) return capitals;
  if (word !== capitals) return undefined;
  let best: { readonly keyword: string; readonly distance: number } | undefined;
  for (const keyword of filterKeywords) {
    const distance = editDistance(word, keyword);
    const most = keyword.length > 10 ? 4 : 2;
    if (distance <= most && distance < (best?.distance ?? Infinity)) best = { keyword, distance };
  }
  return best?.keyword;
}
