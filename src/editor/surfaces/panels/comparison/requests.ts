import type { ComparisonSettings } from '../../../../core/trace/comparisonPieces';
import {
  comparisonActions,
  maximumComparedViews,
  maximumComparisonPixels,
  maximumComparisonRows,
  type ComparedPart,
  type ComparisonRequests,
} from '../../../../protocol/comparison';
import {
  absolutePath,
  finiteNumber,
  flag,
  listOf,
  nothing,
  numberBelow,
  numberFrom,
  oneOf,
  partial,
  record,
  text,
  type Guard,
} from '../../../../protocol/guards';
import type { ComparedInput, ComparisonInput } from '../../../state/comparison/comparisonSession';
import { inputBefore } from '../panelInput';

export { panelName } from '../panelInput';

type Parameters<Name extends keyof ComparisonRequests> = ComparisonRequests[Name]['parameters'];

const position = numberBelow(2 ** 32);
/** The row before the first one is where a search from the start begins. */
const searchStart: Guard<number> = (value) => (value === -1 ? -1 : position(value));
const id = text(200);

function numberUpTo(most: number): Guard<number> {
  return (value) => {
    const given = finiteNumber(value);
    return given !== undefined && given >= 0 && given <= most ? given : undefined;
  };
}

const settings: Guard<ComparisonSettings> = record({
  mode: oneOf('chain', 'frequency'),
  metric: text(1000),
  sensitivity: numberUpTo(1000),
  isRelative: flag,
  shows: record({
    collectives: flag,
    pointToPoint: flag,
    contexts: flag,
    depth: numberFrom(1, 2 ** 31),
    onlyDifferent: flag,
    hotSpotShare: numberUpTo(1),
  }),
});

const iterations: Guard<readonly [number, number]> = (value) => {
  const [first, last, ...more] = listOf(numberFrom(1, 2 ** 31), 2)(value) ?? [];
  if (first === undefined || last === undefined || more.length > 0 || last < first) return undefined;
  return [first, last];
};
const part: Guard<ComparedPart> = partial({ rank: position, iterations });

/** Requests about what is shown, with more parameters of their own. */
function shown<More extends object>(
  more: Guard<More>,
): Guard<More & { readonly id: string; readonly settings: ComparisonSettings; readonly view?: number }> {
  const required = record({ id, settings });
  const optional = partial({ view: numberBelow(maximumComparedViews) });
  return (value) => {
    const [own, of, alone] = [more(value), required(value), optional(value)];
    return own === undefined || of === undefined || alone === undefined
      ? undefined
      : { ...own, ...of, ...alone };
  };
}

const searched = record({ row: searchStart, isBackwards: flag });
const named = partial({ text: text(1000) });

/** Checks of the parameters of the webview's requests. */
export const comparisonGuards: {
  readonly [Name in keyof ComparisonRequests]: Guard<Parameters<Name>>;
} = {
  open: nothing,
  summary: shown(nothing),
  rows: shown(record({ first: position, count: numberBelow(maximumComparisonRows + 1) })),
  overview: shown(record({ pixels: numberFrom(1, maximumComparisonPixels) })),
  find: shown((value) => {
    const [where, what] = [searched(value), named(value)];
    return where === undefined || what === undefined ? undefined : { ...where, ...what };
  }),
  openSource: shown(record({ row: position })),
  choose: record({ parts: listOf(part, maximumComparedViews) }),
  cancel: nothing,
  save: record({ id, format: oneOf('json', 'csv'), settings }),
  act: record({ action: oneOf(...comparisonActions) }),
};

const compared: Guard<ComparedInput> = (value) => {
  const [where, which] = [record({ file: absolutePath })(value), part(value)];
  return where === undefined || which === undefined ? undefined : { ...where, ...which };
};
const input: Guard<ComparisonInput> = (value) => {
  const given = record({ views: listOf(compared, maximumComparedViews) })(value);
  return given !== undefined && given.views.length >= 2 ? given : undefined;
};

/** The input that a panel showed before a reload. */
export const shownBefore = inputBefore(input);
