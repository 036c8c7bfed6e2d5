import { endOf } from './keywords';
import { printFilter, type FilterSyntax, type SyntaxToken } from './syntax';

const indent = '  ';

/**
 * The same filter, laid out: blocks at the margin, one rule a line below them, comments where they were, at most one empty line
 * between two lines, a missing END written. A file that Score-P refuses for more than its line ends is left as it is.
 */
export function formatFilter(syntax: FilterSyntax): string {
  const left = syntax.diagnostics.some(
    ({ severity, code }) => (severity === 'error' && code !== 'carriage-return') || code === 'lost-word',
  );
  if (left) return printFilter(syntax);
  const layout = new Layout();
  for (const token of syntax.tokens) layout.take(token);
  const open = syntax.blocks.at(-1);
  return layout.finish(open === undefined || open.end !== undefined ? undefined : endOf[open.block]);
}

class Layout {
  private readonly lines: string[] = [];
  private inBlock = false;
  /** The INCLUDE or EXCLUDE of the rules that follow, and whether it has none yet. */
  private action: string | undefined;
  private bare = false;
  private mangled = false;
  /** Newlines since the last word or comment. */
  private newlines = 0;
  /** The line that a comment may still be put behind. */
  private lastLine: number | undefined;

  take(token: SyntaxToken): void {
    if (token.kind === 'blank') {
      this.newlines += token.text.split('\n').length - 1;
      return;
    }
    if (token.kind === 'comment') this.comment(token.text.trimEnd());
    else this.word(token);
    this.newlines = 0;
  }

  finish(missingEnd: string | undefined): string {
    this.flushBare();
    if (missingEnd !== undefined) this.lines.push(missingEnd);
    return this.lines.map((line) => `${line}\n`).join('');
  }

  private word({ role, text }: SyntaxToken): void {
    switch (role) {
      case 'begin':
        this.line(text, '');
        this.inBlock = true;
        break;
      case 'end':
        this.flushBare();
        this.line(text, '');
        this.inBlock = false;
        break;
      case 'action':
        this.flushBare();
        this.action = text;
        this.bare = true;
        this.mangled = false;
        break;
      case 'mangling':
        this.mangled = text === 'MANGLED';
        break;
      case 'pattern':
        this.bare = false;
        this.line(`${this.action ?? ''} ${this.mangled ? 'MANGLED ' : ''}${text}`, indent);
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
    if (this.newlines > 1 && this.lines.length > 0) this.lines.push('');
    this.newlines = 0;
    this.lastLine = this.lines.push(margin + text) - 1;
  }

  /** An action without a pattern does nothing and stays all the same. */
  private flushBare(): void {
    if (this.bare && this.action !== undefined) this.lines.push(indent + this.action);
    this.bare = false;
    this.action = undefined;
  }
}
