import path from 'node:path';
import { KymoError } from '../../core/errors';
import { laterVersion } from '../../core/fileVersion';
import { explainReason, explanationOf, knownBefore } from '../../core/selection/explainReason';
import type { FunctionDecision } from '../../core/functions/functionRow';
import type { Decision, Selection } from '../../core/selection/selection';
import { writeFilter } from '../../formats/scorep-filter/lists/write';
import { roundDirectory } from '../../measurement/experiments/studies';
import { turn, type Cancellable } from '../running/turn';
import { readStudy } from './study';
import { functionRows } from './functionsFile';
import { readOwnFile } from '../../measurement/files/ownFiles';

/** A function that is in exactly one of two rounds. */
export interface SelectionDifference {
  readonly key: string;
  readonly name: string;
  readonly change: 'entered' | 'left';
  /** Reasons for the decisions in the first and in the second round; sentences. */
  readonly before: string;
  readonly after: string;
}

/** The decision of one round on a function. */
export interface RoundDecision extends FunctionDecision {
  readonly iteration: number;
  readonly selected: boolean;
}

/**
 * The selection that a round ran with.
 * @throws KymoError `iteration-invalid` if the round was never begun, or its file is damaged
 */
export async function roundSelection(
  studyDirectory: string,
  iteration: number,
  context: Cancellable = {},
): Promise<Selection> {
  const file = path.join(roundDirectory(studyDirectory, iteration), 'selection.json');
  try {
    const text = await readOwnFile(file);
    await turn(context);
    const value: unknown = JSON.parse(text);
    if (!isSelectionFile(value))
      throw new Error(`it ${laterVersion(value, 'kymoSelection', 1) ?? 'has another shape'}`);
    return { decisions: new Map(value.decisions.map((decision) => [decision.key, decision])) };
  } catch (cause) {
    context.signal?.throwIfAborted();
    throw new KymoError(
      'iteration-invalid',
      `The selection of round ${iteration} cannot be read from ${file} (${cause instanceof Error ? cause.message : String(cause)}). Choose another round, or refine again.`,
      { file },
      { cause },
    );
  }
}

/** Added and removed functions between two rounds, by name. */
export async function roundDifference(
  studyDirectory: string,
  from: number,
  to: number,
  context: Cancellable = {},
): Promise<readonly SelectionDifference[]> {
  const [before, after, functions] = await Promise.all([
    roundSelection(studyDirectory, from, context),
    roundSelection(studyDirectory, to, context),
    functionRows(studyDirectory, context),
  ]);
  const names = new Map(functions.map(({ key, name }) => [key, name]));
  const keys = new Set([...before.decisions.keys(), ...after.decisions.keys()]);
  return [...keys]
    .flatMap((key): readonly SelectionDifference[] => {
      const [a, b] = [before.decisions.get(key), after.decisions.get(key)];
      const isIn = b?.selected ?? false;
      if ((a?.selected ?? false) === isIn) return [];
      const change = isIn ? 'entered' : 'left';
      const reasons = { before: sentence(a, from), after: sentence(b, to) };
      return [{ key, name: names.get(key) ?? key, change, ...reasons }];
    })
    .sort((a, b) => a.change.localeCompare(b.change) || a.name.localeCompare(b.name));
}

/** By key: functions added and removed in the last round; empty before there are two rounds. */
export async function lastChanges(
  studyDirectory: string,
  context: Cancellable = {},
): Promise<readonly Pick<SelectionDifference, 'key' | 'change'>[]> {
  const last = (await readStudy(studyDirectory))?.iterations.at(-1)?.index ?? 0;
  if (last < 1) return [];
  const difference = await roundDifference(studyDirectory, last - 1, last, context);
  return difference.map(({ key, change }) => ({ key, change }));
}

/** Decisions of each round of a study on one function, the oldest first, without unreadable rounds. */
export async function functionHistory(
  studyDirectory: string,
  key: string,
  context: Cancellable = {},
): Promise<readonly RoundDecision[]> {
  const history: RoundDecision[] = [];
  for (let iteration = 0; ; iteration++) {
    const selection = await roundSelection(studyDirectory, iteration, context).catch(() => undefined);
    context.signal?.throwIfAborted();
    if (selection === undefined) return history;
    const decision = selection.decisions.get(key);
    if (decision === undefined) continue;
    const { selected, reason } = decision;
    history.push({
      iteration,
      selected,
      rule: reason.rule,
      ...explanationOf(reason, { time: knownBefore(iteration) }),
    });
  }
}

/** The selection of a round as a Score-P filter. */
export async function roundFilter(
  studyDirectory: string,
  iteration: number,
  context: Cancellable = {},
): Promise<string> {
  const [{ decisions }, functions] = await Promise.all([
    roundSelection(studyDirectory, iteration, context),
    functionRows(studyDirectory, context),
  ]);
  const entries = functions.flatMap(({ key, name, mangledName }) => {
    const decision = decisions.get(key);
    if (decision?.selected !== true) return [];
    return [
      {
        name,
        ...(mangledName === undefined ? {} : { mangledName }),
        reason: explainReason(decision.reason, { time: knownBefore(iteration) }),
      },
    ];
  });
  const title = `Written by Kymo: round ${iteration} of ${path.basename(studyDirectory)}`;
  return writeFilter(entries, title);
}

function sentence(decision: Decision | undefined, iteration: number): string {
  return decision === undefined
    ? 'not known when the selection was made'
    : explainReason(decision.reason, { time: knownBefore(iteration) });
}

function isSelectionFile(value: unknown): value is { readonly decisions: readonly Decision[] } {
  if (typeof value !== 'object' || value === null) return false;
  const { kymoSelection, decisions } = value as Readonly<Record<string, unknown>>;
  return kymoSelection === 1 && Array.isArray(decisions) && decisions.every(isDecision);
}

function isDecision(value: unknown): value is Decision {
  if (typeof value !== 'object' || value === null) return false;
  const { key, selected, reason } = value as Readonly<Record<string, unknown>>;
  return (
    typeof key === 'string' &&
    typeof selected === 'boolean' &&
    typeof reason === 'object' &&
    reason !== null &&
    typeof (reason as { readonly rule?: unknown }).rule === 'string'
  );
}
