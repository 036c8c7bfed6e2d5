import { KymoError } from '../../../core/errors';
import { diagnosticAt, replaceWord, type FilterDiagnostic, type FilterFix } from './diagnostics';
import type { BlockKind, Filter, FilterRule, RuleAction } from './filter';
import { beginOf, blockBegunBy, blockEndedBy, endOf, nearestKeyword } from './keywords';
import { lintRules } from './lint';
import { compileMatcher } from '../patterns/matcher';
import type { FilterSyntax, SyntaxBlock, SyntaxToken, WordRole } from './syntax';
import { tokenize, type Token } from './tokens';

/** Reads a filter file. Throws `KymoError` (`filter-invalid`) at the first error that Score-P would report. */
export function parseFilter(text: string, file: string): Filter {
  return acceptedSyntax(text, file).filter;
}

/** As `parseFilter`, with the complete syntax. */
export function acceptedSyntax(text: string, file: string): FilterSyntax {
  const syntax = parseFilterSyntax(text);
  const error = syntax.diagnostics.find(({ severity }) => severity === 'error');
  if (error === undefined) return syntax;
  const { line, column, message } = error;
  throw new KymoError('filter-invalid', `${file}:${line}:${column}: ${message}`, { file, line, column });
}

/**
 * Reads any text. Where Score-P would refuse the file and stop, it adds a diagnostic and continues: it skips a wrong word,
 * a BEGIN inside a block closes that block, and a wrong END closes the open block.
 */
export function parseFilterSyntax(text: string): FilterSyntax {
  const parser = new Parser(tokenize(text));
  const { tokens, blocks, rules } = parser.parse();
  const readable = { tokens, blocks, filter: { rules } };
  const diagnostics = [...parser.diagnostics, ...lintRules(readable)];
  diagnostics.sort((a, b) => a.offset - b.offset);
  return { ...readable, diagnostics };
}

interface OpenGroup {
  readonly action: RuleAction;
  readonly keyword: number;
  readonly rules: number[];
  last: number;
  mangled: boolean;
}

interface OpenBlock {
  readonly block: BlockKind;
  readonly begin: number;
  readonly groups: OpenGroup[];
  end?: number;
  last: number;
}

class Parser {
  readonly diagnostics: FilterDiagnostic[] = [];
  private readonly roles = new Map<number, WordRole>();
  private readonly rules: FilterRule[] = [];
  private readonly blocks: OpenBlock[] = [];
  private open: OpenBlock | undefined;
  /** Where words were misplaced last. */
  private misplaced: 'outside' | OpenBlock | undefined;

  constructor(private readonly tokens: readonly Token[]) {}

  parse(): {
    readonly tokens: readonly SyntaxToken[];
    readonly blocks: readonly SyntaxBlock[];
    readonly rules: readonly FilterRule[];
  } {
    this.tokens.forEach((token, position) => {
      if (token.kind !== 'word') return;
      this.roles.set(position, this.word(token, position));
    });
    this.reportTroubles();
    this.finish();
    const tokens = this.tokens.map((token, position) => {
      const role = this.roles.get(position);
      return role === undefined ? token : { ...token, role };
    });
    return { tokens, blocks: this.blocks, rules: this.rules };
  }

  private word(token: Token, position: number): WordRole {
    if (/^\\$/.test(token.text)) return 'stray';
    const begun = blockBegunBy(token.text);
    if (begun !== undefined) return this.begin(begun, token, position);
    const ended = blockEndedBy(token.text);
    if (ended !== undefined) return this.end(ended, token, position);
    if (this.open === undefined) return this.outside(token, position);
    this.open.last = position;
    if (token.text === 'INCLUDE' || token.text === 'EXCLUDE') {
      this.action(this.open, token.text, position);
      return 'action';
    }
    if (token.text === 'MANGLED' || token.text === 'DEMANGLED')
      return this.mangling(this.open, token, position);
    return this.pattern(this.open, token, position);
  }

  private begin(block: BlockKind, token: Token, position: number): WordRole {
    if (this.open !== undefined) {
      const end = endOf[this.open.block];
      this.error(token, 'nested-block', `“${token.text}” inside a block; the one before has no END.`, [
        { title: `Write ${end} before it`, edits: [{ offset: token.offset, length: 0, text: `${end}\n` }] },
      ]);
    }
    this.open = { block, begin: position, groups: [], last: position };
    this.blocks.push(this.open);
    return 'begin';
  }

