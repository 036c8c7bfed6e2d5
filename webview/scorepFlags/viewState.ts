import { isRecord, present } from '../../src/core/present';
import type { OptionValues } from '../../src/core/scorepOptions/option';
import { mostValues, type ScorepFlagsState } from '../../src/protocol/scorepFlags';
import { KeptFields } from '../ui/page/keptState';

/** What the user is looking at; VS Code keeps it over hiding and reloads. The extension reads folder and target from it, too. */
export interface ViewState extends ScorepFlagsState {
  readonly search: string;
  readonly regex: boolean;
}

export function readViewState(value: unknown): ViewState {
  const kept = new KeptFields(value);
  return {
    folder: kept.text('folder') ?? '',
    ...present({ target: kept.text('target'), values: readValues(kept.value('values')) }),
    search: kept.text('search', 1000) ?? '',
    regex: kept.flag('regex'),
  };
}

function readValues(value: unknown): OptionValues | undefined {
  if (!isRecord(value)) return undefined;
  const entries = Object.entries(value)
    .filter((entry): entry is [string, string] => typeof entry[1] === 'string')
    .slice(0, mostValues);
  return Object.fromEntries(entries);
}
