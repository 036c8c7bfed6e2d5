import type {
  GroupDetails,
  GroupMatrix,
  GroupPicture,
  ProcessGroups,
} from '../../../src/core/views/groupSummary';
import { type Control, element } from '../../ui/base/dom';
import type { MenuItem } from '../../ui/controls/menu';
import { messageArea } from '../../ui/page/messageArea';
import { errorText, isCancelled } from '../../ui/page/shell';
import type { Shown } from '../names';
import { detailsList, type DetailsList } from './detailsList';
import { GroupBars } from './groupBars';
import { groupingOf, patience, type GroupChoices, type GroupsHost } from './groupChoices';
import { groupControls, type GroupControls } from './groupControls';
import { GroupGraphView } from './groupGraphView';
import { GroupMatrixView } from './groupMatrixView';
import { processList } from './processList';

/** What was asked for one way of grouping. */
interface Answers {
  groups?: ProcessGroups;
  matrix?: GroupMatrix;
  graph?: GroupPicture;
}

/** The processes of a run that behave alike: their times, how similar the groups are, and what they have in common. */
export class GroupsView implements Control {
  readonly element: HTMLElement;
  private readonly message = messageArea();
  private readonly heading = element('p', { class: 'group-heading', role: 'status' });
  private readonly note = element('p', { class: 'group-note', role: 'status' });
  private readonly list = element('div', { class: 'group-list row' });
  private readonly controls: GroupControls;
  private readonly bars: GroupBars;
  private readonly matrix: GroupMatrixView;
  private readonly graph: GroupGraphView;
  private readonly details: DetailsList;
  private answers: Answers = {};
  private asking = new AbortController();
  private isOpen = false;
  /** The groups whose difference is shown. */
  private pair: readonly [one: number, other: number] | undefined;

  constructor(
    private shown: Shown,
    private choices: GroupChoices,
    private readonly host: GroupsHost,
  ) {
    const { onChoose } = host;
    const moreFiles = [this.file('json', 'Save Comparison as JSON…', 'groups of processes')];
    const dot = this.file('dot', 'Save as DOT…', 'what groups have in common');
    this.controls = groupControls(choices, [this.list], (changed) => this.change(changed));
    this.bars = new GroupBars(shown, {
      onChoose,
      onDetails: (group) => this.showDetails([group, group]),
      onSave: host.save,
      moreFiles,
    });
    this.matrix = new GroupMatrixView({
      onChoose: (one, other) => this.showDetails([one, other]),
      onSave: host.save,
      moreFiles,
    });
    this.graph = new GroupGraphView({
      onChoose,
      onSave: host.save,
      saveSvg: () => void this.saveFile('svg', 'what groups have in common'),
      moreFiles: [dot, ...moreFiles],
      alternatives: [
        { label: 'Show Similarity', run: () => this.choose({ groupPicture: 'similarity' }) },
        { label: 'Compare More Coarsely', run: () => this.choose({ groupCoarser: 'filter' }) },
        { label: 'Save as DOT…', run: () => void this.saveFile('dot', 'what groups have in common') },
      ],
    });
    this.details = detailsList({
      order: choices.groupRanking,
      onOrder: (groupRanking) => this.change({ groupRanking }),
      onClose: () => this.showDetails(undefined),
    });
    this.element = element(
      'div',
      { class: 'groups fill' },
      this.controls.element,
      this.message.element,
      this.heading,
      this.note,
      element(
        'div',
        { class: 'group-main' },
        this.bars.element,
        this.matrix.element,
        this.graph.element,
        this.details.element,
      ),
    );
    this.renew();
  }

  /** Asks for the groups when they are looked at for the first time. */
  open(shown: Shown): void {
    this.shown = shown;
    if (this.isOpen) this.renew();
    else void this.load();
    this.isOpen = true;
  }

  focus(): void {
    this.part.focus();
  }

  private get part(): GroupBars | GroupMatrixView | GroupGraphView {
    const { groupPicture } = this.choices;
    if (groupPicture === 'times') return this.bars;
    return groupPicture === 'graph' ? this.graph : this.matrix;
  }

  /** A choice that another part of the view made: the controls show it. */
  private choose(choices: Partial<GroupChoices>): void {
    this.controls.set(choices);
    this.change(choices);
  }

