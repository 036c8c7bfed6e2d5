import { KymoError } from '../../core/errors';
import type { Filter, FilterRule } from './filter';
import { compilePattern, matchesEverything } from './fnmatch';
import { tokenize, type Token } from './tokens';

export interface FilterDiagnostic {
  readonly severity: 'error' | 'warning';
  readonly message: string;
  readonly line: number;
  readonly column: number;
}

export interface CheckedFilter {
  /** The rules that could be read. */
  readonly filter: Filter;
  /** In the order of the file. */
  readonly diagnostics: readonly FilterDiagnostic[];
}

/** Reads a filter file; throws `KymoError` (`filter-invalid`) at the first thing that Score-P would refuse. */
export function parseFilter(text: string, file: string): Filter {
  const { filter, diagnostics } = checkFilter(text);
  const error = diagnostics.find((d) => d.severity === 'error');
  if (error !== undefined) {
    const { line, column, message } = error;
    throw new KymoError('filter-invalid', `${file}:${line}:${column}: ${message}`, { file, line, column });
  }
  return filter;
}

/** Reads a filter file and reports everything that Score-P would refuse (errors) or that does not do what it seems to (warnings). */
export function checkFilter(text: string): CheckedFilter {
  const parser = new Parser();
  for (const token of tokenize(text)) parser.take(token);
  const rules = parser.finish();
  const diagnostics = [...parser.diagnostics, ...suspicious(rules)];
  diagnostics.sort((a, b) => a.line - b.line || a.column - b.column);
  return { filter: { rules }, diagnostics };
}

const begin: ReadonlyMap<string, FilterRule['block']> = new Map([
  ['SCOREP_FILE_NAMES_BEGIN', 'file'],
  ['SCOREP_REGION_NAMES_BEGIN', 'region'],
]);
const end: ReadonlyMap<string, FilterRule['block']> = new Map([
  ['SCOREP_FILE_NAMES_END', 'file'],
  ['SCOREP_REGION_NAMES_END', 'region'],
]);

class Parser {
  readonly diagnostics: FilterDiagnostic[] = [];
  private readonly rules: FilterRule[] = [];
  private block: FilterRule['block'] | undefined;
  private action: FilterRule['action'] | undefined;
  private mangled = false;
  /** The INCLUDE or EXCLUDE that has no pattern yet. */
  private bare: Token | undefined;

  take(token: Token): void {
    if (token.continued === true) {
      this.error(
        token,
        'A line cannot be continued with “\\”; newlines have no meaning, so simply leave it out.',
      );
      return;
    }
    if (begin.has(token.text)) this.open(token);
    else if (end.has(token.text)) this.close(token);
    else if (this.block === undefined) this.outside(token);
    else this.inside(token);
  }

  /** A missing END at the end of the file is accepted, as Score-P does. */
  finish(): readonly FilterRule[] {
    this.noticeBare();
    return this.rules;
  }

  private open(token: Token): void {
    if (this.block !== undefined)
      this.error(token, `“${token.text}” inside a block; the one before has no END.`);
    this.enter(begin.get(token.text));
  }

  private close(token: Token): void {
    if (this.block !== end.get(token.text)) this.error(token, `“${token.text}” without its BEGIN.`);
    this.enter(undefined);
  }

  private enter(block: FilterRule['block'] | undefined): void {
    this.noticeBare();
    this.block = block;
    this.action = undefined;
    this.mangled = false;
  }

  private outside(token: Token): void {
    this.error(
      token,
      `Expected SCOREP_REGION_NAMES_BEGIN, SCOREP_FILE_NAMES_BEGIN or a comment, found “${token.text}”.`,
    );
  }

  private inside(token: Token): void {
    if (token.text === 'INCLUDE' || token.text === 'EXCLUDE') {
      this.noticeBare();
      this.action = token.text === 'INCLUDE' ? 'include' : 'exclude';
      this.mangled = false;
      this.bare = token;
    } else if (this.block === 'region' && (token.text === 'MANGLED' || token.text === 'DEMANGLED')) {
      if (this.action === undefined) this.error(token, `“${token.text}” must follow INCLUDE or EXCLUDE.`);
      this.mangled = token.text === 'MANGLED';
    } else {
      this.rule(token);
    }
  }

  private rule(token: Token): void {
    if (this.action === undefined || this.block === undefined) {
      this.error(token, `Expected INCLUDE or EXCLUDE before the pattern “${token.text}”.`);
      return;
    }
    this.bare = undefined;
    const { text, line, column } = token;
    const parts = compilePattern(text);
    this.rules.push({
      block: this.block,
      action: this.action,
      pattern: text,
      parts,
      mangled: this.mangled,
      line,
      column,
    });
  }

  private noticeBare(): void {
    if (this.bare !== undefined) this.warn(this.bare, `“${this.bare.text}” without a pattern does nothing.`);
    this.bare = undefined;
  }

  private error({ line, column }: Token, message: string): void {
    this.diagnostics.push({ severity: 'error', message, line, column });
  }

  private warn({ line, column }: Token, message: string): void {
    this.diagnostics.push({ severity: 'warning', message, line, column });
  }
}

const keywords = /^(include|exclude|mangled|demangled|scorep_(file|region)_names_(begin|end))$/i;

function suspicious(rules: readonly FilterRule[]): readonly FilterDiagnostic[] {
  const found: FilterDiagnostic[] = [];
  const warn = ({ line, column }: FilterRule, message: string): void => {
    found.push({ severity: 'warning', message, line, column });
  };
  for (const block of ['file', 'region'] as const) {
    const own = rules.filter((rule) => rule.block === block);
    const sweeping = own.findLastIndex((rule) => matchesEverything(rule.parts));
    if (sweeping > 0) {
      warn(
        own[sweeping] ?? own[0] ?? noRule,
        'Matches everything, so the rules before it have no effect: the last matching rule wins.',
      );
    }
    const first = own[0];
    if (first?.action === 'include') {
      warn(
        first,
        'Everything is included at the start, so this has no effect; a list of functions begins with “EXCLUDE *”.',
      );
    }
    for (const rule of own) {
      const message = oddity(rule);
      if (message !== undefined) warn(rule, message);
    }
  }
  return found;
}

const noRule: FilterRule = {
  block: 'region',
  action: 'include',
  pattern: '',
  parts: [],
  mangled: false,
  line: 1,
  column: 1,
};

function oddity({ block, pattern, mangled }: FilterRule): string | undefined {
  if (keywords.test(pattern)) return `“${pattern}” is taken for a name: keywords are written in capitals.`;
  if (block === 'file' && !pattern.startsWith('*') && !pattern.startsWith('/')) {
    return `File names are absolute, so “${pattern}” matches none; write “*/${pattern}”.`;
  }
  if (block === 'region' && !mangled && pattern.startsWith('_Z')) {
    return `“${pattern}” is a mangled name and matches nothing without MANGLED after INCLUDE or EXCLUDE.`;
  }
  return undefined;
}
