import type { Hypothesis } from '../../src/core/diagnosis/hypotheses/hypothesis';
import { metricRecord, type MetricRecord } from '../../src/core/diagnosis/hypotheses/metrics';
import type { DiagnosisHeader } from '../../src/core/views/diagnosis/diagnosisPieces';
import type { Threshold } from '../../src/protocol/diagnosis';
import { type Control, element } from '../ui/base/dom';
import { button, iconButton } from '../ui/controls/button';
import { slider } from '../ui/controls/slider';
import { textField } from '../ui/controls/textField';
import { readThreshold, sliderSteps, stepOf, thresholdAt, writtenThreshold } from './thresholdSteps';
import { thresholdText } from './words';

/** The search is repeated when nobody has changed a threshold for this time. */
const restMilliseconds = 250;

export interface Thresholds extends Control {
  /** @param trueCounts number of true experiments by hypothesis */
  show(header: DiagnosisHeader, trueCounts: ReadonlyMap<string, number>): void;
}

/** The thresholds of all hypotheses that have a metric; each change repeats the search. */
export function thresholdList(onChange: (thresholds: readonly Threshold[]) => void): Thresholds {
  const list = element('div', { class: 'threshold-list' });
  const why = element('p', { class: 'muted' });
  let changed: Record<string, number> = {};
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Ids of the hypotheses whose rows are shown: while the user moves a slider, its row must stay. */
  let shown = '';
  const rows = new Map<string, ThresholdRow>();
  const change = (hypothesis: string, threshold: number | undefined): void => {
    const others = Object.fromEntries(Object.entries(changed).filter(([id]) => id !== hypothesis));
    changed = threshold === undefined ? others : { ...others, [hypothesis]: threshold };
    clearTimeout(timer);
    timer = setTimeout(() => {
      timer = undefined;
      onChange(Object.entries(changed).map(([id, value]) => ({ hypothesis: id, threshold: value })));
    }, restMilliseconds);
    reset.setDisabled(Object.keys(changed).length === 0 ? unchanged : undefined);
  };
  const unchanged = 'All thresholds are the usual ones.';
  const reset = button({
    label: 'Usual Thresholds',
    icon: 'undo',
    onClick: () => {
      for (const [id, row] of rows) {
        row.reset();
        change(id, undefined);
      }
    },
  });
  return {
    element: element(
      'section',
      { class: 'thresholds', label: 'Thresholds' },
      why,
      list,
      element('div', { class: 'row threshold-reset' }, reset.element),
    ),
    show: (header, trueCounts) => {
      const usual = header.usualThresholds;
      const isFixed = usual === undefined;
      const own = header.hypotheses.filter(({ metric }) => metric !== undefined);
      why.textContent = changeText(header);
      reset.element.hidden = isFixed;
      const ids = own.map(({ id }) => id).join(' ');
      if (timer === undefined || ids !== shown)
        changed = Object.fromEntries(
          own
            .filter(({ id, threshold }) => threshold !== (usual?.[id] ?? threshold))
            .map(({ id, threshold }) => [id, threshold]),
        );
      if (ids !== shown) {
        rows.clear();
        for (const hypothesis of own)
          rows.set(
            hypothesis.id,
            thresholdRow(hypothesis, usual?.[hypothesis.id] ?? hypothesis.threshold, change),
          );
        list.replaceChildren(...[...rows.values()].map(({ element: row }) => row));
      }
      shown = ids;
      for (const hypothesis of own)
        rows
          .get(hypothesis.id)
          ?.show(
            changed[hypothesis.id] ?? usual?.[hypothesis.id] ?? hypothesis.threshold,
            trueCounts.get(hypothesis.id) ?? 0,
            isFixed,
          );
      reset.setDisabled(Object.keys(changed).length === 0 ? unchanged : undefined);
    },
  };
}

/** What a change does, or why there is none. */
function changeText({ usualThresholds, clock, wanted }: DiagnosisHeader): string {
  if (usualThresholds === undefined)
    return clock === 'recorded'
      ? 'These are the thresholds of the saved search. It cannot be repeated, because its measurement is not known.'
      : 'These are the thresholds of the search. They can be changed while the program runs.';
  return wanted === undefined
    ? 'Each change repeats the search in the same measurement.'
    : 'Each change goes to the search in the running program, which tests again what may be different.';
}

/** What a field for a threshold is in. */
const unitWords: Readonly<Record<MetricRecord['unit'], string>> = {
  share: '%',
  loss: '%',
  bytes: 'bytes',
  perThousand: 'per 1000 instructions',
  bytesPerSecond: 'bytes/s',
};

interface ThresholdRow extends Control {
  show(threshold: number, trueCount: number, isFixed: boolean): void;
  reset(): void;
}

function thresholdRow(
  { id, label, holds, metric }: Hypothesis,
  usual: number,
  onChange: (hypothesis: string, threshold: number | undefined) => void,
): ThresholdRow {
  const unit = metricRecord(metric ?? '')?.unit;
  const written = unit === undefined ? '' : unitWords[unit];
  const count = element('span', { class: 'muted threshold-count' });
  const text = (value: number): string => thresholdText(value, unit);
  const field = textField({
    label: `${label}: threshold in ${written}`,
    maximumLength: 24,
    onInput: (given) => {
      const value = readThreshold(given, unit);
      field.setInvalid(value === undefined);
      if (value === undefined) return;
      moving.setPosition(stepOf(value, usual, unit));
      change(value);
    },
  });
  const moving = slider({
    label: `holds ${holds}`,
    tooltip: `${label} holds ${holds} this threshold`,
    count: sliderSteps,
    position: stepOf(usual, usual, unit),
    text: (step) => text(thresholdAt(step, usual, unit)),
    onChange: (step) => {
      const value = thresholdAt(step, usual, unit);
      field.setInvalid(false);
      field.setValue(writtenThreshold(value, unit));
      change(value);
    },
  });
  const again = iconButton('undo', `${label}: Usual Threshold (${text(usual)})`, () => {
    set(usual);
    change(usual);
  });
  const change = (value: number): void => {
    again.setDisabled(value === usual ? 'It is the usual threshold.' : undefined);
    onChange(id, value === usual ? undefined : value);
  };
  const set = (value: number): void => {
    field.setInvalid(false);
    field.setValue(writtenThreshold(value, unit));
    moving.setPosition(stepOf(value, usual, unit));
    again.setDisabled(value === usual ? 'It is the usual threshold.' : undefined);
  };
  const controls = element(
    'div',
    { class: 'row threshold-controls' },
    moving.element,
    element(
      'span',
      { class: 'row threshold-field' },
      field.element,
      element('span', { class: 'muted', text: written }),
    ),
    again.element,
  );
  const fixed = element('p', { class: 'threshold-fixed' });
  return {
    element: element(
      'div',
      { class: 'threshold-row', role: 'group', label },
      element('p', { class: 'row' }, element('b', { text: label }), count),
      controls,
      fixed,
    ),
    show: (value, trueCount, isFixed) => {
      count.textContent = `${trueCount} true`;
      controls.hidden = isFixed;
      fixed.hidden = !isFixed;
      fixed.textContent = `holds ${holds} ${text(value)}`;
      // What is being written stays as it is written.
      if (!field.element.matches(':focus-within') || readThreshold(field.value, unit) !== value) set(value);
    },
    reset: () => set(usual),
  };
}
