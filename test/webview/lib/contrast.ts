/** A text that cannot be read well: which, and how far its colour is from what is behind it. */
export interface LowContrast {
  readonly text: string;
  readonly ratio: number;
  readonly color: string;
  readonly background: string;
  /** Where it is: tags and classes from the outside in. */
  readonly place: string;
}

/**
 * Runs in the page: texts, also in shadow roots, whose contrast with the colours behind them is below `least` (WCAG 2.2, 1.4.3: 4.5).
 * Computed from styles: layers of translucent backgrounds of the text's ancestors are put together; pictures and canvases are not seen.
 */
export function findLowContrast(least: number): LowContrast[] {
  type Color = readonly [red: number, green: number, blue: number, alpha: number];
  const parse = (text: string): Color => {
    const numbers = (text.match(/[\d.]+(?:e-?\d+)?%?/g) ?? []).map((part) => Number.parseFloat(part));
    const scale = text.startsWith('color(') ? 255 : 1;
    const [red = 0, green = 0, blue = 0, alpha = 1] = numbers;
    return [red * scale, green * scale, blue * scale, alpha];
  };
  const over = (top: Color, under: Color): Color => {
    const mix = (at: 0 | 1 | 2): number => top[at] * top[3] + under[at] * (1 - top[3]);
    return [mix(0), mix(1), mix(2), 1];
  };
  const luminance = (color: Color): number => {
    const linear = (value: number): number => {
      const share = value / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    };
    return 0.2126 * linear(color[0]) + 0.7152 * linear(color[1]) + 0.0722 * linear(color[2]);
  };
  const parentOf = (element: Element): Element | null => {
    const root = element.getRootNode();
    return element.assignedSlot ?? element.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
  };
  const chain = (element: Element): Element[] => {
    const all: Element[] = [];
    for (let at: Element | null = element; at !== null; at = parentOf(at)) all.push(at);
    return all;
  };
  const backgroundOf = (ancestors: readonly Element[]): Color => {
    let color: Color = [255, 255, 255, 1];
    for (const one of [...ancestors].reverse())
      color = over(parse(getComputedStyle(one).backgroundColor), color);
    return color;
  };
  const isSeen = (node: Text, ancestors: readonly Element[]): boolean => {
    const range = document.createRange();
    range.selectNodeContents(node);
    const { width, height } = range.getBoundingClientRect();
    if (width === 0 || height === 0) return false;
    return ancestors.every((one) => {
      const style = getComputedStyle(one);
      return (
        style.visibility !== 'hidden' &&
        style.display !== 'none' &&
        !one.classList.contains('visually-hidden')
      );
    });
  };
  const found: LowContrast[] = [];
  const visit = (root: ParentNode & Node): void => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      if (node instanceof Element) {
        if (node.shadowRoot !== null) visit(node.shadowRoot);
        continue;
      }
      const text = node.textContent?.trim() ?? '';
      const parent = node.parentNode instanceof ShadowRoot ? node.parentNode.host : node.parentElement;
      if (text === '' || parent === null || ['STYLE', 'SCRIPT'].includes(parent.tagName)) continue;
      const ancestors = chain(parent);
      if (!isSeen(node as Text, ancestors)) continue;
      const background = backgroundOf(ancestors);
      const style = getComputedStyle(parent);
      const opacity = ancestors.reduce((product, one) => product * Number(getComputedStyle(one).opacity), 1);
      const [red, green, blue, alpha] = parse(style.color);
      const color = over([red, green, blue, alpha * opacity], background);
      const [dark, light] = [luminance(color), luminance(background)].sort((a, b) => a - b) as [
        number,
        number,
      ];
      const ratio = (light + 0.05) / (dark + 0.05);
      if (ratio >= least) continue;
      const place = ancestors
        .slice(0, 5)
        .reverse()
        .map(
          (one) =>
            `${one.tagName.toLowerCase()}${one.classList.length > 0 ? `.${[...one.classList].join('.')}` : ''}`,
        )
        .join(' > ');
      found.push({
        text: text.slice(0, 60),
        ratio: Math.round(ratio * 100) / 100,
        color: style.color,
        background: background.map((part) => Math.round(part)).join(' '),
        place,
      });
    }
  };
  visit(document.body);
  return found;
}
