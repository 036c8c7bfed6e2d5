import type { Page } from 'playwright-core';

/** A text that a person cannot read in full. */
export interface Cut {
  readonly text: string;
  /** `value`: has a number, may never be cut. `words`: names may be shortened, but then a tooltip has them in full. `picture`: in a canvas. */
  readonly kind: 'value' | 'words' | 'picture';
  /** Pixels that are missing. */
  readonly by: number;
  /** Where it is: tags and classes from the outside in. */
  readonly place: string;
}

/** What is cut in the page as it is: texts of elements, and what was drawn last into canvases (`recordPictures` before). */
export async function cutsIn(page: Page): Promise<readonly Cut[]> {
  const all = [...(await page.evaluate(findCuts)), ...(await page.evaluate(findCutPictures))];
  const seen = new Set<string>();
  return all.filter(({ text, place }) => {
    const isNew = !seen.has(`${text}\n${place}`);
    seen.add(`${text}\n${place}`);
    return isNew;
  });
}

/**
 * Runs in the page: texts, also in shadow roots, of which a part is hidden by an ancestor that does not scroll, or lies outside the window
 * without a way to scroll there. An ellipsis is such a hidden part.
 */
function findCuts(): Cut[] {
  // Names may have numbers: those of rows, and of what is opened. A sentence may be shortened like a name.
  const isName = (ancestors: readonly Element[]): boolean =>
    ancestors.some((one) => one.matches('[role=gridcell][aria-colindex="1"], h1'));
  const isSentence = (text: string): boolean => (text.match(/[a-z]{2,}/gi) ?? []).length > 5;
  // Numbers that stand by themselves: `step_30(int)` and `node0` are names, too.
  const isValue = (text: string): boolean => /(?<![\w.:#])\d[\d.,  ]*(?![\w(])/.test(text);
  const parentOf = (element: Element): Element | null => {
    const root = element.getRootNode();
    return element.assignedSlot ?? element.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
  };
  const chain = (element: Element): Element[] => {
    const all: Element[] = [];
    for (let at: Element | null = element; at !== null; at = parentOf(at)) all.push(at);
    return all;
  };
  const isSeen = (ancestors: readonly Element[]): boolean =>
    ancestors.every((one) => {
      const style = getComputedStyle(one);
      return (
        style.visibility !== 'hidden' &&
        style.display !== 'none' &&
        style.opacity !== '0' &&
        !one.classList.contains('visually-hidden')
      );
    });
  const isClip = (overflow: string): boolean => overflow === 'hidden' || overflow === 'clip';
  const isScroll = (overflow: string): boolean => overflow === 'auto' || overflow === 'scroll';
  const beside = (rect: DOMRect, box: DOMRect): number =>
    Math.max(rect.right - box.right, box.left - rect.left);
  // Lines are higher than their letters: a third of one may be missing at the edge.
  const above = (rect: DOMRect, box: DOMRect): number =>
    Math.max(rect.bottom - box.bottom, box.top - rect.top) - rect.height / 3;
  /** How far the part of the text in this rectangle is hidden, in pixels. */
  const hidden = (rect: DOMRect, ancestors: readonly Element[]): number => {
    const canScroll = { x: false, y: false };
    let most = 0;
    for (const one of ancestors) {
      const style = getComputedStyle(one);
      if (style.display === 'contents' || style.display === 'inline') continue;
      const box = one.getBoundingClientRect();
      const isPaint = /strict|content|paint/.test(style.contain);
      canScroll.x ||= isScroll(style.overflowX);
      canScroll.y ||= isScroll(style.overflowY);
      if (!canScroll.x && (isClip(style.overflowX) || isPaint)) most = Math.max(most, beside(rect, box));
      if (!canScroll.y && (isClip(style.overflowY) || isPaint)) most = Math.max(most, above(rect, box));
      if (style.position === 'fixed') break;
    }
    const page = new DOMRect(0, 0, window.innerWidth, window.innerHeight);
    if (!canScroll.x) most = Math.max(most, beside(rect, page));
    if (!canScroll.y) most = Math.max(most, above(rect, page));
    return most;
  };
  const plain = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
  const hasTooltip = (text: string, ancestors: readonly Element[]): boolean =>
    ancestors.some((one) => {
      // Folded parts of a name are in its tooltip.
      let rest = plain(one.getAttribute('title') ?? '');
      return plain(text)
        .split('…')
        .every((part) => {
          const at = rest.indexOf(part);
          rest = rest.slice(Math.max(0, at));
          return at >= 0;
        });
    });
  const place = (ancestors: readonly Element[]): string =>
    ancestors
      .slice(0, 5)
      .reverse()
      .map((one) => [one.tagName.toLowerCase(), ...one.classList].join('.'))
      .join(' > ');
  const cutOf = (node: Node, text: string, parent: Element): Cut | undefined => {
    const range = document.createRange();
    range.selectNodeContents(node);
    const rects = [...range.getClientRects()].filter(({ width, height }) => width > 0 && height > 0);
    const ancestors = chain(parent);
    // What is in closed details has a size, too.
    if (rects.length === 0 || !parent.checkVisibility() || !isSeen(ancestors)) return undefined;
    const by = Math.max(...rects.map((rect) => hidden(rect, ancestors)));
    if (by <= 1.5) return undefined;
    const value = isValue(text) && !isName(ancestors) && !isSentence(text);
    if (!value && hasTooltip(text, ancestors)) return undefined;
    const kind = value ? ('value' as const) : ('words' as const);
    return { text: plain(text).slice(0, 80), kind, by: Math.round(by), place: place(ancestors) };
  };
  const found: Cut[] = [];
  const visit = (root: ParentNode & Node): void => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      if (node instanceof Element) {
        if (node.shadowRoot !== null) visit(node.shadowRoot);
        continue;
      }
      const text = node.textContent ?? '';
      const parent = node.parentNode instanceof ShadowRoot ? node.parentNode.host : node.parentElement;
      if (text.trim() === '' || parent === null || ['STYLE', 'SCRIPT'].includes(parent.tagName)) continue;
      const cut = cutOf(node, text, parent);
      if (cut !== undefined) found.push(cut);
    }
  };
  visit(document.body);
  return found;
}

