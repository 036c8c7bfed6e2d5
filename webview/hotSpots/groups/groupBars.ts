import { csvText } from '../../../src/core/csv';
import { at } from '../../../src/core/at';
import { formatSecondsUpTo } from '../../../src/core/format';
import { largestOf } from '../../../src/core/views/columnUnit';
import { unqualifiedName } from '../../../src/core/names/unqualifiedName';
import type { GroupRow, ProcessGroups } from '../../../src/core/views/groupSummary';
import type { ProcessRanges } from '../../../src/core/views/ranks/processRanges';
import { plot, type Plot } from '../../charts/plot';
import { type Control, element } from '../../ui/base/dom';
import { announce } from '../../ui/base/liveRegion';
import { copyItem, openMenu, type MenuItem, type MenuPlace } from '../../ui/controls/menu';
import { rowsTable } from '../../ui/grid/rowsTable';
import { shownName, type Shown } from '../names';
import type { GroupChoices } from './groupChoices';
import { drawGroups, groupsLayout, rowHeight, sectionArea } from './groupDrawing';
import { GroupModel } from './groupModel';

interface BarsEvents {
  /** @param processes none: all */
  readonly onChoose: (processes: ProcessRanges) => void;
  /** @param group its position among the groups */
  readonly onDetails: (group: number) => void;
  readonly onSave: (name: string, format: 'png' | 'svg' | 'csv', content: Uint8Array) => void;
  readonly moreFiles: readonly MenuItem[];
}

/** A row for each group, with the time of its members by function. */
export class GroupBars implements Control {
  readonly element: HTMLElement;
  private readonly picture: Plot;
  private readonly readOut = element('p', {
    class: 'read-out muted ellipsis',
    attributes: { 'aria-hidden': 'true' },
  });
  private groups: ProcessGroups | undefined;
  private model: GroupModel | undefined;
  /** First row in view, and the row and section under the cursor. */
  private first = 0;
  private row: GroupRow | undefined;
  private place: number | undefined;

  constructor(
    private shown: Shown,
    private readonly events: BarsEvents,
  ) {
    this.picture = plot({
      label: 'Groups of processes',
      keys: 'Up and Down choose a group, Left and Right a function, Enter shows only its processes, Shift+F10 opens a menu.',
      draw: (surface, colors) => {
        const { model } = this;
        if (model === undefined) return;
        const { isFound } = this;
        drawGroups(surface, colors, {
          model,
          shortNames: model.names.map(unqualifiedName),
          rows: model.rows.slice(this.first, this.first + this.inView),
          first: this.first,
          cursor: { row: this.row, place: this.place },
          isChosen: (row) => this.isChosen(row),
          isFound,
        });
      },
      table: this.table(),
      csv: () => this.csv(),
      onSave: (format, content) => events.onSave('groups of processes', format, content),
      moreFiles: events.moreFiles,
      onKey: (event) => this.onKey(event),
    });
    this.followPointer();
    this.element = element('div', { class: 'group-picture fill' }, this.picture.element, this.readOut);
  }

  focus(): void {
    this.picture.canvas.focus();
  }

  show(shown: Shown, groups: ProcessGroups, choices: GroupChoices): void {
    this.shown = shown;
    if (groups !== this.groups) [this.first, this.row, this.place] = [0, undefined, undefined];
    this.groups = groups;
    const regions = groups.functions.map((position) => shown.model.regionOfMain(position));
    const names = [...regions.map((region) => shownName(shown, region)), 'All other functions'];
    const text = shown.found.query.text.toLowerCase();
    const isFound = this.foundIn(regions);
    this.model = new GroupModel(
      groups,
      groups.functions.length === 0 ? [''] : names,
      choices.groupOrder,
      choices.groupScale,
      (row) =>
        isFound === undefined ||
        row.text.toLowerCase().includes(text) ||
        row.sections.some((range, place) => range !== undefined && isFound(place)),
    );
    if (this.row !== undefined && !this.model.rows.includes(this.row)) this.setCursor(undefined, undefined);
    this.scrollTo(this.first);
    this.showCursor();
    this.picture.renew();
  }

  /** What the picture does not show. */
  note(groups: ProcessGroups): string {
    const { processes = 0, noun = '', rows = [] } = this.model ?? {};
    if (groups.groups.length > 0 && rows.length === 0)
      return 'No group has such a name, or calls such a function among those with the most time.';
    return [
      ...(groups.groups.length === 1 ? [`All ${processes} ${noun} call the same functions.`] : []),
      ...(groups.functions.length === 0
        ? ['The profile has no time, or it is too large to add it up by process.']
        : []),
      ...(groups.leftOut > 0
        ? [`${groups.groups.length} groups are shown, the largest ones; ${groups.leftOut} are left out.`]
        : []),
    ].join(' ');
  }

