import { type Control, element } from '../../ui/base/dom';
import { differences } from '../words';
import { classColors } from './colors';
import { connectorAt, type Connector } from './connectors';

export interface Gutter extends Control {
  /** Draws connectors; undefined: the views beside it are not linked. */
  show(connectors: readonly Connector[] | undefined): void;
}

/** Symbols need this height. */
const symbolHeight = 14;

/** The space between two views: joins blocks of rows, and shows where what only one view has would be in the other one. */
export function gutter(onChoose: (connector: Connector) => void): Gutter {
  // The keys for the next and previous difference do the same.
  const canvas = element('canvas', { class: 'comparison-gutter', attributes: { 'aria-hidden': 'true' } });
  const place = element('div', { class: 'comparison-gutter-place' }, canvas);
  let all: readonly Connector[] | undefined = [];
  const under = (event: MouseEvent): Connector | undefined => {
    const box = canvas.getBoundingClientRect();
    return connectorAt(
      all ?? [],
      (event.clientX - box.left) / Math.max(1, box.width),
      event.clientY - box.top,
    );
  };
  canvas.addEventListener('click', (event) => {
    const found = under(event);
    if (found !== undefined) onChoose(found);
  });
  canvas.addEventListener('pointermove', (event) => {
    const found = under(event);
    canvas.title =
      found === undefined ? '' : found.kind === 'equal' ? 'equal' : differences[found.kind].label;
    canvas.classList.toggle('is-over', found !== undefined);
  });
  return {
    element: place,
    show: (given) => {
      all = given;
      canvas.classList.toggle('is-unlinked', given === undefined);
      draw(canvas, given ?? []);
    },
  };
}

function draw(canvas: HTMLCanvasElement, all: readonly Connector[]): void {
  const { clientWidth: width, clientHeight: height } = canvas;
  const scale = window.devicePixelRatio;
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  const context = canvas.getContext('2d');
  if (context === null) return;
  context.scale(scale, scale);
  const colors = classColors(canvas);
  context.font = `600 12px ${getComputedStyle(canvas).fontFamily}`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  for (const { kind, left, right } of all) {
    context.beginPath();
    context.moveTo(0, left[0] + 0.5);
    context.bezierCurveTo(width / 2, left[0] + 0.5, width / 2, right[0] + 0.5, width, right[0] + 0.5);
    context.lineTo(width, right[1] - 0.5);
    context.bezierCurveTo(width / 2, right[1] - 0.5, width / 2, left[1] - 0.5, 0, left[1] - 0.5);
    context.closePath();
    context.fillStyle = colors[kind];
    context.globalAlpha = kind === 'equal' ? 0.08 : 0.22;
    context.fill();
    context.globalAlpha = kind === 'equal' ? 0.35 : 1;
    context.strokeStyle = colors[kind];
    context.lineWidth = 1;
    context.stroke();
    context.globalAlpha = 1;
    const middle = (left[0] + left[1] + right[0] + right[1]) / 4;
    if (kind === 'equal' || Math.max(left[1] - left[0], right[1] - right[0]) < symbolHeight) continue;
    context.fillStyle = colors.text;
    context.fillText(differences[kind].symbol, width / 2, middle);
  }
}
