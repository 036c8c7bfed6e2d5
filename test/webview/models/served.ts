import { getOrMake } from '../../../src/core/getOrMake';
import { GrowthModeler } from '../../../src/core/modeling/choice';
import { measuredPoint } from '../../../src/core/modeling/measurements';
import { functionModels } from '../../../src/core/views/models/functionModels';
import {
  ServedModels,
  type Served as ServedData,
  type ServedModel,
} from '../../../src/core/views/models/servedModels';
import { modelsGuards } from '../../../src/editor/surfaces/panels/models/requests';
import type { Answers } from '../../../src/editor/surfaces/panels/panelChannel';
import { usualModelSettings, type ModelsRequests, type ModelsShown } from '../../../src/protocol/models';

type Growth = (point: readonly number[]) => number;

/** Repetitions around a value, which are the same in each run of the tests. */
function repetitions(value: number, noise: number, seed: number): readonly number[] {
  return [0, 1, 2].map((repetition) => value * (1 + noise * Math.sin(12.9898 * (3 * seed + repetition + 1))));
}

function model(
  callPath: string,
  points: readonly (readonly number[])[],
  growth: Growth,
  noise = 0.01,
  metric = 'time',
): ServedModel {
  const measured = points.map((point, position) =>
    measuredPoint(point, repetitions(growth(point), noise, position + callPath.length)),
  );
  return { callPath, metric, measured, ...new GrowthModeler().model(measured) };
}

const sizes = [2, 4, 8, 16, 32, 64];
const ofP = sizes.map((p) => [p]);
const manySizes = Array.from({ length: 10 }, (_, power) => [2 ** (power + 1)]);
const largest = (points: readonly (readonly number[])[]): readonly number[] =>
  (points.at(-1) ?? []).map((value) => 10 * value);

/** Models by call path, and by function. */
export interface TestModels {
  readonly paths: ServedModels;
  readonly functions: ServedModels;
}

function served(
  parameters: readonly string[],
  models: readonly ServedModel[],
  more: Pick<ServedData, 'notes' | 'next'> & { readonly compared?: TestModels } = {},
): TestModels {
  const points = [largest(models[0]?.measured.map(({ point }) => point) ?? [])];
  const { compared, ...rest } = more;
  const make = (id: string, of: readonly ServedModel[], partner: ServedModels | undefined) =>
    new ServedModels(
      id,
      { parameters, constants: [['threads', 4]], points, measure: 'mean', models: of, ...rest },
      partner && { title: 'study-before', models: partner },
    );
  return {
    paths: make('first', models, compared?.paths),
    functions: make('first-functions', functionModels(models, 'mean'), compared?.functions),
  };
}

/** One parameter; of each kind of verdict one, and two metrics. */
export function oneParameter(): TestModels {
  const at = ([p = 1]: readonly number[]): number => p;
  return served(
    ['p'],
    [
      model('main->solve->exchange', ofP, (point) => 0.2 + 0.01 * at(point) ** 2),
      model('main->solve', ofP, (point) => 5 + 0.4 * Math.log2(at(point))),
      model('main->init', ofP, () => 2),
      model('main->solve->norm', ofP, (point) => 0.5 + 0.02 * at(point), 0.4),
      model('main->solve->pack', manySizes, ([p = 1]) => (p < 40 ? 0.1 * p : 40 + 2 * p), 0.001),
      model('main->output', ofP.slice(0, 3), (point) => 0.1 * at(point)),
      model('main->solve->operator->', ofP, (point) => 0.001 * at(point)),
      model('main->solve', ofP, (point) => 100 * at(point), 0, 'visits'),
      model('main->init', ofP, () => 1, 0, 'visits'),
    ],
  );
}

/** Two parameters. */
export function twoParameters(): TestModels {
  const points = sizes.slice(0, 5).flatMap((p) => [10, 20, 40, 80, 160].map((n) => [p, n]));
  return served(
    ['p', 'n'],
    [
      model('main->solve', points, ([p = 1, n = 1]) => 1 + 0.001 * n * n * Math.log2(p)),
      model('main->init', points, ([, n = 1]) => 0.5 + 0.1 * n),
    ],
  );
}

