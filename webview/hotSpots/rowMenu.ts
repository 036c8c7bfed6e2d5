import { copyItem, openMenu, type MenuItem, type MenuPlace } from '../ui/controls/menu';
import type { Model } from './data/model';
import type { ProfileActions } from './profileActions';

/** Optional actions and texts of a row. */
export interface RowMore {
  /** Only for call paths. */
  readonly zoom?: () => void;
  readonly hotPath?: () => void;
  readonly expandBelow?: () => void;
  readonly collapseBelow?: () => void;
  /** Shows what calls the function, or what it calls. */
  readonly showBelow: (direction: 'callers' | 'callees') => void;
  /** All groups of functions, and the one of this function's own if the user moved it to another one. */
  readonly groups: { readonly all: readonly string[]; readonly own: string | undefined };
  /** Choices of processes by the row's values. */
  readonly processes?: readonly MenuItem[];
  /** The row as text for a spreadsheet. */
  readonly rowText: string;
  /** Names from the root to the call path. */
  readonly pathText?: string;
}

/** The context menu of a row or rectangle. */
export function openRowMenu(
  model: Model,
  region: number,
  actions: Pick<ProfileActions, 'openSource' | 'pin' | 'regroup'>,
  more: RowMore,
  place: MenuPlace,
): void {
  const { file, known, pinned, selected } = model.row(region);
  const { all, own } = more.groups;
  const { processes = [] } = more;
  const name = model.names[region] ?? '?';
  const unknown =
    known === true ? undefined : 'The study does not contain this function, so it cannot be instrumented.';
  const pin = (label: string, state: 'in' | 'out'): MenuItem => ({
    label,
    disabled: unknown,
    checked: pinned === undefined ? undefined : pinned === state,
    run: () => actions.pin(region, state),
  });
  const decision = selected === undefined ? '' : selected ? ': in' : ': out';
  const item = (label: string, run: (() => void) | undefined): readonly MenuItem[] =>
    run === undefined ? [] : [{ label, run }];
  openMenu(
    'Actions',
    [
      {
        label: 'Open Source',
        keys: 'Enter',
        disabled: file === undefined ? 'The profile has no source position for this function.' : undefined,
        run: () => actions.openSource(region),
      },
      'separator',
      pin('Include in Instrumentation', 'in'),
      pin('Exclude from Instrumentation', 'out'),
      {
        label: 'Unpin',
        disabled: pinned === undefined ? `It is not pinned; Kymo decides${decision}.` : undefined,
        run: () => actions.pin(region, 'none'),
      },
      'separator',
      { label: 'Show Callers', run: () => more.showBelow('callers') },
      { label: 'Show Callees', run: () => more.showBelow('callees') },
      { label: 'Move to Group…', run: () => void actions.regroup(region, { among: all }) },
      ...item(
        `Move Back to ${own ?? ''}`,
        own === undefined ? undefined : () => void actions.regroup(region, 'own'),
      ),
      'separator',
      ...item('Hot Path from Here', more.hotPath),
      ...item('Expand All Below', more.expandBelow),
      ...item('Collapse All Below', more.collapseBelow),
      ...item('Show in Flame Graph', more.zoom),
      ...(more.zoom === undefined ? [] : ['separator' as const]),
      ...processes,
      ...(processes.length === 0 ? [] : ['separator' as const]),
      copyItem('Copy Row', more.rowText, 'Ctrl+C'),
      copyItem('Copy Full Name', name),
      ...(more.pathText === undefined ? [] : [copyItem('Copy Call Path', more.pathText)]),
    ],
    place,
  );
}

/** Names from the root to a call path. */
export function pathText(model: Model, callPath: number): string {
  const names: string[] = [];
  for (let path = callPath; path >= 0; path = model.parent[path] ?? -1)
    names.push(model.names[model.region[path] ?? 0] ?? '?');
  return names.reverse().join(' / ');
}
