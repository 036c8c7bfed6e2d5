import { KymoError } from '../../core/errors';
import { functionsCalled } from '../filters/calledSo';
import { notRecordable, shortName } from '../filters/notRecordable';
import { didYouMean, meantBy } from '../filters/selectionFile';
import type { LiveFunction } from '../studies/liveFunctions';
import type { RecordingWish } from './wishes';

/** A wish in the words of a user. */
export interface NamedWish {
  /** Names as they are shown, with or without arguments, mangled names, or patterns as in filters. */
  readonly record: readonly string[];
  readonly leave: readonly string[];
}

export interface WishedFunctions {
  readonly wish: RecordingWish;
  /** What cannot be switched, in sentences. */
  readonly notes: readonly string[];
}

/**
 * The functions that are meant.
 * @throws KymoError `unknown-function` for a name that no function has, and if none of the functions can be switched
 */
export function wishedFunctions(named: NamedWish, functions: readonly LiveFunction[]): WishedFunctions {
  const wanted = { record: found(named.record, functions), leave: found(named.leave, functions) };
  const without = [...wanted.record, ...wanted.leave].filter(({ state }) => state === 'none');
  const phases = wanted.leave.filter(({ state }) => state === 'phase');
  const notes = [
    ...notRecordable(
      without.map(({ name, notRecorded: why }) => (why === undefined ? { name } : { name, why })),
    ),
    ...phases.map(
      ({ name }) => `${shortName(name)} stays recorded: it is the phase, whose visits are the iterations.`,
    ),
  ];
  const wish = { record: switchable(wanted.record), leave: switchable(wanted.leave) };
  const isNothing = wish.record.length === 0 && wish.leave.length === 0;
  if (isNothing && notes.length > 0)
    throw new KymoError('unknown-function', `Nothing was switched. ${notes.join(' ')}`);
  return { wish, notes };
}

function found(names: readonly string[], functions: readonly LiveFunction[]): readonly LiveFunction[] {
  const all = names.flatMap((name) => {
    const called = functionsCalled(functions, name);
    if (called.length === 0) throw unknown(name, functions);
    // A pattern is meant for what can be recorded.
    const can = called.filter(({ state }) => state !== 'none');
    return can.length > 0 ? can : called;
  });
  return [...new Set(all)];
}

function switchable(functions: readonly LiveFunction[]): readonly string[] {
  return functions.flatMap(({ key, state }) => (state === 'recorded' || state === 'left out' ? [key] : []));
}

function unknown(name: string, functions: readonly LiveFunction[]): KymoError {
  return new KymoError(
    'unknown-function',
    `The program has no function “${shortName(name)}”${didYouMean(meantBy(name, functions))}, so nothing was switched. Give a name as profiles show it, a mangled name, or a pattern such as “solve*”.`,
  );
}
