import { findNodeAtLocation, parseTree, type Node } from 'jsonc-parser';
import { parseExpectation } from '../../../core/modeling/expectations';
import { namesInModels } from '../../../core/study/parameterNames';

/** A growth in `kymo.json` that cannot be read. */
export interface WrongExpectation {
  /** Of the value with its quotes, in characters of the text. */
  readonly offset: number;
  readonly length: number;
  readonly message: string;
}

/** The growths of all targets that cannot be read; none if the text is not JSON yet. */
export function wrongExpectations(text: string): readonly WrongExpectation[] {
  return targetsOf(text).flatMap((target) => {
    const names = namesOf(target);
    return members(findNodeAtLocation(target, ['expect'])).flatMap(([, value]) => {
      const message = whatIsWrong(value.value, names);
      return message === undefined ? [] : [{ offset: value.offset, length: value.length, message }];
    });
  });
}

/** Growths to choose from for a target: those of one parameter, the slowest first. */
export function proposedGrowths(text: string, target: number): readonly string[] {
  const node = targetsOf(text)[target];
  const names = node === undefined ? [] : namesOf(node);
  const growths = ['1', 'log X', 'X', 'X log X', 'X^2', 'X^3'];
  const all = names.flatMap((name) => growths.map((growth) => `O(${growth.replaceAll('X', name)})`));
  return [...new Set(all)];
}

function targetsOf(text: string): readonly Node[] {
  const root = parseTree(text, [], { allowTrailingComma: true });
  return (root === undefined ? undefined : findNodeAtLocation(root, ['targets']))?.children ?? [];
}

function namesOf(target: Node): readonly string[] {
  return namesInModels(members(findNodeAtLocation(target, ['parameters'])).map(([name]) => name));
}

function members(object: Node | undefined): readonly (readonly [string, Node])[] {
  return (object?.type === 'object' ? (object.children ?? []) : []).flatMap(
    ({ children: [key, value] = [] }) =>
      key === undefined || value === undefined ? [] : [[String(key.value), value] as const],
  );
}

/** Other types than text are the schema's matter. */
function whatIsWrong(value: unknown, names: readonly string[]): string | undefined {
  if (typeof value !== 'string') return undefined;
  try {
    parseExpectation(value, names);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
