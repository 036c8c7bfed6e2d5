import type { Tab } from '../ui/controls/tabs';
import { ChangesView } from './changes/changesView';
import { MatrixView } from './communication/matrixView';
import type { HotSpotsChannel } from './data/load';
import type { Shown } from './names';
import { GroupsView } from './groups/groupsView';
import type { ProfileActions } from './profileActions';
import { RanksView } from './ranks/ranksView';
import type { TabId, ViewState } from './viewState';

type Page = Tab<TabId> & { readonly focus: () => void };

/**
 * Views that not every profile has: what changed since a compared run; of several processes, groups that behave alike, functions × ranks, and who sends to whom
 * where the profile has it.
 */
export class ParallelTabs {
  readonly pages: readonly Page[];
  private readonly groups: GroupsView | undefined;
  private readonly ranks: RanksView | undefined;
  private readonly matrix: MatrixView | undefined;
  private readonly changes: ChangesView | undefined;

  constructor(
    shown: Shown,
    state: ViewState,
    host: {
      readonly channel: HotSpotsChannel;
      readonly actions: ProfileActions;
      readonly onSelect: (region: number) => void;
      readonly keep: (changes: Partial<ViewState>) => void;
      readonly isCompared: boolean;
    },
  ) {
    const { ranks, communication, locations, chosen } = shown.model.main.header;
    const { channel, actions, onSelect, keep } = host;
    const save = actions.saveDrawing;
    const named = (act: (region: number) => void) => (name: string) => {
      const region = shown.model.regionNamed(name);
      if (region !== undefined) act(region);
    };
    if (host.isCompared)
      this.changes = new ChangesView({
        channel,
        onSelect: named(onSelect),
        onActivate: named(actions.openSource),
      });
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
      ...page('changes', 'Changes', this.changes),
      ...page('groups', 'Groups', this.groups),
      ...page('ranks', 'Ranks', this.ranks),
      ...page('communication', 'Communication', this.matrix),
    ];
  }

  /** Called when the shown tab, or what it shows, has changed: hidden views ask for nothing. */
  update(tab: TabId, shown: Shown, metric: number, selected: number | undefined): void {
    if (tab === 'changes') void this.changes?.open();
    if (tab === 'groups') this.groups?.open(shown);
    if (tab === 'ranks') this.ranks?.update(shown, metric, selected);
    if (tab === 'communication') void this.matrix?.open();
  }
}

function page(
  id: TabId,
  label: string,
  view: GroupsView | RanksView | MatrixView | ChangesView | undefined,
): readonly Page[] {
  return view === undefined ? [] : [{ id, label, content: view.element, focus: () => view.focus() }];
}
