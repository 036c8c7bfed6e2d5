import type { ComparisonHeader, ComparisonSettings } from '../../src/core/trace/comparisonPieces';
import { isRecord } from '../../src/core/present';
import { maximumComparedViews, usualFilter } from '../../src/protocol/comparison';

/** How views are compared and shown: the same for all that are linked, and those of each view that is not. */
export interface Options {
  readonly linked: ComparisonSettings;
  /** By view; undefined: the view is linked. */
  readonly own: readonly (ComparisonSettings | undefined)[];
}

/** Position of a view that is not linked; undefined: all that are linked. */
export type Target = number | undefined;

export const usualSettings: ComparisonSettings = {
  mode: 'chain',
  metric: 'time',
  sensitivity: 0.05,
  isRelative: false,
  shows: usualFilter,
};

export const usualOptions: Options = { linked: usualSettings, own: [] };

export function isLinked({ own }: Options, view: number): boolean {
  return own[view] === undefined;
}

/** What the options of a view belong to. */
export function targetOf(options: Options, view: number): Target {
  return isLinked(options, view) ? undefined : view;
}

export function settingsOf({ linked, own }: Options, target: Target): ComparisonSettings {
  return (target === undefined ? undefined : own[target]) ?? linked;
}

/** The options after a change in one view: it holds for all linked views, or for this one. */
export function withSettings(options: Options, target: Target, settings: ComparisonSettings): Options {
  if (target === undefined) return { ...options, linked: settings };
  return { ...options, own: replaced(options.own, target, settings) };
}

/** A view that is unlinked begins with the settings that it had; one that is linked takes those of the others. */
export function withLink(options: Options, view: number, wanted: boolean): Options {
  return { ...options, own: replaced(options.own, view, wanted ? undefined : options.linked) };
}

function replaced(
  own: Options['own'],
  view: number,
  settings: ComparisonSettings | undefined,
): Options['own'] {
  return Array.from({ length: Math.max(own.length, view + 1) }, (_, position) =>
    position === view ? settings : own[position],
  );
}

/** The options as far as they fit these traces: instructions are compared where there are some, because times are subject to noise. */
export function fittingOptions(options: Options, header: ComparisonHeader, isFirst: boolean): Options {
  const { metrics, views } = header;
  const usual = metrics.includes('instructions') ? 'instructions' : (metrics[0] ?? 'time');
  const fitting = (settings: ComparisonSettings): ComparisonSettings => {
    const { metric } = settings;
    return isFirst || !metrics.includes(metric) ? { ...settings, metric: usual } : settings;
  };
  return {
    linked: fitting(options.linked),
    own: views.map((_, view) => {
      const settings = options.own[view];
      return settings === undefined ? undefined : fitting(settings);
    }),
  };
}

/** Reads saved options; what another version wrote in another way becomes the default. */
export function readOptions(value: unknown): Options | undefined {
  if (!isRecord(value)) return undefined;
  const own = Array.isArray(value.own) ? (value.own as readonly unknown[]) : [];
  return {
    linked: readSettings(value.linked) ?? usualSettings,
    own: own.slice(0, maximumComparedViews).map(readSettings),
  };
}

function readSettings(value: unknown): ComparisonSettings | undefined {
  if (!isRecord(value)) return undefined;
  const { mode, metric, sensitivity, isRelative } = value;
  const shows = isRecord(value.shows) ? value.shows : {};
  const number = (given: unknown, usual: number): number =>
    typeof given === 'number' && given >= 0 && Number.isFinite(given) ? given : usual;
  const flag = (given: unknown, usual: boolean): boolean => (typeof given === 'boolean' ? given : usual);
  const usual = usualFilter;
  return {
    mode: mode === 'frequency' ? 'frequency' : 'chain',
    metric: typeof metric === 'string' ? metric.slice(0, 200) : usualSettings.metric,
    sensitivity: Math.min(10, number(sensitivity, usualSettings.sensitivity)),
    isRelative: flag(isRelative, false),
    shows: {
      collectives: flag(shows.collectives, usual.collectives),
      pointToPoint: flag(shows.pointToPoint, usual.pointToPoint),
      contexts: flag(shows.contexts, usual.contexts),
      depth: Math.min(usual.depth, Math.max(1, Math.round(number(shows.depth, usual.depth)))),
      onlyDifferent: flag(shows.onlyDifferent, usual.onlyDifferent),
      hotSpotShare: Math.min(1, number(shows.hotSpotShare, usual.hotSpotShare)),
    },
  };
}
