import type { FilterEdit } from '../syntax/diagnostics';
import { formatFilter } from './format';
import { beginOf, endOf } from '../syntax/keywords';
import { parseFilterSyntax } from '../syntax/parse';
import { printFilter, type FilterSyntax, type SyntaxBlock } from '../syntax/syntax';

/** Positions in `tokens`, both inclusive. */
interface Span {
  readonly first: number;
  readonly last: number;
}

/**
 * Formats some lines of a filter (from 1, inclusive). The edit begins with the INCLUDE or EXCLUDE that applies to the first line, or contains
 * whole blocks if one begins or ends in the lines. Undefined: nothing changes, or Score-P refuses the lines.
 */
export function formatLines(
  syntax: FilterSyntax,
  firstLine: number,
  lastLine: number,
): FilterEdit | undefined {
  const chosen = spanOf(syntax, firstLine, lastLine);
  if (chosen === undefined) return undefined;
  const inside = syntax.blocks.find(
    ({ begin, end = syntax.tokens.length }) => begin < chosen.first && chosen.last < end,
  );
  const span = inside === undefined ? wholeBlocks(syntax, chosen) : fromAction(syntax, inside, chosen);
  const [first, last] = [syntax.tokens[span.first], syntax.tokens[span.last]];
  if (first === undefined || last === undefined) return undefined;
  const piece = printFilter({ ...syntax, tokens: syntax.tokens.slice(span.first, span.last + 1) });
  const lines = inside === undefined ? laidOut(piece) : laidOutInside(piece, inside);
  if (lines === undefined) return undefined;
  const text = printFilter(syntax);
  const lineBegin = text.lastIndexOf('\n', first.offset - 1) + 1;
  const startsLine = text.slice(lineBegin, first.offset).trim() === '';
  const offset = startsLine ? lineBegin : first.offset;
  const length = last.offset + last.text.length - offset;
  const replacement = startsLine ? lines : `\n${lines}`;
  return text.slice(offset, offset + length) === replacement
    ? undefined
    : { offset, length, text: replacement };
}

/** The words and comments of the lines. */
function spanOf({ tokens }: FilterSyntax, firstLine: number, lastLine: number): Span | undefined {
  const isSelected = ({ kind, line }: FilterSyntax['tokens'][number]): boolean =>
    kind !== 'blank' && line >= firstLine && line <= lastLine;
  const first = tokens.findIndex(isSelected);
  return first < 0 ? undefined : { first, last: tokens.findLastIndex(isSelected) };
}

/** Extends the span to the keyword that applies to its beginning; a keyword at its end needs its first pattern. */
function fromAction({ tokens }: FilterSyntax, { groups, begin }: SyntaxBlock, { first, last }: Span): Span {
  const group = groups.find(({ keyword, last: end }) => keyword <= first && first <= end);
  const start = group?.keyword ?? first;
  let end = last;
  const lastWord = tokens.slice(begin, last + 1).findLast(({ kind }) => kind === 'word');
  if (lastWord?.role === 'action' || lastWord?.role === 'mangling') {
    const next = tokens.findIndex(
      ({ role }, position) => position > last && (role === 'pattern' || role === 'end'),
    );
    if (tokens[next]?.role === 'pattern') end = next;
  }
  return { first: start, last: end };
}

function wholeBlocks({ blocks }: FilterSyntax, { first, last }: Span): Span {
  const touched = blocks.filter((block) => block.begin <= last && block.last >= first);
  return {
    first: Math.min(first, ...touched.map(({ begin }) => begin)),
    last: Math.max(last, ...touched.map((block) => block.last)),
  };
}

/** Undefined if Score-P refuses the piece. */
function laidOut(piece: string): string | undefined {
  const syntax = parseFilterSyntax(`${piece}\n`);
  if (syntax.diagnostics.some(({ severity, code }) => severity === 'error' && code !== 'carriage-return'))
    return undefined;
  return formatFilter(syntax).replace(/\n$/, '');
}

function laidOutInside(piece: string, { block }: SyntaxBlock): string | undefined {
  const lines = laidOut(`${beginOf[block]}\n${piece}\n${endOf[block]}`)?.split('\n');
  return lines?.slice(1, -1).join('\n');
}
