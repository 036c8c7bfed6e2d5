import { menuPlaceBelow, openMenu } from '../../ui/controls/menu';
import type { ViewState } from '../viewState';
import type { SpreadOptions, Spreads } from './spreads';

type SpreadState = Pick<ViewState, 'spreadOutliers' | 'spreadScale'>;

export function spreadOptions({ spreadOutliers, spreadScale }: SpreadState): SpreadOptions {
  return { outliers: spreadOutliers, scale: spreadScale };
}

/** What the box plots of the tables show. */
export function openSpreadMenu(
  tables: readonly Spreads[],
  state: SpreadState,
  keep: (changes: Partial<SpreadState>) => void,
  anchor: Element,
): void {
  const { spreadOutliers: outliers, spreadScale: scale } = state;
  const set = (changes: Partial<SpreadState>): void => {
    keep(changes);
    for (const table of tables) table.setOptions(spreadOptions({ ...state, ...changes }));
  };
  openMenu(
    'Spread over Processes',
    [
      { label: 'Outliers', checked: outliers, run: () => set({ spreadOutliers: !outliers }) },
      {
        label: 'Same Scale in All Rows',
        checked: scale === 'table',
        run: () => set({ spreadScale: scale === 'table' ? 'row' : 'table' }),
      },
    ],
    menuPlaceBelow(anchor),
  );
}
