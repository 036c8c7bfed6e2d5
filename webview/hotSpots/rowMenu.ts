import { copyText } from '../ui/clipboard';
import { openMenu, type MenuItem, type MenuPlace } from '../ui/menu';
import type { Model } from './model';

/** What can be done with a function, wherever it is shown. */
export interface RowActions {
  readonly openSource: (region: number) => void;
  readonly pin: (region: number, state: 'in' | 'out' | 'none') => void;
  /** Only of call paths. */
  readonly zoom?: () => void;
  readonly hotPath?: () => void;
  readonly expandBelow?: () => void;
  readonly collapseBelow?: () => void;
  /** The row as text for a spreadsheet. */
  readonly rowText: string;
  /** Names from the root down. */
  readonly pathText?: string;
}

/** The context menu of a row or rectangle. */
export function openRowMenu(model: Model, region: number, actions: RowActions, place: MenuPlace): void {
  const { file, known, pinned, selected } = model.row(region);
  const name = model.names[region] ?? '?';
  const unknown =
    known === true ? {} : { disabled: 'The study knows no such function: it cannot be instrumented.' };
  const item = (label: string, run: (() => void) | undefined): readonly MenuItem[] =>
    run === undefined ? [] : [{ label, run }];
  openMenu(
    'Actions',
    [
      {
        label: 'Open Source',
        keys: 'Enter',
        ...(file === undefined ? { disabled: 'The profile does not say where this function is.' } : {}),
        run: () => actions.openSource(region),
      },
      'separator',
      {
        label: 'Include in Instrumentation',
        ...unknown,
        ...(pinned === undefined ? {} : { checked: pinned === 'in' }),
        run: () => actions.pin(region, 'in'),
      },
      {
        label: 'Exclude from Instrumentation',
        ...unknown,
        ...(pinned === undefined ? {} : { checked: pinned === 'out' }),
        run: () => actions.pin(region, 'out'),
      },
      {
        label: 'Unpin',
        ...(pinned === undefined
          ? {
              disabled: `It is not pinned; Kymo decides${selected === undefined ? '' : selected ? ': in' : ': out'}.`,
            }
          : {}),
        run: () => actions.pin(region, 'none'),
      },
      'separator',
      ...item('Hot Path from Here', actions.hotPath),
      ...item('Expand All Below', actions.expandBelow),
      ...item('Collapse All Below', actions.collapseBelow),
      ...item('Show in Flame Graph', actions.zoom),
      ...(actions.zoom === undefined ? [] : ['separator' as const]),
      { label: 'Copy Row', keys: 'Ctrl+C', run: () => void copyText(actions.rowText) },
      { label: 'Copy Full Name', run: () => void copyText(name) },
      ...item(
        'Copy Call Path',
        actions.pathText === undefined ? undefined : () => void copyText(actions.pathText ?? ''),
      ),
    ],
    place,
  );
}

/** Names from the root down to a call path. */
export function pathText(model: Model, callPath: number): string {
  const names: string[] = [];
  for (let at = callPath; at >= 0; at = model.parent[at] ?? -1)
    names.push(model.names[model.region[at] ?? 0] ?? '?');
  return names.reverse().join(' / ');
}
