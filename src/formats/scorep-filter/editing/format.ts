import { endOf } from '../syntax/keywords';
import { tokenize } from '../syntax/tokens';
import { printFilter, type FilterSyntax, type SyntaxToken } from '../syntax/syntax';

const indent = '  ';

/**
 * Formats a filter: blocks at the margin, one rule per line below them, comments in their places, at most one empty line
 * between two lines, and an END for an open block. A file that Score-P refuses (except for its line ends) or misreads stays unchanged.
 */
export function formatFilter(syntax: FilterSyntax): string {
  const staysUnchanged = syntax.diagnostics.some(
    ({ severity, code }) =>
      (severity === 'error' && code !== 'carriage-return') || code === 'lost-word' || code === 'joined-lines',
  );
  if (staysUnchanged) return printFilter(syntax);
  const empty = syntax.blocks.flatMap(({ groups }) =>
    groups.flatMap(({ keyword, rules }) => (rules.length === 0 ? keyword : [])),
  );
  const layout = new Layout(new Set(empty));
  syntax.tokens.forEach((token, position) => {
    layout.take(token, position);
  });
  const open = syntax.blocks.at(-1);
  const text = layout.finish(open === undefined || open.end !== undefined ? undefined : endOf[open.block]);
  // Indentation can make a comment as long as the lines that Score-P joins.
  return tokenize(text).some(({ trouble }) => trouble === 'joined-lines') ? printFilter(syntax) : text;
}

class Layout {
  private readonly lines: string[] = [];
  private inBlock = false;
  /** The INCLUDE or EXCLUDE of the following rules. */
  private action = '';
  private mangled = false;
  /** Whether to insert an empty line before the next line. */
  private apart = false;
  /** Newlines since the last word or comment. */
  private newlines = 0;
  /** The line to which a comment may be appended. */
  private lastLine: number | undefined;

  /** @param empty positions of INCLUDE and EXCLUDE without a pattern; they have no effect, but are preserved */
  constructor(private readonly empty: ReadonlySet<number>) {}

  take(token: SyntaxToken, position: number): void {
    if (token.kind === 'blank') {
      this.newlines += token.text.split('\n').length - 1;
      return;
    }
    if (this.newlines > 1) this.apart = true;
    if (token.kind === 'comment') this.comment(token.text.trimEnd());
    else this.word(token, this.empty.has(position));
    this.newlines = 0;
  }

  finish(missingEnd: string | undefined): string {
    if (missingEnd !== undefined) this.lines.push(missingEnd);
    return this.lines.map((line) => `${line}\n`).join('');
  }

  private word({ role, text }: SyntaxToken, empty: boolean): void {
    switch (role) {
      case 'begin':
      case 'end':
        this.line(text, '');
        this.inBlock = role === 'begin';
        break;
      case 'action':
        this.action = text;
        this.mangled = false;
        this.lastLine = undefined;
        if (empty) this.line(text, indent);
        break;
      case 'mangling':
        this.mangled = text === 'MANGLED';
        break;
      case 'pattern':
        this.line(`${this.action} ${this.mangled ? 'MANGLED ' : ''}${text}`, indent);
        break;
      case 'stray':
      case undefined:
        break;
    }
  }

  private comment(text: string): void {
    const behind = this.newlines === 0 ? this.lastLine : undefined;
    if (behind === undefined) this.line(text, this.inBlock ? indent : '');
    else this.lines[behind] = `${this.lines[behind] ?? ''}  ${text}`;
    this.lastLine = undefined;
  }

  private line(text: string, margin: string): void {
    if (this.apart && this.lines.length > 0) this.lines.push('');
    this.apart = false;
    this.lastLine = this.lines.push(margin + text) - 1;
  }
}
