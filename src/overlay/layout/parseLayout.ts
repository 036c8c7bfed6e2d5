import { at } from '../../core/at';
import type { Layout } from './layout';
import { LayoutError, quoted } from './layoutError';
import { checkProcesses, longestName } from './limits';
import { levelByLevel, rankProcesses } from './rankProcesses';
import { tokensOf, type Source, type Token } from './tokens';

/** A process as the text names it. */
interface Mentioned {
  readonly host: string;
  readonly index: number;
  readonly children: number[];
  parent: number | undefined;
  /** Where it is mentioned first. */
  readonly token: Token;
}

/**
 * Reads a layout file, in the grammar of MRNet's configuration language: `host:index => host:index … ;` for each process with children,
 * `host:index ;` for one without.
 *
 * @throws LayoutError `bad-syntax`, `bad-tree` or `too-large`, with the line and the column
 */
export function parseLayout(source: Source): Layout {
  const parser = new Parser(source);
  const processes = parser.processes();
  const root = rootOf(processes, parser);
  return rankProcesses(processes, root);
}

class Parser {
  private readonly tokens: Iterator<Token, undefined>;
  private readonly file: string | undefined;
  private readonly mentioned: Mentioned[] = [];
  private readonly positions = new Map<string, number>();
  private token: Token;

  constructor(source: Source) {
    this.tokens = tokensOf(source);
    this.file = source.file;
    this.token = { kind: 'end', text: '', line: 1, column: 1 };
    this.take();
  }

  processes(): readonly Mentioned[] {
    do this.line();
    while (!this.isAt('end'));
    return this.mentioned;
  }

  fault(
    reason: 'bad-syntax' | 'bad-tree',
    message: string,
    { line, column }: Token = this.token,
  ): LayoutError {
    return new LayoutError(reason, message, {
      ...(this.file === undefined ? {} : { file: this.file }),
      line,
      column,
    });
  }

  private line(): void {
    const parent = this.host('a host');
    if (!this.isAt('=>')) {
      this.expect(';', '"=>" or ";"');
      return;
    }
    this.take();
    do {
      const { token } = this;
      this.addChild(parent, this.host('a host'), token);
    } while (this.isAt('word'));
    this.expect(';', 'a host or ";"');
  }

  private addChild(parent: number, position: number, token: Token): void {
    const child = at(this.mentioned, position);
    if (child.parent !== undefined)
      throw this.fault(
        'bad-tree',
        `${nameOf(child)} is already a child of ${nameOf(at(this.mentioned, child.parent))}. A process has one parent, which names it once.`,
        token,
      );
    child.parent = parent;
    at(this.mentioned, parent).children.push(position);
  }

  /** The position of a process that is named here. */
  private host(expected: string): number {
    const { token } = this;
    this.expect('word', expected);
    if (token.text.length > longestName)
      throw this.fault('bad-syntax', `The name of the host is longer than ${longestName} characters.`, token);
    this.expect(':', '":" and an index');
    const index = this.index();
    const name = `${token.text}:${index}`;
    const known = this.positions.get(name);
    if (known !== undefined) return known;
    const position = this.mentioned.length;
    checkProcesses(position + 1);
    this.positions.set(name, position);
    this.mentioned.push({ host: token.text, index, children: [], parent: undefined, token });
    return position;
  }

  private index(): number {
    const { kind, text } = this.token;
    const index = Number(text);
    if (kind !== 'word' || !/^\d{1,10}$/u.test(text) || index > 0xffff_ffff)
      throw this.fault('bad-syntax', `Expected an index from 0 to 4294967295, and found ${this.found()}.`);
    this.take();
    return index;
  }

  private isAt(kind: Token['kind']): boolean {
    return this.token.kind === kind;
  }

  private expect(kind: Token['kind'], expected: string): void {
    if (!this.isAt(kind)) throw this.fault('bad-syntax', `Expected ${expected}, and found ${this.found()}.`);
    this.take();
  }

  private found(): string {
    return this.isAt('end') ? 'the end of the text' : quoted(this.token.text);
  }

  private take(): void {
    const next = this.tokens.next();
    if (next.done !== true) this.token = next.value;
  }
}

/** @throws LayoutError `bad-tree` unless exactly one process has no parent, and all others are below it */
function rootOf(processes: readonly Mentioned[], parser: Parser): number {
  const roots = processes.flatMap(({ parent }, position) => (parent === undefined ? [position] : []));
  const [root, second] = roots;
  if (root === undefined) throw cycle(processes, at(processes, 0), parser);
  if (second !== undefined)
    throw parser.fault(
      'bad-tree',
      `The graph is not connected, found ${roots.length} potential roots: ${listed(roots.map((position) => nameOf(at(processes, position))))}. All processes but the front end need a parent.`,
      at(processes, second).token,
    );
  const reached = new Set(levelByLevel(processes, root));
  const lost = processes.find((_, position) => !reached.has(position));
  if (lost !== undefined) throw cycle(processes, lost, parser);
  return root;
}

/** Each process from which the root cannot be reached is in a cycle, or below one. */
function cycle(processes: readonly Mentioned[], start: Mentioned, parser: Parser): LayoutError {
  const met = new Set<Mentioned>();
  let process = start;
  while (!met.has(process)) {
    met.add(process);
    if (process.parent !== undefined) process = at(processes, process.parent);
  }
  const upwards = [...met].map(nameOf);
  const [name, ...others] = upwards.slice(upwards.indexOf(nameOf(process)));
  const downwards = [name ?? '', ...others.reverse(), name ?? ''];
  return parser.fault(
    'bad-tree',
    `The layout has a cycle, which the front end cannot reach: ${listed(downwards, ' => ')}.`,
    process.token,
  );
}

function nameOf({ host, index }: Mentioned): string {
  return `${host}:${index}`;
}

/** At most eight names, in full. */
function listed(names: readonly string[], separator = ', '): string {
  return names.length > 8 ? `${names.slice(0, 8).join(separator)}${separator}…` : names.join(separator);
}
