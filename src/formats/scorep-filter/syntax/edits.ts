import { pushTo } from '../../../core/remembered';
import type { FilterEdit, FilterFix } from './diagnostics';
import { printFilter, type FilterSyntax, type SyntaxGroup, type SyntaxToken } from './syntax';

/** Data of a file for edits; computed once, since each line of a file may need a fix. */
interface Gathered {
  readonly text: string;
  readonly groups: ReadonlyMap<number, SyntaxGroup>;
}

const cache = new WeakMap<FilterSyntax, Gathered>();

function gather(syntax: FilterSyntax): Gathered {
  const cached = cache.get(syntax);
  if (cached !== undefined) return cached;
  const groups = new Map<number, SyntaxGroup>();
  for (const block of syntax.blocks) {
    for (const group of block.groups) {
      for (const rule of group.rules) groups.set(rule, group);
    }
  }
  const gathered = { text: printFilter(syntax), groups };
  cache.set(syntax, gathered);
  return gathered;
}

/** Removes a rule; removes its INCLUDE or EXCLUDE if it was the only rule, and the line if it becomes empty. */
export function removeRule(syntax: FilterSyntax, rule: number): FilterFix {
  const { text, groups } = gather(syntax);
  const token = syntax.tokens[syntax.filter.rules[rule]?.token ?? -1];
  const group = groups.get(rule);
  if (token === undefined || group === undefined) return { title: 'Remove the rule', edits: [] };
  const words =
    group.rules.length > 1
      ? [token]
      : syntax.tokens.slice(group.keyword, group.last + 1).filter(({ kind }) => kind === 'word');
  return { title: 'Remove the rule', edits: removeWords(text, words) };
}

/** Edits that remove words with the blanks before them, and lines that become empty. */
function removeWords(text: string, words: readonly SyntaxToken[]): readonly FilterEdit[] {
  const edits: FilterEdit[] = [];
  for (const lineWords of byLine(words)) {
    const first = lineWords[0];
    const last = lineWords.at(-1);
    if (first === undefined || last === undefined) continue;
    let begin = first.offset;
    let end = last.offset + last.text.length;
    while (text[begin - 1] === ' ' || text[begin - 1] === '\t') begin--;
    const rest = /^[ \t]*\r?\n?/.exec(text.slice(end, end + 1000))?.[0] ?? '';
    const alone = (begin === 0 || text[begin - 1] === '\n') && rest.endsWith('\n');
    if (alone) end += rest.length;
    else if (begin === 0 || text[begin - 1] === '\n') begin = first.offset;
    edits.push({ offset: begin, length: end - begin, text: '' });
  }
  return edits;
}

function byLine(words: readonly SyntaxToken[]): Iterable<readonly SyntaxToken[]> {
  const lines = new Map<number, SyntaxToken[]>();
  for (const word of words) pushTo(lines, word.line, word);
  return lines.values();
}

/**
 * Makes a pattern match mangled names, and optionally replaces it. The following patterns of the group keep their meaning: MANGLED
 * applies until the next INCLUDE or EXCLUDE, so DEMANGLED precedes the next pattern.
 */
export function asMangled(
  syntax: Pick<FilterSyntax, 'tokens' | 'filter'>,
  rule: number,
  title: string,
  pattern?: string,
): FilterFix {
  const target = syntax.filter.rules[rule];
  if (target === undefined) return { title, edits: [] };
  const words = [pattern ?? target.pattern];
  if (!target.mangled) words.unshift('MANGLED');
  let after = target.token + 1;
  while (after < syntax.tokens.length && syntax.tokens[after]?.kind !== 'word') after++;
  const next = syntax.tokens[after];
  if (!target.mangled && next?.role === 'pattern') words.push('DEMANGLED');
  return { title, edits: [{ offset: target.offset, length: target.pattern.length, text: words.join(' ') }] };
}
