import { copyItem, openMenu, type MenuPlace } from '../ui/controls/menu';

/** What can be done with a function, or with one of its calls. */
export function openFunctionMenu(
  name: string,
  actions: {
    readonly openSource: () => void;
    readonly find: (direction: 1 | -1) => void;
    readonly highlight: () => void;
    /** Only for calls. */
    readonly zoom?: () => void;
    readonly profile?: () => void;
  },
  place: MenuPlace,
): void {
  const { zoom, profile } = actions;
  openMenu(
    name,
    [
      { label: 'Go to Source', keys: 'Enter', run: actions.openSource },
      'separator',
      ...(zoom === undefined ? [] : [{ label: 'Zoom to This Call', keys: 'Z', run: zoom }]),
      ...(profile === undefined ? [] : [{ label: 'Profile of This Call', keys: 'M', run: profile }]),
      { label: 'Next Call', run: () => actions.find(1) },
      { label: 'Previous Call', run: () => actions.find(-1) },
      { label: 'Highlight', run: actions.highlight },
      'separator',
      copyItem('Copy Name', name),
    ],
    place,
  );
}
