import { isRecord } from '../../src/core/present';
import type { OptionValues } from '../../src/core/scorepOptions/option';
import { mostValues } from '../../src/protocol/scorepFlags';
import { flag, type Saved, record, text } from '../ui/page/savedState';

/** The view's state; VS Code saves it over hiding and reloads. The extension reads folder and target from it, too. */
const fields = {
  folder: text('', Infinity),
  target: text(),
  values: (value: unknown): OptionValues | undefined => {
    if (!isRecord(value)) return undefined;
    const entries = Object.entries(value)
      .filter((entry): entry is [string, string] => typeof entry[1] === 'string')
      .slice(0, mostValues);
    return Object.fromEntries(entries);
  },
  search: text('', 1000),
  regex: flag,
};

export type ViewState = Saved<typeof fields>;
export const readViewState = record(fields);
