import type { Tab } from '../ui/controls/tabs';
import { MatrixView } from './communication/matrixView';
import type { HotSpotsChannel } from './load';
import type { Shown } from './names';
import { GroupsView } from './groups/groupsView';
import type { ProfileActions } from './profileActions';
import { RanksView } from './ranks/ranksView';
import type { TabId, ViewState } from './viewState';

type Page = Tab<TabId> & { readonly focus: () => void };

/** The views of a run of several processes: groups that behave alike, functions × ranks, and who sends to whom where the profile has it. None for other runs. */
export class ParallelTabs {
  readonly pages: readonly Page[];
  private readonly groups: GroupsView | undefined;
  private readonly ranks: RanksView | undefined;
  private readonly matrix: MatrixView | undefined;

  constructor(
    shown: Shown,
    state: ViewState,
    host: {
      readonly channel: HotSpotsChannel;
      readonly actions: ProfileActions;
      readonly onSelect: (region: number) => void;
      readonly keep: (changes: Partial<ViewState>) => void;
    },
  ) {
    const { ranks, communication, locations, chosen } = shown.model.main.header;
    const { channel, actions, onSelect, keep } = host;
    const save = actions.saveDrawing;
    // Also while one of several is shown, for this is where another one is chosen.
    if (locations.length > 1 || chosen !== undefined)
      this.groups = new GroupsView(shown, state, { channel, save, onChoice: keep, onChoose: actions.choose });
    if (ranks !== undefined)
      this.ranks = new RanksView(shown, ranks, state, {
        channel,
        save,
        onSelect,
        onActivate: actions.openSource,
        onChoice: keep,
      });
    if (communication !== undefined)
      this.matrix = new MatrixView(communication, {
        channel,
        save,
        value: state.communicationValue,
        onValue: (communicationValue) => keep({ communicationValue }),
      });
    this.pages = [
      ...page('groups', 'Groups', this.groups),
      ...page('ranks', 'Ranks', this.ranks),
      ...page('communication', 'Communication', this.matrix),
    ];
  }

  /** Called when the shown tab, or what it shows, has changed: hidden views ask for nothing. */
  update(tab: TabId, shown: Shown, metric: number, selected: number | undefined): void {
    if (tab === 'groups') this.groups?.open(shown);
    if (tab === 'ranks') this.ranks?.update(shown, metric, selected);
    if (tab === 'communication') void this.matrix?.open();
  }
}

function page(
  id: TabId,
  label: string,
  view: GroupsView | RanksView | MatrixView | undefined,
): readonly Page[] {
  return view === undefined ? [] : [{ id, label, content: view.element, focus: () => view.focus() }];
}
