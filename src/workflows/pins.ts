import path from 'node:path';
import { KymoError } from '../core/errors';
import { namesIt, type FilterDecision } from '../formats/scorep-filter/effects/decide';
import { analyseEffects } from '../formats/scorep-filter/effects/effects';
import { isCalled } from './filters/calledSo';
import { readFilterText } from './filters/filterText';
import { didYouMean, meantBy, selectionIn, unknownNames } from './filters/selectionFile';
import { changePinFile, pinsFile, readPinFile } from './pins/pinStore';
import { withPins, type ChangedPin, type Pin, type PinFile, type PinState } from './pins/pinFile';
import { notRecordable, shortName } from './filters/notRecordable';
import type { FunctionRow } from '../core/functions/functionRow';
import { turn, type Cancellable } from './running/turn';
import { listStudies } from './studies/studies';
import { functionRows } from './studies/functionsFile';

export type { Pin, PinState } from './pins/pinFile';

/** The pins of a workspace. */
export interface PinList {
  /** Absolute path of `pins.json`; it need not exist. */
  readonly file: string;
  readonly pins: readonly Pin[];
  /** Title of the change that undoing reverts: `Excluded step()`. */
  readonly undo?: string;
  /** Sentences about ignored entries of the file. */
  readonly problems: readonly string[];
}

/** The result of a change. */
export interface PinsChanged extends PinList {
  /** One sentence for the user. */
  readonly message: string;
  /** Notes for the user: functions that cannot be recorded, with reasons. */
  readonly notes: readonly string[];
}

export interface PinOptions {
  readonly workspace: string;
  /** Keys; with `byName` also names as shown, without parameters, or mangled. */
  readonly functions: readonly string[];
  readonly byName?: boolean;
  /** The target whose studies are searched for the functions; default: all targets. */
  readonly target?: string;
  /** The study with the functions; default: the newest with results. */
  readonly studyDirectory?: string;
  /** `none` removes the pins. */
  readonly state: PinState | 'none';
}

/** A function to be pinned. */
type PinnedFunction = Omit<Pin, 'state'>;

/** @throws KymoError `pins-invalid` */
export async function listPins(workspace: string): Promise<PinList> {
  const { file, problems } = await readPinFile(workspace);
  return toList(workspace, file, problems);
}

/**
 * Pins functions in or out, or removes their pins. The next measured round follows.
 * @throws KymoError `unknown-function` for a function that the last study does not know; `pins-invalid`; `write-failed`
 */
export async function pin(options: PinOptions, context: Cancellable = {}): Promise<PinsChanged> {
  const { workspace, state } = options;
  const rows = await knownFunctions(options, context);
  const chosen = await chooseFunctions(options, rows);
  const title = `${verbs[state]} ${namesOf(chosen)}`;
  const file = await changePinFile(workspace, (before) =>
    withPins(
      before,
      chosen.map((pinned) => ({ ...pinned, state })),
      title,
    ),
  );
  const without = siteless(rows);
  const lost = state === 'in' ? chosen.filter(({ key }) => without.has(key)) : [];
  return {
    ...toList(workspace, file, []),
    // The notes explain the effect on functions that cannot be recorded.
    message: lost.length === chosen.length ? `${title}.` : `${title}${followUps[state](chosen.length)}`,
    notes: withoutSite(lost, rows),
  };
}

/** Undoes the last change, whichever window made it. An empty history is no error. */
export async function undoPin(workspace: string): Promise<PinsChanged> {
  let message = 'There is no change of the instrumentation to undo.';
  const file = await changePinFile(workspace, (before) => {
    const step = before.history.at(-1);
    if (step === undefined) return before;
    message = `Undone: ${step.title}.`;
    const pins = new Map(before.pins.map((pinned) => [pinned.key, pinned]));
    for (const { key, pin: was } of step.before) {
      if (was === undefined) pins.delete(key);
      else pins.set(key, was);
    }
    return { pins: [...pins.values()], history: before.history.slice(0, -1) };
  });
  return { ...toList(workspace, file, []), message, notes: [] };
}

export interface FilterPinOptions {
  readonly workspace: string;
  /** The study with the functions. */
  readonly studyDirectory: string;
  /** Name of the filter, for the title of the change. */
  readonly name: string;
  readonly text: string;
}

/**
 * Pins the functions for which a filter differs from the last selection, as one change that can be undone: functions that it excludes are
 * pinned out, functions that it includes by name are pinned in. The next refinement decides on functions that it admits only because no rule
 * excludes them.
 * @throws KymoError `filter-invalid`, `study-invalid`, `pins-invalid`, `write-failed`
 */
export async function pinByFilter(
  options: FilterPinOptions,
  context: Cancellable = {},
): Promise<PinsChanged> {
  const { workspace, studyDirectory, name, text } = options;
  const { filter, names, notes } = selectionIn(text, name);
  const rows = await functionRows(studyDirectory, context);
  await turn(context);
  const { decisions } = analyseEffects(filter, rows, 'run-time');
  await turn(context);
  const decided = rows.map((row, index) => ({ row, wanted: wantedBy(decisions[index]) }));
  let changes: readonly ChangedPin[] = [];
  const title = (): string => {
    const count = (state: PinState): number => changes.filter((change) => change.state === state).length;
    return `Applied ${name}: ${count('in')} in, ${count('out')} out`;
  };
  const file = await changePinFile(workspace, (before) => {
    const pinned = new Map(before.pins.map(({ key, state }) => [key, state]));
    changes = decided.flatMap(({ row, wanted }): readonly ChangedPin[] => {
      const state = pinned.get(row.key) ?? (row.selected ? 'in' : 'out');
      return wanted === undefined || state === wanted ? [] : [{ ...row, state: wanted }];
    });
    return withPins(before, changes, title());
  });
  const included = changes.filter(({ state }) => state === 'in');
  return {
    ...toList(workspace, file, []),
    message:
      changes.length === 0
        ? `${name} decides as the last selection and the pins do, so nothing was changed.`
        : `${title()}. The next round that is measured follows.`,
    notes: [...notes, ...unknownNames(names, rows, name), ...withoutSite(included, rows)],
  };
}

