import type { MenuItem } from '../ui/controls/menu';
import { fileOrder, type ValueTree } from './valueTree';

/** What can be done with a tree, or with what is below one of its nodes. */
export function treeMenu(tree: ValueTree, row?: number): readonly MenuItem[] {
  const what = row === undefined ? 'All' : 'All Below';
  const items: MenuItem[] = [
    { label: `Expand ${what}`, run: () => tree.setOpenBelow(row, true) },
    { label: `Collapse ${what}`, run: () => tree.setOpenBelow(row, false) },
  ];
  if (row !== undefined) return items;
  const sorted = tree.grid.sort?.column;
  return [
    ...items,
    'separator',
    { label: 'Order of the File', checked: tree.isInFileOrder, run: () => tree.setSort(fileOrder) },
    {
      label: 'Sort by Value',
      checked: sorted === 'value',
      run: () => tree.setSort({ column: 'value', direction: 'descending' }),
    },
    {
      label: 'Sort by Name',
      checked: sorted === 'name',
      run: () => tree.setSort({ column: 'name', direction: 'ascending' }),
    },
  ];
}
