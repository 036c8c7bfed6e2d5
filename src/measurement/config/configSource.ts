import { at } from '../../core/at';
import { firstPosition } from '../../core/firstPosition';
import { parseTree, printParseErrorCode, type Node, type ParseError } from 'jsonc-parser';
import { KymoError } from '../../core/errors';

/** A warning about a probable mistake in a configuration. Lines and columns are 1-based. */
export interface ConfigProblem {
  readonly message: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** The text of a configuration file, JSON with comments and trailing commas, and the positions in it. */
export class ConfigSource {
  readonly warnings: ConfigProblem[] = [];
  private readonly lineStarts: readonly number[];

  constructor(
    private readonly text: string,
    private readonly file: string,
  ) {
    const starts = [0];
    for (let i = text.indexOf('\n'); i >= 0; i = text.indexOf('\n', i + 1)) starts.push(i + 1);
    this.lineStarts = starts;
  }

  /** @throws KymoError `config-invalid` at the first syntax error */
  root(): Node {
    const errors: ParseError[] = [];
    let tree: Node | undefined;
    // A byte order mark is blanked, so that positions stay right.
    const text = this.text.startsWith('\uFEFF') ? ` ${this.text.slice(1)}` : this.text;
    try {
      tree = parseTree(text, errors, { allowTrailingComma: true });
    } catch (cause) {
      if (!(cause instanceof RangeError)) throw cause;
      throw new KymoError('config-invalid', `${this.file}: nested too deep to be a configuration.`, {
        file: this.file,
      });
    }
    const [error] = errors;
    if (error !== undefined) this.fail(error, `not valid JSON: ${syntaxMessages(error)}.`);
    if (tree === undefined) this.fail({ offset: 0 }, 'the file is empty; "kymo init" writes a first one.');
    return tree;
  }

  warn(node: Pick<Node, 'offset'>, message: string): void {
    this.warnings.push({ message, file: this.file, ...this.position(node.offset) });
  }

  fail(node: Pick<Node, 'offset'>, message: string): never {
    const { line, column } = this.position(node.offset);
    throw new KymoError('config-invalid', `${this.file}:${line}:${column}: ${message}`, {
      file: this.file,
      line,
      column,
    });
  }

  /** For files in which an unknown key is an error, because they would not do what their author intended. */
  failOnWarning(): void {
    const [warning] = this.warnings;
    if (warning === undefined) return;
    const { file, line, column, message } = warning;
    throw new KymoError('config-invalid', `${file}:${line}:${column}: ${message}`, { file, line, column });
  }

  private position(offset: number): { readonly line: number; readonly column: number } {
    const { lineStarts } = this;
    const line = firstPosition(lineStarts.length, (position) => at(lineStarts, position) > offset);
    return { line, column: offset - at(lineStarts, line - 1) + 1 };
  }
}

/** `CommaExpected` → `comma expected`. */
function syntaxMessages(error: ParseError): string {
  return printParseErrorCode(error.error)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();
}