  private get isFound(): ((place: number) => boolean) | undefined {
    return this.foundIn(
      this.groups?.functions.map((position) => this.shown.model.regionOfMain(position)) ?? [],
    );
  }

  private foundIn(regions: readonly number[]): ((place: number) => boolean) | undefined {
    const { query, error, regions: found } = this.shown.found;
    if (query.text === '' || error !== undefined) return undefined;
    return (place) => found[regions[place] ?? -1] === 1;
  }

  private get inView(): number {
    const { height } = this.layout.bar;
    return Math.max(1, Math.floor(height / rowHeight + 1e-6));
  }

  private get layout(): ReturnType<typeof groupsLayout> {
    const { clientWidth, clientHeight } = this.picture.canvas;
    return groupsLayout(clientWidth, clientHeight, this.model?.names.length ?? 1);
  }

  private isChosen({ members }: GroupRow): boolean {
    const chosen = this.shown.model.main.header.chosen?.processes;
    return chosen?.length === members.length && members.every((member, at) => member === chosen[at]);
  }

  /** Chooses the processes of a group; of the chosen one, all. A group of all is shown already. */
  private choose(row: GroupRow): void {
    if (this.isChosen(row)) this.events.onChoose([]);
    else if (row.count < (this.model?.processes ?? 0)) this.events.onChoose(row.members);
  }

  private scrollTo(first: number): void {
    const most = Math.max(0, (this.model?.rows.length ?? 0) - this.inView);
    this.first = Math.min(most, Math.max(0, first));
    this.picture.update();
  }

  private setCursor(row: GroupRow | undefined, place: number | undefined): void {
    if (row === this.row && place === this.place) return;
    [this.row, this.place] = [row, place];
    this.showCursor();
  }

  private showCursor(): void {
    this.readOut.textContent = this.words();
    this.readOut.title = this.words();
    this.picture.update();
  }

  private words(): string {
    const { model, row, place } = this;
    if (model === undefined) return '';
    if (row !== undefined) return place === undefined ? model.rowText(row) : model.sectionText(row, place);
    const { length } = model.rows;
    const many = `${length} ${length === 1 ? 'group' : 'groups'} of ${model.processes} ${model.noun}`;
    return length > 1 ? `${many}. Click a group to show only its ${model.noun}.` : `${many}.`;
  }

  private menu(row: GroupRow, place: MenuPlace): void {
    const { processes = 0, noun = '' } = this.model ?? {};
    const isAll = row.count === processes;
    const only = isAll ? { disabled: `All ${noun} are in this group.` } : {};
    const item = this.isChosen(row)
      ? { label: `Show All ${processes} Again` }
      : { label: `Show Only These ${noun === 'threads' ? 'Threads' : 'Processes'}`, ...only };
    openMenu(
      row.text,
      [
        { ...item, keys: 'Enter', run: () => this.choose(row) },
        {
          label: 'Compare Its Members',
          ...(row.count === 1 ? { disabled: 'It has one member.' } : {}),
          run: () => this.events.onDetails(row.group),
        },
        copyItem('Copy Names', row.text),
      ],
      place,
    );
  }

  /** The menu of the keyboard opens at its row. */
  private rowPlace(row: GroupRow): MenuPlace {
    const { left, top } = this.picture.canvas.getBoundingClientRect();
    const position = (this.model?.rows.indexOf(row) ?? 0) - this.first;
    return { x: left + 24, y: top + this.layout.bar.y + (position + 0.8) * rowHeight };
  }

  private onKey({ key, shiftKey }: KeyboardEvent): boolean {
    const { model, row } = this;
    if (model === undefined || model.rows.length === 0) return false;
    if (row !== undefined && (key === 'ContextMenu' || (key === 'F10' && shiftKey))) {
      this.menu(row, this.rowPlace(row));
      return true;
    }
    if ((key === 'Enter' || key === ' ') && row !== undefined) {
      this.choose(row);
      return true;
    }
    if (!this.moveToRow(model, key) && !this.moveToSection(model, key)) return false;
    announce(this.words());
    return true;
  }