/** Models that are compared with measurements of another version: `exchange` was slower there, `init` is new. */
export function comparedModels(): TestModels {
  const before = served(
    ['p'],
    [
      model('main->solve->exchange', ofP, ([p = 1]) => 0.4 + 0.02 * p ** 2),
      model('main->solve', ofP, ([p = 1]) => 5 + 0.4 * Math.log2(p)),
      model('main->read', ofP, () => 3),
    ],
  );
  const { measured, ...exchange } = model('main->solve->exchange', ofP, ([p = 1]) => 0.2 + 0.01 * p ** 2);
  return served(
    ['p'],
    [
      {
        ...exchange,
        measured,
        expected: { expectation: { text: 'O(p)' }, worse: 0.99 },
      },
      model('main->solve', ofP, ([p = 1]) => 5 + 0.4 * Math.log2(p)),
      model('main->init', ofP, () => 2),
      model('main->output->exchange', ofP, ([p = 1]) => 0.02 * p),
    ],
    {
      compared: before,
      notes: ['Nothing was measured of “sweep”, for which kymo.json expects a growth.'],
      next: {
        coordinates: { p: '128' },
        repetitions: 3,
        expectedSeconds: 252,
        why: 'The models of exchange and solve differ most there.',
      },
    },
  );
}

/** Many models, with names that are hostile. */
export function manyModels(count: number): TestModels {
  const one = model('main', ofP, ([p = 1]) => 1 + 0.1 * p);
  const known = new Map<string, ReturnType<ServedModel['predict']>>();
  const predicted: ServedModel['predict'] = (point) =>
    getOrMake(known, point.join(), () => one.predict(point));
  return served(
    ['p'],
    Array.from({ length: count }, (_, position): ServedModel => {
      const callPath = position === 0 ? 'main-><img src=x onerror=alert(1)>' : `main->region_${position}`;
      const size = 1 / (1 + position);
      const predict: ServedModel['predict'] = (point) => {
        const { value, low = value, high = value } = predicted(point);
        return { value: value * size, low: low * size, high: high * size };
      };
      return { ...one, callPath, predict };
    }),
  );
}

export const common = {
  panel: '["/study"]',
  title: 'measurements.txt',
  settings: usualModelSettings,
  isComparing: false,
};

/** What the view asked for, besides reading. */
export type Asked = readonly [name: keyof ModelsRequests, parameters: unknown];

export interface Served {
  shown: ModelsShown;
  models: TestModels;
  /** No function is known. */
  isUnknown?: boolean;
}

export function done({ paths, functions }: TestModels): ModelsShown {
  return { ...common, kind: 'done', header: paths.header(functions) };
}

/** The extension's answers on models that the test holds. */
export function answersOf(given: Served, asked: Asked[]): Answers<ModelsRequests> {
  const note =
    <Name extends keyof ModelsRequests>(name: Name, result: () => ModelsRequests[Name]['result']) =>
    (parameters: unknown) => {
      asked.push([name, parameters]);
      return result();
    };
  const of = (id: string): ServedModels => (id === 'first' ? given.models.paths : given.models.functions);
  const there = <Value>(value: Value | undefined): Value => {
    if (value === undefined) throw new Error('there is no such model');
    return value;
  };
  return {
    open: { guard: modelsGuards.open, answer: () => given.shown },
    rows: { guard: modelsGuards.rows, answer: ({ id, first, count }) => of(id).rows(first, count) },
    predictions: {
      guard: modelsGuards.predictions,
      answer: (parameters) => {
        asked.push(['predictions', parameters]);
        return of(parameters.id).predictions(parameters.first, parameters.count, parameters.point);
      },
    },
    detail: {
      guard: modelsGuards.detail,
      answer: ({ id, row, point, isCompared }) => there(of(id).detail(row, point, isCompared)),
    },
    curve: {
      guard: modelsGuards.curve,
      answer: (parameters) => {
        asked.push(['curve', parameters]);
        const { id, row, parameter, point, isCompared } = parameters;
        return there(of(id).curve(row, parameter, point, isCompared));
      },
    },
    plane: {
      guard: modelsGuards.plane,
      answer: (parameters) => {
        asked.push(['plane', parameters]);
        const { id, row, parameters: both, point, logarithmic } = parameters;
        return there(of(id).plane(row, both, point, logarithmic));
      },
    },
    openSource: {
      guard: modelsGuards.openSource,
      answer: note('openSource', () => ({ opened: given.isUnknown !== true })),
    },
    make: { guard: modelsGuards.make, answer: note('make', () => ({ started: true })) },
    cancel: { guard: modelsGuards.cancel, answer: note('cancel', () => ({ cancelled: true })) },
    save: { guard: modelsGuards.save, answer: note('save', () => ({ saved: true })) },
    measureNext: { guard: modelsGuards.measureNext, answer: note('measureNext', () => ({ started: true })) },
    act: { guard: modelsGuards.act, answer: note('act', () => ({})) },
  };
}
