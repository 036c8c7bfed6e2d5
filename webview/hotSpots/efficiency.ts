import { formatPercent, formatSeconds } from '../../src/core/format';
import { efficiencyBase, efficiencySource, efficiencyTerms } from '../../src/core/efficiency/terms';
import type { EfficiencySummary } from '../../src/core/efficiency/summary';
import type { EfficiencyOfFunction } from '../../src/core/functions/functionRow';
import { element } from '../ui/base/dom';
import type { NumberColumn } from './data/columns';
import type { Model } from './data/model';

interface Column {
  readonly title: string;
  readonly valueOf: (label: string) => number | undefined;
}

/** The POP metrics of a run, of its phase, and of the run that it is compared with; the definition of each is its tooltip. */
export function efficiencyTable(summary: EfficiencySummary, compared?: EfficiencySummary): HTMLElement {
  const columns = columnsOf(summary, compared);
  const rows = summary.terms.map(({ label, definition }) =>
    element(
      'tr',
      { tooltip: definition },
      element('th', { attributes: { scope: 'row' } }, label),
      ...columns.map(({ valueOf }) => element('td', {}, valueText(valueOf(label)))),
    ),
  );
  return element(
    'details',
    { class: 'efficiency' },
    element('summary', { tooltip: `${efficiencyBase} Definitions: ${efficiencySource}.` }, headline(summary)),
    element(
      'table',
      {},
      element(
        'thead',
        {},
        element(
          'tr',
          {},
          element('td', {}),
          ...columns.map(({ title }) => element('th', { attributes: { scope: 'col' } }, title)),
        ),
      ),
      element('tbody', {}, ...rows),
    ),
    ...summary.notes.map((note) => element('p', { class: 'muted' }, note)),
  );
}

function columnsOf(summary: EfficiencySummary, compared: EfficiencySummary | undefined): readonly Column[] {
  const { terms, phase, runSeconds, phaseSeconds = 0 } = summary;
  const termIn = (
    all: EfficiencySummary['terms'],
    label: string,
  ): EfficiencySummary['terms'][number] | undefined => all.find((term) => term.label === label);
  return [
    { title: `Run (${formatSeconds(runSeconds)})`, valueOf: (label) => termIn(terms, label)?.run },
    ...(phase === undefined
      ? []
      : [
          {
            title: `Phase ${phase} (${formatSeconds(phaseSeconds)})`,
            valueOf: (label: string) => termIn(terms, label)?.phase,
          },
        ]),
    ...(compared === undefined
      ? []
      : [
          {
            title: `Compared run (${formatSeconds(compared.runSeconds)})`,
            valueOf: (label: string) => termIn(compared.terms, label)?.run,
          },
        ]),
  ];
}

/** `Parallel efficiency 62 % of 8 processes: load balance 92 % × communication efficiency 67 %` */
function headline({ terms, processes, locations }: EfficiencySummary): string {
  const [parallel, balance, communication] = terms.map(({ run }) => valueText(run));
  const who =
    processes === 1
      ? `${locations} threads`
      : locations === processes
        ? `${processes} processes`
        : `${processes} processes with ${locations} threads`;
  return `Parallel efficiency of ${who} ${parallel ?? ''}: load balance ${balance ?? ''} × communication efficiency ${communication ?? ''}`;
}

function valueText(value: number | undefined): string {
  return value === undefined ? '–' : formatPercent(value);
}

/** Columns of the flat profile; none where the profile does not have them. @param regions function by row, −1: none */
export function efficiencyColumns(model: Model, regions: () => ArrayLike<number>): readonly NumberColumn[] {
  if (model.main.header.efficiency === undefined) return [];
  const valuesOf = (of: 'parallel' | 'loadBalance' | 'communication'): (() => Float64Array) => {
    let last: { readonly rows: ArrayLike<number>; readonly values: Float64Array } | undefined;
    return () => {
      const rows = regions();
      // Below all values, where there is none.
      if (last?.rows !== rows)
        last = {
          rows,
          values: Float64Array.from(rows, (region) => model.row(region).efficiency?.[of] ?? -1),
        };
      return last.values;
    };
  };
  const column = (
    of: keyof Pick<EfficiencyOfFunction, 'parallel' | 'loadBalance' | 'communication'>,
    title: string,
  ): NumberColumn => {
    const { label, definition } = efficiencyTerms[of];
    return {
      id: of,
      title,
      tooltip: `${label} of the function and its callees. ${definition}`,
      width: 96,
      values: valuesOf(of),
      format: (value) => (value < 0 ? '–' : formatPercent(value)),
    };
  };
  return [
    column('parallel', 'Parallel Eff.'),
    column('loadBalance', 'Load Balance'),
    column('communication', 'Comm. Eff.'),
  ];
}
