import type { OptionValues } from '../../src/core/scorepOptions/option';
import { mostValues, type ScorepFlagsState } from '../../src/protocol/scorepFlags';

/** What the user is looking at; kept by VS Code over hiding and reloads. The extension reads folder and target from it, too. */
export interface ViewState extends ScorepFlagsState {
  readonly search: string;
  readonly regex: boolean;
}

/** A state that was kept; what does not fit (another version kept it) gets its default. */
export function readViewState(value: unknown): ViewState {
  const given = (typeof value === 'object' && value !== null ? value : {}) as Readonly<
    Record<string, unknown>
  >;
  const { folder, target, search, regex } = given;
  const values = readValues(given.values);
  return {
    folder: typeof folder === 'string' ? folder : '',
    ...(typeof target === 'string' ? { target } : {}),
    ...(values === undefined ? {} : { values }),
    search: typeof search === 'string' ? search.slice(0, 1000) : '',
    regex: regex === true,
  };
}

function readValues(value: unknown): OptionValues | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const entries = Object.entries(value as Readonly<Record<string, unknown>>)
    .filter((entry): entry is [string, string] => typeof entry[1] === 'string')
    .slice(0, mostValues);
  return Object.fromEntries(entries);
}
