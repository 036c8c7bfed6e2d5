import type { FunctionModel, ModelledProgram } from '../modeling/functionModels';
import { present } from '../present';

/** The last model of a function, which outlives that the function is recorded. */
export interface KnownModel extends FunctionModel {
  /** Round whose measurements made it. */
  readonly round: number;
  /** Seconds by its model of the round before; absent: it had none. */
  readonly before?: number;
  /** It was left out and has come back. */
  readonly returned?: true;
}

/** All models after a round, and the point that they predict. */
export interface ModelKnowledge {
  readonly round: number;
  /** For readers: `n = 512, p = 32`. */
  readonly point: string;
  /** Predicted time of a run with nothing recorded, by the clock of overheads. */
  readonly baseSeconds: number;
  /** Predicted time of all functions that the round recorded. */
  readonly totalSeconds: number;
  readonly functions: ReadonlyMap<string, KnownModel>;
}

/** Adds the models of a round. */
export function rememberModels(
  before: ModelKnowledge | undefined,
  { functions, totalSeconds }: Pick<ModelledProgram, 'functions' | 'totalSeconds'>,
  now: Pick<ModelKnowledge, 'round' | 'point' | 'baseSeconds'>,
): ModelKnowledge {
  const all = new Map<string, KnownModel>(before?.functions);
  for (const [key, model] of functions) {
    const last = before?.functions.get(key);
    const isNext = last?.round === now.round - 1;
    const returned = last?.returned === true || (last !== undefined && !isNext) ? true : undefined;
    all.set(key, {
      ...model,
      round: now.round,
      ...present({ before: isNext ? last.seconds : undefined, returned }),
    });
  }
  return { ...now, totalSeconds, functions: all };
}
