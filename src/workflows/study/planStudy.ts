import { at } from '../../core/at';
import { KymoError } from '../../core/errors';
import { suggestion } from '../../core/nearest';
import { present } from '../../core/present';
import {
  coordinateValue,
  designedPoints,
  distinctPoints,
  type StudyAxis,
  type StudyCoordinates,
  type StudyDesign,
} from '../../core/study/points';
import { freeName, rankNames, threadNames } from '../../core/study/parameterNames';
import type { Target } from '../../measurement/config/config';
import { plainText, withRanks } from '../../measurement/config/configurations';
import type { ParameterStudyFile } from './parameterStudyFile';

/** What replaces the settings `study` of the target. */
export interface StudyRequest {
  /** Values by name of a parameter. */
  readonly values?: Readonly<Record<string, readonly string[]>>;
  readonly ranks?: readonly number[];
  readonly threads?: readonly number[];
  readonly repetitions?: number;
  readonly design?: StudyDesign;
  /** Values by name of a parameter, `ranks` or `threads`; implies the design `list`. */
  readonly points?: readonly Readonly<Record<string, string>>[];
}

export interface StudyPlan {
  readonly design: StudyDesign;
  readonly repetitions: number;
  /**
   * What changes, by the names that Extra-P and models use: the number of ranks is `p`, the number of threads `t`, where no parameter has
   * that name. All points have the same names.
   */
  readonly points: readonly StudyCoordinates[];
  /** Name of the number of ranks; absent without a launcher. */
  readonly ranksName?: string;
  /** Name of the number of threads; absent where Kymo does not set it. */
  readonly threadsName?: string;
  /** Parameters that are a text and the same everywhere, such as an input file: no part of the coordinates. */
  readonly constants: Readonly<Record<string, string>>;
}

/** A point as the program is run. */
export interface PointRun {
  readonly parameters: Readonly<Record<string, string>>;
  readonly ranks: number;
  readonly threads?: number;
}

/** More points are a mistake, and would take longer than anyone waits. */
const mostPoints = 10_000;

/**
 * The points of a study: from the request, the target's settings `study`, and the target.
 * @throws KymoError `usage` for unknown parameters, without anything that changes, and for far too many points
 */
export function planStudy(target: Target, request: StudyRequest): StudyPlan {
  const { study } = target;
  requireParameters(target, request);
  const axes = axesOf(target, request);
  const design = designOf(target, request);
  const points =
    design === 'list' ? listedPoints(target, request, axes) : combinedPoints(target, axes.all, design);
  const isText = (name: string): boolean =>
    new Set(points.map((point) => point[name])).size === 1 &&
    Number.isNaN(coordinateValue(points[0]?.[name] ?? ''));
  const constant = axes.all.map(({ name }) => name).filter(isText);
  const coordinates = (point: StudyCoordinates): StudyCoordinates =>
    Object.fromEntries(Object.entries(point).filter(([name]) => !constant.includes(name)));
  return {
    design,
    repetitions: request.repetitions ?? study.repetitions ?? target.repetitions,
    points: points.map(coordinates),
    ...present({ ranksName: axes.ranksName, threadsName: axes.threadsName }),
    constants: Object.fromEntries(constant.map((name) => [name, points[0]?.[name] ?? ''])),
  };
}

/**
 * The plan of a study that goes on as it was planned, with further points.
 * @throws KymoError `usage` where the target no longer has one of its parameters
 */
export function planAgain(
  target: Target,
  file: Pick<
    ParameterStudyFile,
    'design' | 'repetitions' | 'ranksName' | 'threadsName' | 'constants' | 'points'
  >,
  more: readonly StudyCoordinates[],
): StudyPlan {
  const planned = file.points.filter((point) => point.planned).map(({ coordinates }) => coordinates);
  const asGiven = (name: string): string =>
    name === file.ranksName ? 'ranks' : name === file.threadsName ? 'threads' : name;
  const points = [...planned, ...more].map((point) => ({
    ...file.constants,
    ...Object.fromEntries(Object.entries(point).map(([name, value]) => [asGiven(name), value])),
  }));
  const { repetitions, design } = file;
  return { ...planStudy(target, { design: 'list', points, repetitions }), design };
}

/** How the program is run at a point. */
export function runAtPoint(
  { ranksName, threadsName, constants }: Pick<StudyPlan, 'ranksName' | 'threadsName' | 'constants'>,
  point: StudyCoordinates,
): PointRun {
  const isParameter = ([name]: readonly [string, string]): boolean =>
    name !== ranksName && name !== threadsName;
  return {
    parameters: { ...Object.fromEntries(Object.entries(point).filter(isParameter)), ...constants },
    ranks: ranksName === undefined ? 1 : Number(point[ranksName]),
    ...(threadsName === undefined ? {} : { threads: Number(point[threadsName]) }),
  };
}

/** Whether a study would have more than one point. @throws KymoError `usage` as `planStudy` */
export function changesSomething(target: Target, request: StudyRequest): boolean {
  requireParameters(target, request);
  return designOf(target, request) === 'list' || combinationsOf(axesOf(target, request).all) > 1;
}

/** What can change in a study of a target, with the values that it would take. */
export function variablesOf(target: Target, request: StudyRequest): readonly StudyVariable[] {
  const { all, ranksName, threadsName } = axesOf(target, request);
  const threads: readonly StudyVariable[] =
    threadsName === undefined ? [{ kind: 'threads', name: 'threads', values: [] }] : [];
  return [
    ...all.map(({ name, values }): StudyVariable => ({
      kind: name === ranksName ? 'ranks' : name === threadsName ? 'threads' : 'parameter',
      name,
      values,
    })),
    ...threads,
  ];
}

