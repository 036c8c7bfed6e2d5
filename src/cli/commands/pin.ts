import path from 'node:path';
import type { Command } from 'commander';
import { KymoError } from '../../core/errors';
import {
  listPins,
  pin,
  pinFromFile,
  undoPin,
  type PinList,
  type PinsChanged,
  type PinState,
} from '../../workflows/pins';
import type { CommandResult, RegisterCommand } from '../execution/context';
import { printable, table } from '../terminal/table';

interface PinFlags {
  readonly in?: true;
  readonly out?: true;
  readonly none?: true;
  readonly undo?: true;
  readonly from?: string;
}

/** `kymo pin`: includes or excludes functions, whatever the refinement would decide. */
export const registerPin: RegisterCommand = (program, run) => {
  program
    .command('pin [names...]')
    .description('includes functions in the instrumentation or excludes them, from the next round on')
    .option('--in', 'record them at any cost')
    .option('--out', 'do not record them')
    .option('--none', 'let the refinement decide again')
    .option(
      '--from <file>',
      'pin the functions that a Score-P filter or a list (CaPI, PIRA, TAU, plain) decides differently from the last selection',
    )
    .option('--undo', 'undo the last change of pins')
    .action(async (names: readonly string[], _: unknown, command: Command) => {
      await run(async ({ workspace, target }) => {
        const flags = command.opts<PinFlags>();
        const only = target === undefined ? {} : { target };
        if (flags.from !== undefined && names.length === 0 && !isStateGiven(flags))
          return changedResult(await pinFromFile({ workspace, file: path.resolve(flags.from), ...only }));
        const state = stateOf(names, flags);
        const changed =
          state === 'undo'
            ? await undoPin(workspace)
            : await pin({
                workspace,
                functions: names,
                byName: true,
                state,
                ...only,
              });
        return changedResult(changed);
      });
    });
};

/** `kymo pins`: lists all pins. */
export const registerPins: RegisterCommand = (program, run) => {
  program
    .command('pins')
    .description('lists the functions that are pinned in or out')
    .action(() =>
      run(async ({ workspace }) => {
        const list = await listPins(workspace);
        return { result: listResult(list), text: listText(list) };
      }),
    );
};

function isStateGiven(flags: PinFlags): boolean {
  return states.some((state) => flags[state] === true);
}

const states = ['in', 'out', 'none', 'undo'] as const;

function stateOf(names: readonly string[], flags: PinFlags): PinState | 'none' | 'undo' {
  const given = states.filter((state) => flags[state] === true);
  const [state] = given;
  if (flags.from !== undefined)
    throw new KymoError(
      'usage',
      '--from takes the functions from the file: give no names and no other option.',
    );
  if (state === undefined || given.length > 1)
    throw new KymoError('usage', 'Give one of --in, --out, --none, --undo and --from FILE.');
  if ((state === 'undo') !== (names.length === 0))
    throw new KymoError(
      'usage',
      state === 'undo'
        ? '--undo takes no names: it takes the whole last change back.'
        : `Give the functions: kymo pin NAME… --${state}`,
    );
  return state;
}

function changedResult(changed: PinsChanged): CommandResult {
  const { message, notes } = changed;
  return {
    result: { message, notes, ...listResult(changed) },
    text: [message, ...notes.map((note) => `Note: ${note}`)].map(printable).join('\n'),
  };
}

function listResult({ file, pins, undo, problems }: PinList): Readonly<Record<string, unknown>> {
  return { file, pins, problems, ...(undo === undefined ? {} : { undo }) };
}

function listText({ pins, problems }: PinList): string {
  const rows = pins.map(({ state, name, file }) => [state, name, file ?? '']);
  return [
    pins.length === 0
      ? 'Nothing is pinned: every refinement decides by itself.'
      : table(['pinned', 'function', 'file'], rows, 0),
    ...problems.map((problem) => `Note: ${printable(problem)}`),
  ].join('\n');
}
