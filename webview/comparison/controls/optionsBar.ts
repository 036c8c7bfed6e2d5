import { formatPercent } from '../../../src/core/format';
import type {
  ComparisonFilter,
  ComparisonHeader,
  ComparisonSettings,
} from '../../../src/core/trace/comparisonPieces';
import { usualFilter } from '../../../src/protocol/comparison';
import type { Control } from '../../ui/base/dom';
import { element } from '../../ui/base/dom';
import { checkbox } from '../../ui/controls/checkbox';
import { dropdown } from '../../ui/controls/dropdown';
import { slider } from '../../ui/controls/slider';
import { isLinked, settingsOf, targetOf, type Options, type Target } from '../options';
import { metricLabel } from '../words';

export interface OptionsBar extends Control {
  /** Shows the options of a target; the views are those of the header. */
  show(header: ComparisonHeader, options: Options, target: Target): void;
}

/** The steps of the sliders, as shares. */
const sensitivities = [0, 0.01, 0.02, 0.03, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.5, 1];
const hotSpotShares = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5];
/** A slider of depths has no more steps. */
const mostDepth = 60;

const filters = [
  ['contexts', 'Calls', 'Called functions'],
  ['pointToPoint', 'Point to point', 'Point-to-point messages'],
  ['collectives', 'Collectives', 'Collective operations'],
  ['onlyDifferent', 'Only different', 'Only what differs, or has something below it that does'],
] as const satisfies readonly (readonly [keyof ComparisonFilter, string, string])[];

/** Everything that decides how views are compared and what they show: of the linked views, or of one that is not linked. */
export function optionsBar(actions: {
  /** @param what the step, in words */
  readonly onSettings: (settings: ComparisonSettings, what: string) => void;
  readonly onTarget: (target: Target) => void;
}): OptionsBar {
  let settings: ComparisonSettings | undefined;
  const change = (part: Partial<ComparisonSettings>, what: string): void => {
    if (settings === undefined) return;
    settings = { ...settings, ...part };
    actions.onSettings(settings, what);
  };
  const filter = (part: Partial<ComparisonFilter>, what: string): void => {
    if (settings !== undefined) change({ shows: { ...settings.shows, ...part } }, what);
  };
  const target = dropdown<string>({
    label: 'Options of',
    onChange: (value) => actions.onTarget(value === 'linked' ? undefined : Number(value)),
  });
  const mode = dropdown<ComparisonSettings['mode']>({
    label: 'Show as',
    choices: [
      { value: 'chain', label: 'Call chain' },
      { value: 'frequency', label: 'Frequency' },
    ],
    onChange: (value) => change({ mode: value }, 'View'),
  });
  const metric = dropdown<string>({
    label: 'Metric',
    onChange: (value) => change({ metric: value }, 'Metric'),
  });
  const sensitivity = slider({
    label: 'Sensitivity',
    count: sensitivities.length,
    position: nearest(sensitivities, 0.05),
    text: (position) => formatPercent(sensitivities[position] ?? 0),
    tooltip: 'Smaller relative deviations are not shown as changes',
    onChange: (position) => change({ sensitivity: sensitivities[position] ?? 0 }, 'Sensitivity'),
  });
  const hotSpots = slider({
    label: 'Hot spots',
    count: hotSpotShares.length,
    position: nearest(hotSpotShares, usualFilter.hotSpotShare),
    text: (position) => `≥ ${formatPercent(hotSpotShares[position] ?? 0)}`,
    tooltip: 'Entries with at least this inclusive share of the metric are highlighted',
    onChange: (position) => filter({ hotSpotShare: hotSpotShares[position] ?? 0 }, 'Hot Spots'),
  });
  let deepest = 1;
  const depth = slider({
    label: 'Depth',
    count: 1,
    position: 0,
    text: (position) => (position + 1 >= deepest ? 'all' : String(position + 1)),
    tooltip: 'Deeper calls are hidden',
    onChange: (position) =>
      filter({ depth: position + 1 >= deepest ? usualFilter.depth : position + 1 }, 'Depth'),
  });
  const relative = checkbox({
    label: 'Relative partners',
    onChange: (isRelative) => change({ isRelative }, 'Partners'),
  });
  relative.element.title = 'Compare partners of messages by their distance from the own rank';
  const boxes = filters.map(([name, label, tooltip]) => {
    const box = checkbox({ label, onChange: (checked) => filter({ [name]: checked }, 'Filter') });
    box.element.title = tooltip;
    return [name, box] as const;
  });
  const shown = element(
    'div',
    { class: 'options-filters row', role: 'group', label: 'Show' },
    ...boxes.map(([, box]) => box.element),
  );
  return {
    element: element(
      'section',
      { class: 'comparison-options row', label: 'Options' },
      ...[target, mode, metric, sensitivity, hotSpots, depth, relative].map((control) => control.element),
      shown,
    ),
    show: (header, options, of) => {
      const given = settingsOf(options, of);
      settings = given;
      const alone = header.views.flatMap((_, view) => (isLinked(options, view) ? [] : [view]));
      const linked = header.views.flatMap((_, view) => (isLinked(options, view) ? [view + 1] : []));
      target.element.hidden = alone.length === 0;
      target.setChoices(
        [
          ...(linked.length === 0 ? [] : [{ value: 'linked', label: `linked views (${linked.join(', ')})` }]),
          ...alone.map((view) => ({ value: String(view), label: `view ${view + 1} (not linked)` })),
        ],
        of === undefined || targetOf(options, of) === undefined ? 'linked' : String(of),
      );
      mode.setValue(given.mode);
      metric.element.hidden = header.metrics.length < 2;
      metric.setChoices(
        header.metrics.map((value) => ({ value, label: metricLabel(value) })),
        given.metric,
      );
      sensitivity.setPosition(nearest(sensitivities, given.sensitivity));
      hotSpots.setPosition(nearest(hotSpotShares, given.shows.hotSpotShare));
      deepest = Math.max(1, Math.min(mostDepth, header.depth));
      depth.setCount(deepest);
      depth.setPosition(Math.min(deepest, given.shows.depth) - 1);
      relative.setChecked(given.isRelative);
      for (const [name, box] of boxes) box.setChecked(given.shows[name]);
    },
  };
}

/** Position of the nearest step. */
function nearest(steps: readonly number[], value: number): number {
  return steps.reduce(
    (best, step, position) =>
      Math.abs(step - value) < Math.abs((steps[best] ?? 0) - value) ? position : best,
    0,
  );
}