export interface StudyVariable {
  readonly kind: 'parameter' | 'ranks' | 'threads';
  /** As in coordinates. */
  readonly name: string;
  /** None: it is not set. */
  readonly values: readonly string[];
}

/** The target with the number of threads of a point in its environment. */
export function targetWithThreads(target: Target, { threads }: Pick<PointRun, 'threads'>): Target {
  if (threads === undefined) return target;
  const environment = { ...target.run.environment, OMP_NUM_THREADS: String(threads) };
  return { ...target, run: { ...target.run, environment } };
}

interface Axes {
  readonly all: readonly StudyAxis[];
  readonly ranksName: string | undefined;
  readonly threadsName: string | undefined;
}

function axesOf(target: Target, request: StudyRequest): Axes {
  const { parameters, study, run } = target;
  const listed = [...(request.points ?? []), ...study.points].some((point) => isThreads(target, point));
  const { launcher } = withRanks(target, request.ranks ?? study.ranks).run;
  const threads = request.threads ?? study.threads ?? (listed ? [1] : undefined);
  const ranksName = run.launcher.kind === 'local' ? undefined : freeName(rankNames, Object.keys(parameters));
  const threadsName = threads === undefined ? undefined : freeName(threadNames, Object.keys(parameters));
  const axis = (name: string, values: readonly (string | number)[]): StudyAxis => ({
    name,
    values: values.map(plainText),
  });
  return {
    all: [
      ...(ranksName === undefined ? [] : [axis(ranksName, launcher.kind === 'local' ? [] : launcher.ranks)]),
      ...(threadsName === undefined ? [] : [axis(threadsName, threads ?? [])]),
      ...Object.entries(parameters).map(([name, values]) =>
        axis(name, request.values?.[name] ?? study.parameters[name] ?? values),
      ),
    ],
    ranksName,
    threadsName,
  };
}

/** Settings of the request that do not go with a configured list replace it. */
function designOf({ study }: Target, request: StudyRequest): StudyDesign {
  if (request.design !== undefined) return request.design;
  if (request.points !== undefined && request.points.length > 0) return 'list';
  const isCombined = [request.values, request.ranks, request.threads].some((given) => given !== undefined);
  return isCombined && study.design === 'list' ? 'all' : study.design;
}

function combinedPoints(
  target: Target,
  given: readonly StudyAxis[],
  design: Exclude<StudyDesign, 'list'>,
): readonly StudyCoordinates[] {
  // Side by side, a value may stand beside several others.
  const axes =
    design === 'linear' ? given : given.map(({ name, values }) => ({ name, values: [...new Set(values)] }));
  const combinations = combinationsOf(axes);
  const lengths = new Set(axes.map(({ values }) => values.length).filter((length) => length > 1));
  if (design === 'linear' && lengths.size > 1)
    throw new KymoError(
      'usage',
      `The design “linear” goes through all lists side by side, so they must have equally many values, or one: ${axes.map(({ name, values }) => `${name} has ${values.length}`).join(', ')}.`,
    );
  if (combinations === 1)
    throw new KymoError(
      'usage',
      `Nothing changes in a study of ${target.name}: give several values of a parameter (--values n=100,200,400,800,1600), or several numbers of ranks (--ranks 1,2,4,8,16).`,
    );
  if (design === 'all' && combinations > mostPoints)
    throw new KymoError(
      'usage',
      `All combinations are ${combinations} points, and a study has at most ${mostPoints}. Use fewer values, or --design one-at-a-time.`,
    );
  return designedPoints(axes, design);
}

function combinationsOf(axes: readonly StudyAxis[]): number {
  return axes.reduce((product, { values }) => product * values.length, 1);
}

function listedPoints(target: Target, request: StudyRequest, axes: Axes): readonly StudyCoordinates[] {
  const given = request.points ?? target.study.points;
  if (given.length === 0)
    throw new KymoError(
      'usage',
      'The design “list” needs points: --point n=100,ranks=4, or "points" in "study" of kymo.json.',
    );
  const nameOf = (name: string): string => {
    if (name === 'ranks') return axes.ranksName ?? name;
    return name === 'threads' && !Object.hasOwn(target.parameters, name) ? (axes.threadsName ?? name) : name;
  };
  const first = Object.fromEntries(axes.all.map(({ name, values }) => [name, at(values, 0)]));
  return distinctPoints(
    given.map((point) => ({
      ...first,
      ...Object.fromEntries(Object.entries(point).map(([name, value]) => [nameOf(name), plainText(value)])),
    })),
  );
}

function isThreads({ parameters }: Target, point: object): boolean {
  return Object.hasOwn(point, 'threads') && !Object.hasOwn(parameters, 'threads');
}

function requireParameters(target: Target, request: StudyRequest): void {
  const names = Object.keys(target.parameters);
  const points = request.points ?? target.study.points;
  const inPoints = points.flatMap((point) => Object.keys(point)).filter((name) => name !== 'ranks');
  const given = [
    ...Object.keys(request.values ?? {}),
    ...inPoints.filter((name) => name !== 'threads' || names.includes(name)),
  ];
  const unknown = given.find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new KymoError(
      'usage',
      `Target ${target.name} has no parameter ${JSON.stringify(unknown)}${suggestion(unknown, names) || '.'} It has: ${names.join(', ') || 'none'}.`,
    );
  if (target.run.launcher.kind === 'local' && points.some((point) => Object.hasOwn(point, 'ranks')))
    withRanks(target, [1]);
  for (const point of points)
    for (const [name, value] of Object.entries(point))
      if ((name === 'ranks' || isThreads(target, { [name]: value })) && !/^[1-9]\d*$/.test(String(value)))
        throw new KymoError('usage', `${JSON.stringify(name)} of a point must be a whole number, 1 or more.`);
}