  private end(block: BlockKind, token: Token, position: number): WordRole {
    const { open } = this;
    this.open = undefined;
    if (open === undefined) {
      this.error(token, 'stray-end', `“${token.text}” without its BEGIN.`, [removal(token)]);
      return 'stray';
    }
    open.end = position;
    open.last = position;
    if (open.block !== block) {
      const right = endOf[open.block];
      const message = `“${token.text}” ends a block that begins with ${beginOf[open.block]}.`;
      this.error(token, 'stray-end', message, [replaceWord(`Change to ${right}`, token, right)]);
    }
    return 'end';
  }

  private outside(token: Token, position: number): WordRole {
    const message = `Expected SCOREP_REGION_NAMES_BEGIN, SCOREP_FILE_NAMES_BEGIN or a comment, found “${token.text}”.`;
    this.first('outside', token, 'outside-block', message);
    // The rest of the block is read, so that a typo in its first word is one error.
    const begun = blockBegunBy(nearestKeyword(token.text) ?? '');
    if (begun !== undefined) this.begin(begun, token, position);
    return 'stray';
  }

  /** Reports a misplaced word; those behind it have the same cause unless they are keywords with a typo. */
  private first(place: 'outside' | OpenBlock, ...[token, code, message]: Report): void {
    const fixes = keywordFix(token);
    if (this.misplaced !== place || fixes.length > 0) this.error(token, code, message, fixes);
    this.misplaced = place;
  }

  private mangling(open: OpenBlock, token: Token, position: number): WordRole {
    const group = open.groups.at(-1);
    if (open.block === 'file') {
      const message = `“${token.text}” has no meaning for files; it belongs into a block of region names.`;
      this.error(token, 'mangling-misplaced', message, [removal(token)]);
      return 'stray';
    }
    if (group === undefined) {
      this.error(token, 'mangling-misplaced', `“${token.text}” must follow INCLUDE or EXCLUDE.`);
      return 'stray';
    }
    group.mangled = token.text === 'MANGLED';
    group.last = position;
    return 'mangling';
  }

  private action({ groups }: OpenBlock, word: 'INCLUDE' | 'EXCLUDE', keyword: number): void {
    const action = word === 'INCLUDE' ? 'include' : 'exclude';
    groups.push({ action, keyword, rules: [], last: keyword, mangled: false });
  }

  private pattern(open: OpenBlock, token: Token, position: number): WordRole {
    const group = open.groups.at(-1);
    if (group === undefined) return this.withoutAction(open, token, position);
    group.last = position;
    if (token.trouble === 'lost-word') return 'stray';
    group.rules.push(this.rules.length);
    const { text, line, column, offset } = token;
    this.rules.push({
      block: open.block,
      action: group.action,
      pattern: text,
      matcher: compileMatcher(this.spoiled(position) ? `${text}\r` : text),
      mangled: group.mangled,
      line,
      column,
      offset,
      token: position,
    });
    return 'pattern';
  }

  /** A word before the first INCLUDE or EXCLUDE. After a typo in one of these, the patterns are read, so that it is one error. */
  private withoutAction(open: OpenBlock, token: Token, position: number): WordRole {
    const keyword = nearestKeyword(token.text);
    if (keyword === 'INCLUDE' || keyword === 'EXCLUDE') {
      this.error(token, 'no-action', `“${token.text}” is no keyword; write ${keyword}.`, keywordFix(token));
      this.action(open, keyword, position);
    } else
      this.first(open, token, 'no-action', `Expected INCLUDE or EXCLUDE before the pattern “${token.text}”.`);
    return 'stray';
  }

  /** Whether a carriage return follows immediately. */
  private spoiled(position: number): boolean {
    return this.tokens[position + 1]?.trouble === 'carriage-return';
  }

  private finish(): void {
    const last = this.tokens.at(-1);
    const begin = this.open === undefined ? undefined : this.tokens[this.open.begin];
    if (this.open !== undefined && begin !== undefined && last !== undefined) {
      const end = endOf[this.open.block];
      const offset = last.offset + last.text.length;
      const text = last.text.endsWith('\n') ? `${end}\n` : `\n${end}\n`;
      this.warn(begin, 'not-closed', `${end} is missing; for Score-P the block ends with the file.`, [
        { title: `Write ${end} at the end`, edits: [{ offset, length: 0, text }] },
      ]);
    }
    for (const { groups } of this.blocks) {
      for (const { keyword, rules } of groups) {
        const token = this.tokens[keyword];
        if (rules.length > 0 || token === undefined) continue;
        this.warn(token, 'empty-rule', `“${token.text}” without a pattern does nothing.`, [removal(token)]);
      }
    }
  }

