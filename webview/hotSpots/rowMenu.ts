import { copyText } from '../ui/base/clipboard';
import { openMenu, type MenuItem, type MenuPlace } from '../ui/controls/menu';
import type { Model } from './model';
import type { ProfileActions } from './profileActions';

/** What can be done with a row besides. */
export interface RowMore {
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
export function openRowMenu(
  model: Model,
  region: number,
  actions: Pick<ProfileActions, 'openSource' | 'pin'>,
  more: RowMore,
  place: MenuPlace,
): void {
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
      ...item('Hot Path from Here', more.hotPath),
      ...item('Expand All Below', more.expandBelow),
      ...item('Collapse All Below', more.collapseBelow),
      ...item('Show in Flame Graph', more.zoom),
      ...(more.zoom === undefined ? [] : ['separator' as const]),
      { label: 'Copy Row', keys: 'Ctrl+C', run: () => void copyText(more.rowText) },
      { label: 'Copy Full Name', run: () => void copyText(name) },
      ...item(
        'Copy Call Path',
        more.pathText === undefined ? undefined : () => void copyText(more.pathText ?? ''),
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
