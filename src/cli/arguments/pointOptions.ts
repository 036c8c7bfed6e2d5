import { InvalidArgumentError, Option } from 'commander';
import { studyDesigns, type StudyDesign } from '../../core/study/points';
import type { StudyRequest } from '../../workflows/study/planStudy';
import { present } from '../../core/present';
import { assignment, listItems, positiveIntegers } from './options';

/** What the options of points give. */
export interface PointFlags {
  readonly values: Readonly<Record<string, readonly string[]>>;
  readonly point: readonly Readonly<Record<string, string>>[];
  readonly threads?: readonly number[];
  readonly design?: StudyDesign;
}

/** Options that say which points are measured. */
export const pointOptions = {
  values: () =>
    new Option(
      '--values <name=list>',
      'values of a parameter of kymo.json, such as n=100,200,400, n=16:256:*2 or n=100:500:+100; repeatable',
    )
      .argParser(valueList)
      .default({}, '"study" and "parameters" of kymo.json'),
  threads: () =>
    new Option(
      '--threads <numbers>',
      'numbers of threads (OMP_NUM_THREADS), such as 1,2,4 or 1:16:*2',
    ).argParser(positiveIntegers),
  design: () =>
    new Option(
      '--design <design>',
      'which points: all combinations, one parameter at a time (the others at their smallest), linear (all lists side by side), or the list of --point',
    ).choices(studyDesigns),
  point: () =>
    new Option('--point <values>', 'point of a list, such as n=100,ranks=4; repeatable')
      .argParser(pointValues)
      .default([], 'none'),
};

/** The points that the options name; an option that is not given changes nothing. */
export function pointRequest({
  values,
  point,
  threads,
  design,
}: PointFlags): Pick<StudyRequest, 'values' | 'threads' | 'design' | 'points'> {
  return {
    ...present({ threads, design }),
    ...(Object.keys(values).length === 0 ? {} : { values }),
    ...(point.length === 0 ? {} : { points: point }),
  };
}

/** `n=100,200,400`, `n=16:256:*2` */
function valueList(
  text: string,
  before: Readonly<Record<string, readonly string[]>>,
): Readonly<Record<string, readonly string[]>> {
  const [[name, list] = ['', '']] = Object.entries(assignment(text));
  const values = listItems(list);
  if (values.includes('')) throw new InvalidArgumentError('It must be name=value,value,…');
  return { ...before, [name]: values };
}

/** `n=100,ranks=4` */
function pointValues(
  text: string,
  before: readonly Readonly<Record<string, string>>[],
): readonly Readonly<Record<string, string>>[] {
  const point = text
    .split(',')
    .reduce<Readonly<Record<string, string>>>((values, pair) => assignment(pair.trim(), values), {});
  if (Object.values(point).includes('')) throw new InvalidArgumentError('It must be name=value,name=value,…');
  return [...before, point];
}
