import { type Control, element } from '../base/dom';
import { type Splitter, splitter } from './splitter';

/** Two parts beside each other, or one below the other in a narrow view, which then has the class `narrow`. */
export function adaptiveSplitter(options: {
  readonly first: { readonly element: HTMLElement; readonly name: string };
  readonly second: HTMLElement;
  /** Minimum width in pixels to place the parts beside each other. */
  readonly wideEnough: number;
  readonly share: number;
  readonly onShare: (share: number) => void;
}): Control {
  const { first, second, wideEnough, onShare } = options;
  const place = element('div', { class: 'fill' });
  let parts: Splitter | undefined;
  let isWide: boolean | undefined;
  const layOut = (): void => {
    const width = place.clientWidth;
    if (width === 0 || width >= wideEnough === isWide) return;
    isWide = width >= wideEnough;
    parts = splitter({
      label: `${isWide ? 'Width' : 'Height'} of ${first.name}`,
      first: first.element,
      second,
      direction: isWide ? 'columns' : 'rows',
      share: parts?.share ?? options.share,
      onShare,
    });
    place.classList.toggle('narrow', !isWide);
    place.replaceChildren(parts.element);
  };
  new ResizeObserver(layOut).observe(place);
  return { element: place };
}