/**
 * Pins by a filter file, for the newest study with results.
 * @throws KymoError `nothing-refined` if there is no such study, and the errors of `pinByFilter` and of reading the file
 */
export async function pinFromFile(options: {
  readonly workspace: string;
  readonly target?: string;
  /** Absolute path of the filter file. */
  readonly file: string;
}): Promise<PinsChanged> {
  const { workspace, target, file } = options;
  const text = await readFilterText(file);
  const studies = await listStudies(workspace);
  const study = studies.find(
    ({ iterations, target: own }) => iterations.length > 0 && (target === undefined || own === target),
  );
  if (study === undefined)
    throw new KymoError(
      'nothing-refined',
      `No refinement has results yet, so it is not known which functions ${path.basename(file)} means. Run “kymo refine” first, or “kymo measure --filter ${path.basename(file)}”.`,
    );
  return pinByFilter({ workspace, studyDirectory: study.directory, name: path.basename(file), text });
}

function wantedBy(decision: FilterDecision | undefined): PinState | undefined {
  if (decision === undefined) return undefined;
  if (!decision.instrumented) return 'out';
  return namesIt(decision) ? 'in' : undefined;
}

const verbs = { in: 'Included', out: 'Excluded', none: 'Unpinned' } as const;

const followUps: Readonly<Record<PinState | 'none', (count: number) => string>> = {
  in: (count) => `: ${count === 1 ? 'it' : 'they'} will be recorded from the next round on.`,
  out: (count) => `: ${count === 1 ? 'it' : 'they'} will be left out from the next round on.`,
  none: (count) => `: the next refinement decides on ${count === 1 ? 'it' : 'them'} again.`,
};

/** The functions of the chosen study; empty before the first refinement. */
async function knownFunctions(
  { workspace, studyDirectory, target }: PinOptions,
  context: Cancellable,
): Promise<readonly FunctionRow[]> {
  if (studyDirectory !== undefined) return functionRows(studyDirectory, context);
  for (const study of await listStudies(workspace, context)) {
    if (study.iterations.length === 0 || (target !== undefined && study.target !== target)) continue;
    // A study that was deleted or damaged meanwhile must not hide the earlier ones.
    const functions = await functionRows(study.directory, context).catch(() => undefined);
    context.signal?.throwIfAborted();
    if (functions !== undefined) return functions;
  }
  return [];
}

/** Finds the functions to pin. Pinned functions can always be unpinned, even if no study knows them any more. */
async function chooseFunctions(
  { workspace, functions, byName = false, state }: PinOptions,
  rows: readonly FunctionRow[],
): Promise<readonly PinnedFunction[]> {
  const { file } = await readPinFile(workspace);
  const candidates: readonly (PinnedFunction & { readonly mangledName?: string })[] =
    state === 'none' ? [...file.pins, ...rows] : rows;
  const chosen = new Map<string, PinnedFunction>();
  for (const wanted of functions) {
    const matches = candidates.filter(
      (candidate) => candidate.key === wanted || (byName && isCalled(candidate, wanted)),
    );
    if (matches.length === 0) throw unknownFunction(wanted, rows);
    for (const match of matches) if (!chosen.has(match.key)) chosen.set(match.key, match);
  }
  return [...chosen.values()];
}

function unknownFunction(name: string, rows: readonly FunctionRow[]): KymoError {
  return new KymoError(
    'unknown-function',
    rows.length > 0
      ? `The last study knows no function “${name}”${didYouMean(meantBy(name, rows))}, so nothing was pinned. Give a name as its function table shows it, or refine again when the function is new.`
      : `“${name}” cannot be pinned: nothing was refined here yet, so its functions are not known. Run a refinement first.`,
  );
}

function withoutSite(chosen: readonly PinnedFunction[], rows: readonly FunctionRow[]): readonly string[] {
  const without = siteless(rows);
  return notRecordable(
    chosen.flatMap(({ key, name }) => {
      const row = without.get(key);
      if (row === undefined) return [];
      return [row.notRecorded === undefined ? { name } : { name, why: row.notRecorded }];
    }),
  );
}

function siteless(rows: readonly FunctionRow[]): ReadonlyMap<string, FunctionRow> {
  return new Map(rows.flatMap((row) => (row.hasSite ? [] : [[row.key, row]])));
}

function namesOf(functions: readonly PinnedFunction[]): string {
  const [first, ...others] = functions;
  if (first === undefined) return 'nothing';
  return `${shortName(first.name)}${others.length === 0 ? '' : ` and ${others.length} more`}`;
}

function toList(workspace: string, { pins, history }: PinFile, problems: readonly string[]): PinList {
  const undo = history.at(-1)?.title;
  return { file: pinsFile(workspace), pins, ...(undo === undefined ? {} : { undo }), problems };
}
