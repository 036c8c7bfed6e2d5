import { at } from '../../core/at';
import { LayoutError, quoted } from './layoutError';
import { mostProcesses } from './limits';
import { balancedShape, nomialShape, shapeOfLevels, type Shape } from './shape';

/**
 * The tree of a generator's specification, in the notation of `mrnet_topgen`:
 * - `b:F^D`: balanced, F children each, depth D
 * - `b:FxGxH`: balanced, with the number of children of each level
 * - `k:K@N`: K-nomial with N processes
 * - `g:N:N,N:KxN`: numbers of children, process by process, level by level; `KxN` stands for N, K times
 *
 * @throws LayoutError `bad-syntax` with the column, `too-large`
 */
export function generateShape(spec: string): Shape {
  if (spec.length > longestSpec)
    throw new LayoutError(
      'bad-syntax',
      `The specification of the tree is longer than ${longestSpec} characters.`,
    );
  const [, kind, rest = ''] = /^([bkg]):(.*)$/su.exec(spec) ?? [];
  switch (kind) {
    case 'b':
      return balanced(spec, rest);
    case 'k':
      return nomial(spec, rest);
    case 'g':
      return general(spec, rest);
    case undefined:
    default:
      throw fault(spec, 1, '"b:", "k:" or "g:"', spec);
  }
}

const longestSpec = 65_536;
const forms = 'b:4^2, b:2x4x8, k:2@128 and g:2:8,4';

function balanced(spec: string, rest: string): Shape {
  const power = /^([^^]*)\^(.*)$/su.exec(rest);
  if (power === null)
    return balancedShape(split(rest, 'x', 3).map(({ text, column }) => count(spec, text, column, 1)));
  const [, base = '', exponent = ''] = power;
  const fanOut = count(spec, base, 3, 1);
  const depth = count(spec, exponent, 4 + base.length, 1);
  // A chain of one child each is legal, and as deep as the largest network is large.
  return balancedShape(new Array<number>(depth).fill(fanOut));
}

function nomial(spec: string, rest: string): Shape {
  const [base = '', processes] = rest.split('@');
  if (processes === undefined || rest.split('@').length > 2) throw fault(spec, 3, 'K@N', rest);
  return nomialShape(count(spec, base, 3, 2), count(spec, processes, 4 + base.length, 2));
}

function general(spec: string, rest: string): Shape {
  const levels: (readonly number[])[] = [];
  let width = 1;
  for (const { text, column } of split(rest, ':', 3)) {
    const level = numbersOfChildren(spec, text, column);
    if (level.length !== width)
      throw fault(spec, column, `numbers of children for the ${width} processes of the level above`, text);
    levels.push(level);
    width = level.reduce((sum, children) => sum + children, 0);
    if (width === 0) throw fault(spec, column, 'at least one child at each level', text);
  }
  return shapeOfLevels(levels);
}

function numbersOfChildren(spec: string, text: string, start: number): readonly number[] {
  const numbers: number[] = [];
  for (const { text: item, column } of split(text, ',', start)) {
    const [times, many] = item.split('x');
    if (item.split('x').length > 2) throw fault(spec, column, 'N or KxN', item);
    const repeated = many === undefined ? 1 : count(spec, times ?? '', column, 1);
    const children =
      many === undefined
        ? count(spec, item, column, 0)
        : count(spec, many, column + (times ?? '').length + 1, 0);
    if (numbers.length + repeated > mostProcesses)
      throw fault(spec, column, `at most ${mostProcesses} processes`, item);
    for (let i = 0; i < repeated; i++) numbers.push(children);
  }
  return numbers;
}

/** Parts of a text, with the column at which each begins; the text begins at `column`. */
function split(
  text: string,
  separator: string,
  column: number,
): readonly { readonly text: string; readonly column: number }[] {
  let next = column;
  return text.split(separator).map((part) => {
    const start = next;
    next += part.length + separator.length;
    return { text: part, column: start };
  });
}

function count(spec: string, text: string, column: number, least: number): number {
  const value = Number(text);
  if (!/^\d{1,7}$/u.test(text) || value < least || value > mostProcesses)
    throw fault(spec, column, `a whole number from ${least} to ${mostProcesses}`, text);
  return value;
}

function fault(spec: string, column: number, expected: string, found: string): LayoutError {
  return new LayoutError(
    'bad-syntax',
    `The specification ${quoted(spec)} of the tree is not valid: expected ${expected} at character ${column}, and found ${found === '' ? 'nothing' : quoted(found)}. Valid are, for example, ${forms}.`,
    { line: 1, column },
  );
}

/** A specification that generates this tree, the shortest form that fits. */
export function specOf(shape: Shape): string {
  const levels: (readonly number[])[] = [];
  for (let level: readonly number[] = [0]; ;) {
    const numbers = level.map((position) => at(shape, position).children.length);
    level = level.flatMap((position) => at(shape, position).children);
    if (level.length === 0) break;
    levels.push(numbers);
  }
  const fanOuts = levels.map((numbers) => (new Set(numbers).size === 1 ? at(numbers, 0) : undefined));
  if (fanOuts.includes(undefined)) return `g:${levels.map(repeats).join(':')}`;
  return new Set(fanOuts).size === 1 ? `b:${at(fanOuts, 0)}^${fanOuts.length}` : `b:${fanOuts.join('x')}`;
}

/** Equal neighbours as `KxN`. */
function repeats(numbers: readonly number[]): string {
  const runs: { readonly value: number; times: number }[] = [];
  for (const value of numbers) {
    const last = runs.at(-1);
    if (last?.value === value) last.times++;
    else runs.push({ value, times: 1 });
  }
  return runs.map(({ value, times }) => (times === 1 ? `${value}` : `${times}x${value}`)).join(',');
}
