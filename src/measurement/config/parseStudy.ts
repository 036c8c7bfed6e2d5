import type { Node } from 'jsonc-parser';
import { studyDesigns } from '../../core/study/points';
import { suggestion } from '../../core/nearest';
import { present } from '../../core/present';
import type { StudySettings } from './config';
import { ObjectReader, readCount } from './configReader';
import { parseRanks, parseValue, parseValues } from './parseValues';

/** @param names parameters of the target */
export function parseStudy(target: ObjectReader, names: readonly string[]): StudySettings {
  const reader = target.object('study', [
    'parameters',
    'ranks',
    'threads',
    'repetitions',
    'design',
    'points',
  ]);
  const points = reader?.list('points', 'points').map((node) => parsePoint(reader, node, names)) ?? [];
  const design = reader?.oneOf('design', studyDesigns) ?? (points.length > 0 ? 'list' : 'all');
  if (reader?.nodeOf('design') !== undefined && design === 'list' && points.length === 0)
    target.source.fail(
      reader.node,
      'the design "list" needs "points": a list of objects such as {"n": 100, "ranks": 4}.',
    );
  const repetitions =
    reader?.nodeOf('repetitions') === undefined ? undefined : reader.count('repetitions', 1);
  return {
    parameters: reader === undefined ? {} : parseParameters(reader, names),
    ...present({ ranks: counts(reader, 'ranks'), threads: counts(reader, 'threads'), repetitions }),
    design,
    points,
  };
}

function counts(reader: ObjectReader | undefined, key: 'ranks' | 'threads'): readonly number[] | undefined {
  const node = reader?.nodeOf(key);
  return reader === undefined || node === undefined
    ? undefined
    : parseRanks(reader.source, node, JSON.stringify(key));
}

function parseParameters(study: ObjectReader, names: readonly string[]): StudySettings['parameters'] {
  const reader = study.object('parameters');
  if (reader === undefined) return {};
  return Object.fromEntries(
    reader.keys().map((name) => {
      requireKnown(reader, reader.required(name), name, names);
      return [name, parseValues(reader, name)];
    }),
  );
}

function parsePoint(
  study: ObjectReader,
  node: Node,
  names: readonly string[],
): StudySettings['points'][number] {
  const reader = new ObjectReader(study.source, node, 'each item of "points"');
  return Object.fromEntries(
    reader.keys().map((name) => {
      const value = reader.required(name);
      if (name === 'ranks' || (name === 'threads' && !names.includes(name)))
        return [name, readCount(study.source, value, JSON.stringify(name))];
      requireKnown(reader, value, name, names);
      return [name, parseValue(study.source, value, name)];
    }),
  );
}

function requireKnown(reader: ObjectReader, node: Node, name: string, names: readonly string[]): void {
  if (!names.includes(name))
    reader.source.fail(
      node,
      `${JSON.stringify(name)} is no parameter of this target${suggestion(name, names) || '.'} Add it to "parameters" of the target.`,
    );
}