  private moveToRow({ rows }: GroupModel, key: string): boolean {
    const position = this.row === undefined ? -1 : rows.indexOf(this.row);
    const to = {
      ArrowDown: position + 1,
      ArrowUp: position - 1,
      PageDown: position + this.inView,
      PageUp: position - this.inView,
      Home: 0,
      End: Infinity,
    }[key];
    if (to === undefined) return false;
    const next = Math.min(rows.length - 1, Math.max(0, to));
    if (next < this.first) this.scrollTo(next);
    if (next >= this.first + this.inView) this.scrollTo(next - this.inView + 1);
    this.setCursor(rows[next], undefined);
    return true;
  }

  private moveToSection(model: GroupModel, key: string): boolean {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
    if (step === undefined) return false;
    const row = this.row ?? at(model.rows, this.first);
    const places = model.sections(row).map(({ place }) => place);
    const before = step > 0 ? -1 : places.length;
    const now = this.place === undefined ? before : places.indexOf(this.place);
    this.setCursor(row, places[Math.min(places.length - 1, Math.max(0, now + step))]);
    return true;
  }

  private followPointer(): void {
    const { canvas } = this.picture;
    const rowAt = (event: MouseEvent): GroupRow | undefined => {
      const y = event.clientY - canvas.getBoundingClientRect().top - this.layout.bar.y;
      const index = Math.floor(y / rowHeight);
      return y < 0 || index >= this.inView ? undefined : this.model?.rows[this.first + index];
    };
    const placeAt = (row: GroupRow | undefined, event: MouseEvent): number | undefined => {
      const x = event.clientX - canvas.getBoundingClientRect().left;
      if (row === undefined || this.model === undefined) return undefined;
      return this.model.sections(row).find((section) => {
        const area = sectionArea(section, this.layout.bar);
        return x >= area.x && x < area.x + area.width;
      })?.place;
    };
    const follow = (event: MouseEvent): void => {
      const row = rowAt(event);
      canvas.style.cursor = row === undefined ? '' : 'pointer';
      this.setCursor(row, placeAt(row, event));
    };
    canvas.addEventListener('pointermove', follow);
    canvas.addEventListener('pointerleave', () => this.setCursor(undefined, undefined));
    canvas.addEventListener('click', (event) => {
      const row = rowAt(event);
      if (row !== undefined) this.choose(row);
    });
    canvas.addEventListener('contextmenu', (event) => {
      event.preventDefault();
      const row = rowAt(event);
      if (row !== undefined) this.menu(row, { x: event.clientX, y: event.clientY });
    });
    canvas.addEventListener(
      'wheel',
      (event) => {
        if ((this.model?.rows.length ?? 0) <= this.inView || event.deltaY === 0) return;
        event.preventDefault();
        this.scrollTo(this.first + Math.sign(event.deltaY));
        follow(event);
      },
      { passive: false },
    );
  }

  private table(): ReturnType<typeof rowsTable> {
    return rowsTable({
      label: 'Groups of processes',
      columns: () => [
        { title: 'Group', width: 200 },
        { title: 'Members', number: true, width: 80 },
        { title: 'Mean time', number: true, width: 96 },
        ...(this.model?.names ?? []).flatMap((name) =>
          name === '' ? [] : [{ title: `${name} (least / mean / most)`, number: true, width: 190 }],
        ),
      ],
      count: () => this.model?.rows.length ?? 0,
      cells: (row) => {
        const group = this.model?.rows[row];
        if (group === undefined) return [];
        const { text, count, whole, sections } = group;
        const { rows = [] } = this.model ?? {};
        const longest = largestOf(rows.map((one) => one.whole?.mean ?? 0));
        return [
          text,
          String(count),
          whole === undefined ? '–' : formatSecondsUpTo(whole.mean, longest),
          ...sections.map((range, section) => {
            if (range === undefined) return '–';
            const most = largestOf(rows.map((one) => one.sections[section]?.maximum ?? 0));
            const { minimum, mean, maximum } = range;
            return [minimum, mean, maximum].map((seconds) => formatSecondsUpTo(seconds, most)).join(' / ');
          }),
        ];
      },
      onActivate: (row) => {
        const group = this.model?.rows[row];
        if (group !== undefined) this.choose(group);
      },
    });
  }

  private csv(): string {
    const { names = [], rows = [] } = this.model ?? {};
    const kinds = ['least', 'mean', 'most'] as const;
    return csvText([
      ['group', 'members', ...names.flatMap((name) => kinds.map((kind) => `${name}: ${kind} (sec)`))],
      ...rows.map(({ text, count, sections }) => [
        text,
        count,
        ...sections.flatMap((range) => [range?.minimum ?? '', range?.mean ?? '', range?.maximum ?? '']),
      ]),
    ]);
  }
}