interface Drawn {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly width: number;
  readonly height: number;
}

/** Runs in the page before its scripts: notes which texts are drawn where in canvases, since each was cleared. */
export function recordPictures(): void {
  const drawn = new WeakMap<HTMLCanvasElement, Drawn[]>();
  Object.assign(globalThis, { kymoDrawn: drawn });
  const context = CanvasRenderingContext2D.prototype;
  // oxlint-disable-next-line typescript/unbound-method -- called on the context below
  const { fillText, clearRect } = context;
  context.clearRect = function (x, y, width, height) {
    const scale = this.getTransform();
    if (width * scale.a >= this.canvas.width - 2 && height * scale.d >= this.canvas.height - 2)
      drawn.delete(this.canvas);
    clearRect.call(this, x, y, width, height);
  };
  context.fillText = function (text, x, y, maxWidth) {
    const size = this.measureText(text);
    const squeeze = maxWidth === undefined ? 1 : Math.min(1, maxWidth / Math.max(1, size.width));
    const { actualBoundingBoxLeft: left, actualBoundingBoxRight: right } = size;
    const { actualBoundingBoxAscent: up, actualBoundingBoxDescent: down } = size;
    const transform = this.getTransform();
    const corners = [
      [x - left * squeeze, y - up],
      [x + right * squeeze, y - up],
      [x - left * squeeze, y + down],
      [x + right * squeeze, y + down],
    ].map(([cornerX, cornerY]) => transform.transformPoint(new DOMPoint(cornerX, cornerY)));
    const xs = corners.map((corner) => corner.x);
    const ys = corners.map((corner) => corner.y);
    const { width, height } = this.canvas;
    const before =
      drawn.get(this.canvas)?.filter((one) => one.width === width && one.height === height) ?? [];
    before.push({
      text,
      left: Math.min(...xs),
      right: Math.max(...xs),
      top: Math.min(...ys),
      bottom: Math.max(...ys),
      width,
      height,
    });
    drawn.set(this.canvas, before.slice(-3000));
    if (maxWidth === undefined) fillText.call(this, text, x, y);
    else fillText.call(this, text, x, y, maxWidth);
  };
}

/** Runs in the page: what was drawn beyond the edge of its canvas, and values that were shortened. */
function findCutPictures(): Cut[] {
  const { kymoDrawn } = globalThis as unknown as { kymoDrawn?: WeakMap<HTMLCanvasElement, Drawn[]> };
  if (kymoDrawn === undefined) return [];
  return [...document.querySelectorAll('canvas')].flatMap((canvas) => {
    const box = canvas.getBoundingClientRect();
    if (box.width === 0 || box.height === 0) return [];
    return (kymoDrawn.get(canvas) ?? []).flatMap((one) => {
      if (one.width !== canvas.width || one.height !== canvas.height) return [];
      const isOutside = one.right < 0 || one.left > one.width || one.bottom < 0 || one.top > one.height;
      const by = Math.max(-one.left, one.right - one.width, -one.top, one.bottom - one.height);
      const isShortened = /^[<~≈+−-]?\s?\d[\d.,]*\s?\S*…$/.test(one.text);
      if (isOutside || (by <= 1.5 && !isShortened)) return [];
      const place = `canvas in .${canvas.parentElement?.className ?? ''}`;
      return [{ text: one.text.slice(0, 80), kind: 'picture' as const, by: Math.round(by), place }];
    });
  });
}
