import { formatPercent } from '../../../src/core/format';
import type { ConditionCheck, RuleCheck } from '../../../src/core/views/dynamicsPieces';
import { type Control, element } from '../../ui/base/dom';
import type { GridColumn } from '../../ui/grid/columns';
import { rowColumns } from '../../ui/grid/rowColumns';
import { Grid } from '../../ui/grid/grid';

export interface RuleChecks extends Control {
  show(checks: readonly RuleCheck[]): void;
}

/** A line of the list: a rule, one of its conditions, or one of its other numbers. */
type Line =
  | { readonly kind: 'rule'; readonly check: RuleCheck; readonly position: number }
  | { readonly kind: 'condition'; readonly condition: ConditionCheck }
  | { readonly kind: 'number'; readonly name: string; readonly value: number };

/** The reasons for a finding or its absence: each applied rule, with the numbers of its conditions. */
export function ruleChecks(): RuleChecks {
  let lines: readonly Line[] = [];
  let checks: readonly RuleCheck[] = [];
  const closed = new Set<number>();
  const grid = new Grid({
    label: 'Rules that were tried on this series',
    columns: columns((row) => lines[row]),
    tree: {
      level: (row) => (lines[row]?.kind === 'rule' ? 1 : 2),
      state: (row) => {
        const line = lines[row];
        if (line?.kind !== 'rule') return 'leaf';
        return closed.has(line.position) ? 'closed' : 'open';
      },
    },
    onToggle: (row, open) => {
      const line = lines[row];
      if (line?.kind !== 'rule') return;
      if (open) closed.delete(line.position);
      else closed.add(line.position);
      update();
    },
  });
  const empty = element('p', { class: 'muted explain-empty', text: 'No rule was tried on this series.' });
  const update = (): void => {
    lines = linesOf(checks);
    const rows: number[] = [];
    let isClosed = false;
    lines.forEach((line, row) => {
      if (line.kind === 'rule') isClosed = closed.has(line.position);
      if (line.kind === 'rule' || !isClosed) rows.push(row);
    });
    grid.setRows(Uint32Array.from(rows));
    grid.refresh();
    grid.element.hidden = checks.length === 0;
    empty.hidden = checks.length > 0;
  };
  update();
  return {
    element: element('div', { class: 'rule-checks' }, empty, grid.element),
    show: (given) => {
      checks = given;
      closed.clear();
      update();
    },
  };
}

function linesOf(checks: readonly RuleCheck[]): readonly Line[] {
  return checks.flatMap((check, position): Line[] => {
    return [
      { kind: 'rule', check, position: position },
      ...check.conditions.map((condition): Line => ({ kind: 'condition', condition })),
      ...Object.entries(check.numbers).map(([name, value]): Line => ({ kind: 'number', name, value })),
    ];
  });
}

/** A number with four digits, enough to compare a value with its limit. */
export function numberText(value: number | undefined): string {
  if (value === undefined) return '';
  if (Number.isNaN(value)) return 'not a number';
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '−∞';
  return String(Number(value.toPrecision(4)));
}

function resultText(passed: boolean): string {
  return passed ? '✓ holds' : '✗ does not hold';
}

function columns(lineAt: (row: number) => Line | undefined): readonly GridColumn[] {
  const { text, number } = rowColumns(lineAt);
  return [
    text('what', 'Rule and condition', 240, whatText, { cellTooltip: true }),
    number('value', 'Value', 84, (line) => {
      if (line.kind === 'rule') return '';
      return numberText(line.kind === 'condition' ? line.condition.value : line.value);
    }),
    number('threshold', 'Limit', 84, (line) => {
      if (line.kind !== 'condition') return '';
      return `${line.condition.operator ?? ''} ${numberText(line.condition.threshold)}`.trim();
    }),
    text(
      'result',
      'Result',
      126,
      (line) => {
        if (line.kind === 'condition') return resultText(line.condition.passed);
        return line.kind === 'rule' ? (line.check.passed ? '✓ found' : '✗ not found') : '';
      },
      { cellClass: (row) => (lineAt(row)?.kind === 'rule' ? 'rule-result' : '') },
    ),
    number('severity', 'Severity', 84, (line) => {
      if (line.kind !== 'rule' || !line.check.passed || line.check.severity === undefined) return '';
      return formatPercent(line.check.severity);
    }),
  ];
}

function whatText(line: Line): string {
  switch (line.kind) {
    case 'rule': {
      const { title, iterations } = line.check;
      return iterations === undefined ? title : `${title} · iterations ${iterations[0]}–${iterations[1]}`;
    }
    case 'condition':
      return line.condition.text;
    case 'number':
      return line.name;
  }
}
