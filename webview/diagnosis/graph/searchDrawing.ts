import { at } from '../../../src/core/at';
import type { Truth } from '../../../src/core/diagnosis/search/searchRecord';
import { translucent } from '../../charts/configuration';
import { boxOf, type GraphView } from '../../charts/graph/placedGraph';
import { outline } from '../../charts/marks';
import type { PlotColors } from '../../charts/plotColors';
import { fittedStart, type Area, type Surface } from '../../charts/surface';
import type { PlacedSearch } from './graphBoxes';

/** What a box says. */
export interface BoxFacts {
  readonly label: string;
  /** The second line. */
  readonly value: string;
  readonly truth: Truth | undefined;
  readonly sign: string;
  readonly isActive: boolean;
  /** Its measurement was asked for, and has not begun. */
  readonly isWaiting: boolean;
  /** Number of rows below that are closed. */
  readonly closed: number;
  /** Share (0…1) of what could be folded here. */
  readonly gauge: number | undefined;
  /** How it was found: `deep starter` */
  readonly badge: string | undefined;
}

export interface SearchPicture {
  readonly graph: PlacedSearch;
  readonly view: GraphView;
  readonly cursor: number | undefined;
  readonly selected: number | undefined;
  readonly facts: (box: number) => BoxFacts;
}

/** Height of a line of text. */
const line = 18;
const dashes = [4, 3];

/** Boxes above their edges; those of the box under the cursor stand out. */
export function drawSearch(surface: Surface, colors: PlotColors, picture: SearchPicture): void {
  const { graph, view, cursor, selected } = picture;
  const screen = { x: 0, y: 0, width: surface.width, height: surface.height };
  surface.inside(screen, () => {
    graph.edges.forEach(({ upper, lower, isShadow }, edge) => {
      const isNear = cursor !== undefined && (upper === cursor || lower === cursor);
      const places = Array.from(
        at(graph.ways, edge),
        (value, index) => (index % 2 === 0 ? view.x : view.y) + view.scale * value,
      );
      surface.line(places, {
        color: isNear ? colors.focus : colors.muted,
        width: isNear ? 2 : 1,
        ...(isShadow && { dash: dashes }),
      });
    });
    graph.rows.forEach((_, box) => {
      const area = boxOf(graph, box, view);
      if (isOutside(area, surface)) return;
      drawBox(surface, colors, area, picture.facts(box));
      if (box === selected) surface.rectangle(area, { stroke: { color: colors.focus, width: 3 } });
    });
    if (cursor !== undefined) outline(surface, colors, boxOf(graph, cursor, view));
  });
}

function isOutside({ x, y, width, height }: Area, surface: Surface): boolean {
  return x > surface.width || y > surface.height || x + width < 0 || y + height < 0;
}

function truthColor(colors: PlotColors, truth: Truth | undefined): string {
  if (truth === 'true') return colors.red;
  return truth === 'unknown' ? colors.blue : colors.muted;
}

/** At the lower edge: the part that is filled is the share. */
function drawGauge(surface: Surface, colors: PlotColors, area: Area, share: number): void {
  const bar = { x: area.x + 4, y: area.y + area.height - 5, width: area.width - 4, height: 5 };
  surface.rectangle(bar, { fill: colors.background, stroke: { color: colors.muted } });
  surface.rectangle({ ...bar, width: bar.width * Math.min(1, share) }, { fill: colors.foreground });
}

function drawBox(surface: Surface, colors: PlotColors, area: Area, facts: BoxFacts): void {
  const { truth } = facts;
  const color = truthColor(colors, truth);
  surface.rectangle(area, { fill: colors.background });
  surface.rectangle(area, {
    ...(truth === 'true' && !colors.isHighContrast && { fill: translucent(color, 0.14) }),
    stroke: {
      color: colors.isHighContrast ? colors.foreground : truth === 'true' ? color : colors.muted,
      ...(facts.isWaiting && { dash: dashes }),
    },
  });
  surface.rectangle({ ...area, width: 4 }, { fill: color });
  if (facts.gauge !== undefined) drawGauge(surface, colors, area, facts.gauge);
  surface.inside(area, () => drawWords(surface, colors, area, facts));
}

/** As much as there is room for, from the left; what is closed, and how it was found, at the right. */
function drawWords(surface: Surface, colors: PlotColors, area: Area, facts: BoxFacts): void {
  if (area.height < 12) return;
  const { label, value, sign, isActive, badge = '', gauge } = facts;
  const isTall = area.height >= 2 * line;
  const middle = area.y + area.height / 2 - (gauge === undefined ? 0 : 2);
  const first = isTall ? middle - line / 2 : middle;
  const closed = facts.closed > 0 ? `+${facts.closed}` : '';
  const widthOf = (text: string): number => (text === '' ? 0 : surface.measure(text) + 8);
  const [left, end] = [area.x + 11, area.x + area.width - 6];
  const right = end - widthOf(closed);
  surface.text(closed, end, middle, { color: colors.muted, align: 'right' });
  const name = sign === '' ? label : `${sign} ${label}`;
  // Bold letters are wider.
  surface.text(fittedStart(surface, name, (isActive ? 0.92 : 1) * (right - left)), left, first, {
    color: facts.truth === 'false' ? colors.muted : colors.foreground,
    bold: isActive,
  });
  if (!isTall) return;
  const hasRoom = right - left > widthOf(badge) + 20;
  const room = right - left - (hasRoom ? widthOf(badge) : 0);
  surface.text(fittedStart(surface, value, room), left, first + line, { color: colors.muted });
  if (hasRoom) surface.text(badge, right, first + line, { color: colors.foreground, align: 'right' });
}
