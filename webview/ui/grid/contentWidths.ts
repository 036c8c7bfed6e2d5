import { clampWidth, type GridColumn } from './columns';

/** Widest column of words in pixels; a sentence that needs more has its whole text as a tooltip. */
const widestWords = 460;
/** Padding of a cell on both sides, in pixels (`grid.css`). */
const padding = 16;
/** Widths are rounded to whole pixels; half a pixel too few puts an ellipsis into a number. */
const rounding = 2;

/**
 * How wide the columns of a grid must be for what is in their cells and headers, so that no value is cut. Columns only grow, so that they do
 * not move while rows scroll by. The first column takes the remaining space.
 */
export class ContentWidths {
  private readonly needed = new Map<string, number>();

  /** Width of a column in pixels, unless the user has chosen one. */
  of({ id, width }: GridColumn): number {
    return Math.max(width, this.needed.get(id) ?? 0);
  }

  forget(): void {
    this.needed.clear();
  }

  /**
   * Looks at a row of cells or headers as they are now.
   * @returns whether a column must become wider
   */
  measure(row: Element, columns: readonly GridColumn[]): boolean {
    let isWider = false;
    for (const [index, column] of columns.entries()) {
      const cell = row.children[index];
      if (index === 0 || cell === undefined || cell.clientWidth === 0) continue;
      const wanted = Math.min(neededBy(cell), column.align === 'end' ? Infinity : widestWords);
      if (wanted <= this.of(column)) continue;
      this.needed.set(column.id, clampWidth(wanted));
      isWider = true;
    }
    return isWider;
  }
}

function neededBy(cell: Element): number {
  const head = cell.querySelector('.grid-head-title');
  if (head !== null) {
    const arrow = head.nextElementSibling?.getBoundingClientRect().width ?? 0;
    return head.scrollWidth + arrow + padding + rounding + 4;
  }
  const content = cell.querySelector(':scope > .grid-text');
  if (content === null) return 0;
  // Pictures in cells take the space that there is: only what does not fit into it needs more.
  const overflow = content.scrollWidth - content.clientWidth;
  if (overflow > 0) return cell.clientWidth + overflow + rounding;
  return content.childElementCount === 0 ? content.scrollWidth + padding + rounding : 0;
}
