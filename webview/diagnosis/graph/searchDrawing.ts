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

export function truthColor(colors: PlotColors, truth: Truth | undefined): string {
  if (truth === 'true') return colors.red;
  return truth === 'unknown' ? colors.blue : colors.muted;
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
  surface.inside(area, () => {
    const right = area.x + area.width - 6;
    const closed = facts.closed > 0 ? `+${facts.closed}` : '';
    const closedWidth = closed === '' ? 0 : surface.measure(closed) + 8;
    const isTall = area.height >= 2 * line;
    const first = area.y + (isTall ? area.height / 2 - line / 2 : area.height / 2);
    const left = area.x + 11;
    const room = (factor: number): number => factor * (right - closedWidth - left);
    if (area.height < 12) return;
    if (closed !== '')
      surface.text(closed, right, area.y + area.height / 2, { color: colors.muted, align: 'right' });
    const sign = facts.sign === '' ? '' : `${facts.sign} `;
    // Bold letters are wider.
    const label = fittedStart(surface, `${sign}${facts.label}`, room(facts.isActive ? 0.92 : 1));
    const isQuiet = truth === 'false';
    surface.text(label, left, first, {
      color: isQuiet ? colors.muted : colors.foreground,
      bold: facts.isActive,
    });
    if (!isTall) return;
    const badge = facts.badge ?? '';
    const badgeWidth = badge === '' ? 0 : surface.measure(badge) + 8;
    const value = fittedStart(surface, facts.value, room(1) - badgeWidth);
    surface.text(value, left, first + line, { color: colors.muted });
    if (badge !== '' && room(1) > badgeWidth + 20)
      surface.text(badge, right - closedWidth, first + line, { color: colors.foreground, align: 'right' });
  });
}
