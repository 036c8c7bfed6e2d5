import type { CallGraph, CallGraphFunction } from '../../../src/core/callgraph/callGraph';
import type { Unit } from '../../../src/core/source/unit';
import { fn } from '../../unit/core/selection/graphs';
import { shapes } from './build';

export const unit = '1122334455667788';

export function graphFunction(
  key: string,
  rest: Partial<CallGraphFunction> & Pick<CallGraphFunction, 'name'>,
): CallGraphFunction {
  return fn(key, { statements: 10, ...rest });
}

const at = (name: string, line: number, number?: number, mangledName?: string): CallGraphFunction =>
  graphFunction(mangledName ?? `${name}@${shapes}:${line}`, {
    name,
    file: shapes,
    line,
    ...(mangledName === undefined ? {} : { mangledName }),
    ...(number === undefined ? {} : { definitions: [[unit, number]] }),
  });

/** The call graph of the fragments of `shapes.cpp`; `sum` has no mangled name because it is a template. */
export const shapesGraph: CallGraph = {
  functions: [
    at('num::sum', 6, 0),
    at('Shape::area', 18, 1),
    at('Shape::Shape', 24, 2),
    at('Shape::~Shape', 28),
    at('helper', 30, 3),
    at('tiny', 37),
    at('big', 39, undefined, '_Z3bigi'),
    at('main', 45, 4, 'main'),
  ],
  edges: [[], [], [], [], [], [], [], []],
  entry: 7,
};

export const shapesUnit: Unit = {
  kymoUnit: 1,
  hash: unit,
  source: shapes,
  language: 'c++',
  functions: [],
  classes: [],
  addressTaken: [],
  parsed: true,
};

export const key = (name: string): string => {
  const found = shapesGraph.functions.find((f) => f.name === name);
  if (found === undefined) throw new Error(name);
  return found.key;
};
