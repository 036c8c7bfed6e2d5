import { type Control, element } from '../base/dom';

export interface Splitter extends Control {
  /** Share (0…1) of the first part. */
  readonly share: number;
}

/** Divides the space between two parts: by the mouse, or by arrows, Home and End on the line between them. */
export function splitter(options: {
  readonly label: string;
  readonly first: HTMLElement;
  readonly second: HTMLElement;
  /** `rows`: one part above the other. */
  readonly direction: 'rows' | 'columns';
  readonly share: number;
  readonly onShare?: (share: number) => void;
}): Splitter {
  const { first, second, direction } = options;
  let share = options.share;
  const line = element('div', {
    class: 'splitter-line',
    role: 'separator',
    label: options.label,
    attributes: {
      'aria-orientation': direction === 'rows' ? 'horizontal' : 'vertical',
      'aria-valuemin': '10',
      'aria-valuemax': '90',
    },
  });
  line.tabIndex = 0;
  const all = element('div', { class: `splitter ${direction}` }, first, line, second);
  const set = (wanted: number, tell = true): void => {
    share = Math.min(0.9, Math.max(0.1, wanted));
    first.style.flex = `${share.toFixed(4)} 1 0`;
    second.style.flex = `${(1 - share).toFixed(4)} 1 0`;
    line.setAttribute('aria-valuenow', Math.round(share * 100).toString());
    if (tell) options.onShare?.(share);
  };
  line.addEventListener('pointerdown', (event) => {
    line.setPointerCapture(event.pointerId);
    event.preventDefault();
    line.focus();
  });
  line.addEventListener('pointermove', (event) => {
    if (!line.hasPointerCapture(event.pointerId)) return;
    const box = all.getBoundingClientRect();
    set(
      direction === 'rows' ? (event.clientY - box.top) / box.height : (event.clientX - box.left) / box.width,
    );
  });
  line.addEventListener('keydown', (event) => {
    const to = {
      ArrowUp: share - 0.05,
      ArrowLeft: share - 0.05,
      ArrowDown: share + 0.05,
      ArrowRight: share + 0.05,
      Home: 0.1,
      End: 0.9,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    set(to);
  });
  set(share, false);
  return {
    element: all,
    get share() {
      return share;
    },
  };
}