  private change(changed: Partial<GroupChoices>): void {
    const before = JSON.stringify(groupingOf(this.choices));
    this.choices = { ...this.choices, ...changed };
    this.host.onChoice(changed);
    this.controls.show(this.choices);
    if (JSON.stringify(groupingOf(this.choices)) !== before) {
      this.showDetails(undefined);
      this.answers = {};
    } else if ('groupLattice' in changed) delete this.answers.graph;
    if ('groupRanking' in changed) this.showDetails(this.pair);
    void this.load();
  }

  /** Asks for what the shown picture needs and does not have. What was asked before is no longer waited for. */
  private async load(): Promise<void> {
    this.asking.abort();
    const { signal } = (this.asking = new AbortController());
    const { answers, choices } = this;
    const asked = { grouping: groupingOf(choices) };
    const options = { ...patience, signal };
    const { channel } = this.host;
    this.renew();
    try {
      if (answers.groups === undefined) {
        if (this.heading.textContent === '')
          this.message.show({ kind: 'loading', text: 'Finding processes that call the same functions…' });
        this.heading.classList.add('muted');
        answers.groups = await channel.request('groups', asked, options);
        this.list.replaceChildren(
          ...(this.list.childElementCount > 0
            ? this.list.children
            : processList(answers.groups, this.host.onChoose)),
        );
      }
      if (choices.groupPicture === 'graph')
        answers.graph ??= await channel.request(
          'groupGraph',
          { ...asked, isWhole: choices.groupLattice },
          options,
        );
      else if (choices.groupPicture !== 'times')
        answers.matrix ??= await channel.request('groupMatrix', asked, options);
      this.message.show(undefined);
      this.renew();
    } catch (error) {
      if (isCancelled(error) || signal.aborted) return;
      const action = { label: 'Try Again', run: () => void this.load() };
      this.message.show({ kind: 'error', text: errorText(error), action });
    }
  }

  private renew(): void {
    const { answers, choices, shown } = this;
    const { groups, matrix, graph } = answers;
    for (const part of [this.bars, this.matrix, this.graph]) part.element.hidden = part !== this.part;
    if (groups === undefined) return;
    this.heading.textContent = `${groups.heading}.`;
    this.heading.classList.remove('muted');
    const { locations, chosen } = shown.model.main.header;
    if (choices.groupPicture === 'times') this.bars.show(shown, groups, choices);
    else if (choices.groupPicture === 'graph') {
      this.graph.element.hidden = graph === undefined;
      if (graph !== undefined)
        this.graph.show(graph, {
          count: chosen?.of ?? locations.length,
          noun: groups.hasThreads ? 'threads' : 'processes',
          chosen: chosen?.processes,
        });
    } else {
      this.matrix.element.hidden = matrix === undefined || matrix.names.length === 0;
      if (matrix !== undefined) this.matrix.show(matrix, choices.groupPicture);
    }
    const own = choices.groupPicture === 'times' ? this.bars.note(groups) : '';
    this.note.textContent = [...groups.notes, own].filter((text) => text !== '').join(' ');
    this.note.hidden = this.note.textContent === '';
  }

  private showDetails(pair: readonly [one: number, other: number] | undefined): void {
    this.pair = pair;
    if (pair === undefined) this.details.show(undefined);
    else void this.loadDetails(pair);
  }

  private async loadDetails([one, other]: readonly [number, number]): Promise<void> {
    const { answers, choices } = this;
    const asked = { grouping: groupingOf(choices), one, other, order: choices.groupRanking };
    const show = (details: GroupDetails): void => {
      const isCurrent = this.pair?.[0] === one && this.pair[1] === other && answers === this.answers;
      if (isCurrent) this.details.show(details);
    };
    try {
      show(await this.host.channel.request('groupDetails', asked, patience));
    } catch (error) {
      if (!isCancelled(error)) show({ title: errorText(error), lists: [] });
    }
  }

  private file(format: 'json' | 'dot', label: string, name: string): MenuItem {
    return { label, run: () => void this.saveFile(format, name) };
  }

  /** The engine writes these files, as `kymo groups` does. */
  private async saveFile(format: 'json' | 'dot' | 'svg', name: string): Promise<void> {
    const asked = { grouping: groupingOf(this.choices), isWhole: this.choices.groupLattice, format };
    try {
      const file = await this.host.channel.request('groupFile', asked, patience);
      if ('reason' in file) this.message.show({ kind: 'empty', text: file.reason });
      else this.host.save(name, format, new TextEncoder().encode(file.text));
    } catch (error) {
      if (!isCancelled(error)) this.message.show({ kind: 'error', text: errorText(error) });
    }
  }
}