  private reportTroubles(): void {
    this.carriageReturns();
    for (const token of this.tokens) {
      if (token.trouble === 'continued-line') this.continued(token);
      if (token.trouble === 'joined-lines') this.joined(token);
      if (token.trouble === 'lost-word') {
        this.warn(token, 'lost-word', 'Score-P drops the last word of a file when it ends in “\\”.');
      }
    }
  }

  /** One diagnostic for all carriage returns; Score-P accepts those that only spoil patterns. */
  private carriageReturns(): void {
    const returns = this.tokens.flatMap((token, position) => {
      const isEnd = token.trouble === 'carriage-return';
      if (!isEnd && !(token.kind === 'word' && token.text.includes('\r'))) return [];
      const spoiled = isEnd ? position - 1 : position;
      return [{ token, isEnd, isPattern: this.roles.get(spoiled) === 'pattern' }];
    });
    const [first] = returns;
    if (first === undefined) return;
    const edits = returns.flatMap(({ token: { offset, text }, isEnd }) =>
      isEnd
        ? [{ offset, length: 1, text: '' }]
        : [...text.matchAll(/\r/g)].map(({ index }) => ({ offset: offset + index, length: 1, text: '\n' })),
    );
    const onlyPatterns = returns.every(({ isPattern }) => isPattern);
    const index = first.token.text.indexOf('\r');
    const { offset, line, column } = first.token;
    const place = { text: '\r', offset: offset + index, line, column: column + index };
    this.diagnostics.push(
      diagnosticAt(
        place,
        onlyPatterns ? 'warning' : 'error',
        'carriage-return',
        onlyPatterns
          ? `Score-P reads a carriage return (Windows) as a part of the pattern, so that ${returns.length === 1 ? 'this rule never matches' : `this rule and ${returns.length - 1} more never match`}.`
          : 'Lines end with a carriage return (Windows), which Score-P reads as a part of the word before it.',
        [{ title: 'Change to the line ends of Unix', edits }],
      ),
    );
  }

  /** @param token a comment that Score-P joins with the next line */
  private joined(token: Token): void {
    const end = token.text.indexOf('\n');
    const middle = end >> 1;
    const blank = token.text.lastIndexOf(' ', middle);
    const split = blank > 1 ? blank : middle;
    this.warn(
      { ...token, text: token.text.slice(0, end) },
      'joined-lines',
      'Score-P reads the next line as a part of this comment, because this line fills the buffer of its reader exactly.',
      [{ title: 'Split the comment', edits: [{ offset: token.offset + split, length: 0, text: '\n#' }] }],
    );
  }

  private continued(token: Token): void {
    const index = token.text.length - (token.text.endsWith('\\') ? 1 : 2);
    const place = { ...token, column: token.column + index, offset: token.offset + index, text: '\\' };
    const atEnd = index === token.text.length - 1;
    this.error(
      place,
      'continued-line',
      atEnd
        ? 'A line cannot be continued with “\\”; newlines have no meaning, so remove it.'
        : 'Score-P reads this “\\” as the continuation of the line; write a blank or a newline after the word.',
      [
        atEnd
          ? replaceWord('Remove the “\\”', place, '')
          : { title: 'End the line', edits: [{ offset: place.offset + 2, length: 0, text: '\n' }] },
      ],
    );
  }

  private error(...[token, code, message, fixes]: Report): void {
    this.diagnostics.push(diagnosticAt(token, 'error', code, message, fixes));
  }

  private warn(...[token, code, message, fixes]: Report): void {
    this.diagnostics.push(diagnosticAt(token, 'warning', code, message, fixes));
  }
}

type Report = [token: Token, code: FilterDiagnostic['code'], message: string, fixes?: readonly FilterFix[]];

function removal(token: Token): FilterFix {
  return replaceWord('Remove it', token, '');
}

function keywordFix(token: Token): readonly FilterFix[] {
  const keyword = nearestKeyword(token.text);
  return keyword === undefined ? [] : [replaceWord(`Change to ${keyword}`, token, keyword)];
}
