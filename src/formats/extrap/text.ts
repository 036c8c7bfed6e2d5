import type { ParameterMeasurements } from '../../core/modeling/measurements';
import { checkParameters, CollectedMeasurements } from './collected';
import { invalidText, quoted, type TextOfFile } from './errors';
import { limits } from './limits';

/**
 * Reads Extra-P's text format: lines of PARAMETER, POINTS, METRIC, REGION and DATA. DATA lines have no coordinates: the first one of a
 * region and metric belongs to the first point, and so on. There may be any number of parameters, and both `(1 10) (2 10)` and
 * `((1 10) (2 10))`, as Extra-P's manual has it.
 */
export function readText(source: TextOfFile): ParameterMeasurements {
  const reader = new TextFormat(source);
  for (let start = 0; start < source.text.length;) {
    const lineEnd = source.text.indexOf('\n', start);
    const end = lineEnd < 0 ? source.text.length : lineEnd;
    reader.line(start, end);
    start = end + 1;
  }
  return reader.finish();
}

interface Word {
  readonly text: string;
  readonly offset: number;
}

class TextFormat {
  private readonly parameters: string[] = [];
  private readonly points = new Map<string, readonly number[]>();
  private ordered: readonly (readonly number[])[] = [];
  private collected: CollectedMeasurements | undefined;
  private metric = '';
  private region: string | undefined;
  /** Number of DATA lines of the current region and metric. */
  private data = 0;
  private readonly complete = new Set<string>();

  constructor(private readonly source: TextOfFile) {}

  line(start: number, end: number): void {
    const [before = '', name = ''] = /^\s*(\S*)/.exec(this.source.text.slice(start, end)) ?? [];
    if (name === '' || name.startsWith('#')) return;
    const field = { text: name, offset: start + before.length - name.length };
    const words = (pattern = /\S+/g): readonly Word[] => this.words(start + before.length, end, pattern);
    switch (name) {
      case 'PARAMETER':
        this.parameter(field, words());
        return;
      case 'POINTS':
        this.pointsLine(field, words(/[()]|[^()\s]+/g));
        return;
      case 'METRIC':
        this.endSeries(field);
        this.metric = joined(words());
        return;
      case 'REGION':
        this.endSeries(field);
        this.region = joined(words());
        return;
      case 'DATA':
        this.dataLine(field, words());
        return;
      default:
        return this.fail(field, 'PARAMETER, POINTS, METRIC, REGION, DATA or a comment (#)');
    }
  }

  finish(): ParameterMeasurements {
    const end = { text: '', offset: this.source.text.length };
    this.endSeries(end);
    if (this.collected === undefined) return this.fail(end, this.missing());
    return this.collected.finish((expected, found) => this.fail(end, expected, found));
  }

  private missing(): string {
    if (this.parameters.length === 0) return 'a line PARAMETER with a name';
    return this.points.size === 0 ? 'a line POINTS' : 'a line REGION and lines DATA';
  }

  private parameter(field: Word, names: readonly Word[]): void {
    if (this.points.size > 0) this.fail(field, 'PARAMETER before POINTS');
    if (names.length === 0) this.fail(field, 'a name after PARAMETER', 'none');
    this.parameters.push(...names.map(({ text }) => text));
    checkParameters(this.parameters, (expected, found) => this.fail(field, expected, found));
  }

  private pointsLine(field: Word, tokens: readonly Word[]): void {
    if (this.parameters.length === 0) this.fail(field, 'PARAMETER before POINTS');
    if (this.collected !== undefined) this.fail(field, 'POINTS before DATA');
    for (const point of this.pointsOf(withoutOuterBraces(tokens))) {
      const key = point.join(' ');
      if (!this.points.has(key)) this.points.set(key, point);
    }
    this.ordered = [...this.points.values()];
  }

  /** @param tokens braces and numbers */
  private *pointsOf(tokens: readonly Word[]): Generator<readonly number[]> {
    const { length } = this.parameters;
    let point: number[] | undefined;
    for (const token of tokens) {
      if (token.text === '(') {
        if (point !== undefined) this.fail(token, 'a number or “)”');
        point = [];
      } else if (token.text === ')') {
        if (point?.length !== length)
          this.fail(token, `a value for each of ${length} parameters`, `a point of ${point?.length ?? 0}`);
        yield point;
        point = undefined;
      } else if (point !== undefined) point.push(this.number(token));
      else if (length === 1) yield [this.number(token)];
      else this.fail(token, `“(” before the ${length} values of a point`);
    }
    const last = tokens.at(-1);
    if (last !== undefined && point !== undefined) this.fail(last, '“)” at the end', 'none');
  }

  private dataLine(field: Word, words: readonly Word[]): void {
    const { region, metric, ordered } = this;
    if (ordered.length === 0) return this.fail(field, 'POINTS before DATA');
    if (region === undefined) return this.fail(field, 'REGION before DATA');
    const complain = (expected: string, found?: string): never => this.fail(field, expected, found);
    if (this.data === 0 && this.complete.has(JSON.stringify([region, metric])))
      complain('the DATA of a region and metric once', `more for ${quoted(region)} and ${quoted(metric)}`);
    const point =
      ordered[this.data] ??
      complain(`at most one line DATA for each of the ${ordered.length} points`, 'another');
    if (words.length === 0) complain('a number after DATA', 'none');
    const values = words.map((word) => this.number(word));
    this.collected ??= new CollectedMeasurements(this.parameters);
    this.collected.add(region, metric, point, values, complain);
    this.data++;
  }

  private endSeries(at: Word): void {
    const { data, ordered, region, metric } = this;
    if (data === 0) return;
    if (data < ordered.length)
      this.fail(
        at,
        `DATA for point ${data + 1} of ${ordered.length}, ${quoted(ordered[data]?.join(' ') ?? '')}`,
      );
    this.complete.add(JSON.stringify([region, metric]));
    this.data = 0;
  }

  private number(word: Word): number {
    // Digits may be grouped, as in Python.
    const digits = word.text.replace(/(?<=\d)_(?=\d)/g, '');
    const value = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(digits) ? Number(digits) : NaN;
    return Number.isFinite(value) ? value : this.fail(word, 'a finite number');
  }

  private words(start: number, end: number, pattern: RegExp): readonly Word[] {
    const words: Word[] = [];
    for (const { 0: text, index } of this.source.text.slice(start, end).matchAll(pattern)) {
      const word = { text, offset: start + index };
      if (words.push(word) > limits.words) this.fail(word, `at most ${limits.words} words in a line`, 'more');
    }
    return words;
  }

  private fail({ offset }: Word, expected: string, found?: string): never {
    throw invalidText(this.source, offset, expected, found);
  }
}

function joined(words: readonly Word[]): string {
  return words.map(({ text }) => text).join(' ');
}

function withoutOuterBraces(tokens: readonly Word[]): readonly Word[] {
  const braces = [0, 1, -2, -1].map((position) => tokens.at(position)?.text).join('');
  return braces === '(())' ? tokens.slice(1, -1) : tokens;
}
