import { KymoError } from '../../src/core/errors';
import { nameTest, type NameTest } from '../../src/core/names/namePattern';
import type { ScorepGroup, ScorepOption } from '../../src/core/scorepOptions/option';
import { type Control, element } from '../ui/base/dom';
import { searchBox, type SearchBox, type SearchQuery } from '../ui/search/searchBox';
import type { Moment } from './model';
import { optionRow, type OptionRow } from './optionRow';

export interface OptionTable extends Control {
  readonly search: SearchBox;
  show(moment: Moment): void;
}

const groups: Readonly<Record<ScorepGroup, { readonly title: string; readonly hint: string }>> = {
  instrumenter: {
    title: 'Instrumenter',
    hint: 'The code that the compiler and the linker add to the program.',
  },
  filter: { title: 'Filter', hint: 'The functions to exclude, at compile time or at run time.' },
  measurement: { title: 'Measurement', hint: 'How the program records data when it runs.' },
  metrics: { title: 'Metrics', hint: 'Quantities to record besides time.' },
};

/** All options, by groups; the search hides those that do not match. */
export function optionTable(
  actions: {
    readonly onValue: (id: string, value: string) => void;
    readonly onSearch: (query: SearchQuery) => void;
  },
  initial: SearchQuery,
): OptionTable {
  const table = element('table', { class: 'options', role: 'table', label: 'Options of Score-P' });
  const none = element('p', {
    class: 'nothing-found muted',
    text: 'No option matches the search.',
    role: 'status',
  });
  none.hidden = true;
  let rows: readonly OptionRow[] = [];
  let sections: readonly { readonly body: HTMLElement; readonly rows: readonly OptionRow[] }[] = [];
  let catalogue = '';
  const search = searchBox({
    label: 'Search options',
    onQuery: (query) => {
      filter();
      actions.onSearch(query);
    },
  });
  search.setQuery(initial);

  function build(options: readonly ScorepOption[]): void {
    rows = options.map((option) => optionRow(option, (value) => actions.onValue(option.id, value)));
    sections = Object.entries(groups).map(([group, { title, hint }]) => {
      const own = rows.filter(({ option }) => option.group === group);
      const heading = element(
        'th',
        { role: 'rowheader', class: 'group', attributes: { scope: 'rowgroup', colspan: '3' } },
        element('h2', { text: title }),
        element('span', { class: 'muted', text: hint }),
      );
      const body = element(
        'tbody',
        { role: 'rowgroup' },
        element('tr', { role: 'row' }, heading),
        ...own.map((row) => row.element),
      );
      return { body, rows: own };
    });
    table.replaceChildren(tableHead(), ...sections.map(({ body }) => body));
  }

  function filter(): void {
    const { text, regex } = search.query;
    let test: NameTest = () => true;
    let error: string | undefined;
    try {
      if (text !== '') test = nameTest({ text, regex, matchCase: false });
    } catch (cause) {
      error = cause instanceof KymoError ? cause.message : String(cause);
    }
    let matches = 0;
    for (const section of sections) {
      let fitting = 0;
      for (const row of section.rows) {
        const fits = test(searchedText(row.option));
        row.element.hidden = !fits;
        if (fits) fitting++;
      }
      section.body.hidden = fitting === 0;
      matches += fitting;
    }
    none.hidden = matches > 0;
    search.setOutcome({ matches, current: -1, error });
  }

  return {
    element: element('section', { class: 'option-pane', label: 'Options' }, table, none),
    search,
    show: (moment) => {
      const { options } = moment.shown.catalogue;
      const text = JSON.stringify(options);
      if (text !== catalogue) {
        catalogue = text;
        build(options);
        filter();
      }
      for (const row of rows) row.show(moment);
    },
  };
}

function tableHead(): HTMLElement {
  const column = (name: string): HTMLElement =>
    element('th', { role: 'columnheader', text: name, attributes: { scope: 'col' } });
  return element(
    'thead',
    { role: 'rowgroup' },
    element('tr', { role: 'row' }, column('Option'), column('Setting'), column('Cost')),
  );
}

function searchedText({ id, label, help, cost, input, place }: ScorepOption): string {
  const choices =
    input.kind === 'choice' ? input.choices.map(({ value, label: name }) => `${value} ${name}`) : [];
  const names = input.kind === 'text' && input.format.kind === 'names' ? (input.format.known ?? []) : [];
  const prefix = place.kind === 'flag' ? (place.prefix ?? '') : '';
  return [id, label, help, cost.text, prefix, ...choices, ...names].join('\n');
}
