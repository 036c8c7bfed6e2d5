import {
  aggregations,
  constantRules,
  defaultModelOptions,
  defaultModelThreshold,
  extrapolations,
  keepRules,
  type Extrapolation,
  type ModelOptions,
} from '../../core/selection/modelOptions';
import { suggestion } from '../../core/nearest';
import { readNumber, typeName, type ObjectReader } from './configReader';

/** The parameters of the strategy `model`. @param names parameters of the target */
export function parseModel(refinement: ObjectReader | undefined, names: readonly string[]): ModelOptions {
  const usual = defaultModelOptions;
  const reader = refinement?.object('model', Object.keys(usual));
  if (reader === undefined) return usual;
  const keep = reader.oneOf('keep', keepRules) ?? usual.keep;
  return {
    extrapolate: parseExtrapolate(reader, [...names, 'ranks', 'threads']),
    keep,
    threshold: reader.positive('threshold', defaultModelThreshold(keep)),
    growth: reader.text('growth') ?? usual.growth,
    constants: reader.oneOf('constants', constantRules) ?? usual.constants,
    aggregate: reader.oneOf('aggregate', aggregations) ?? usual.aggregate,
    statements: reader.count('statements', usual.statements),
  };
}

function parseExtrapolate(model: ObjectReader, names: readonly string[]): ModelOptions['extrapolate'] {
  const reader = model.object('extrapolate');
  const entries = (reader?.keys() ?? []).map((name): readonly [string, Extrapolation] => {
    const node = reader?.required(name) ?? model.node;
    if (!names.includes(name))
      model.source.fail(
        node,
        `${JSON.stringify(name)} is no parameter of this target${suggestion(name, names) || '.'} Use a parameter, "ranks" or "threads".`,
      );
    const word = extrapolations.find((known) => known === node.value);
    const number = readNumber(node);
    if (word === undefined && (number === undefined || number <= 0))
      model.source.fail(
        node,
        `${JSON.stringify(name)} must be "linear", "geometric" or a number above 0, found ${typeName(node)}.`,
      );
    return [name, word ?? number ?? 1];
  });
  return Object.fromEntries(entries);
}
