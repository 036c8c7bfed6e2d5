import { plot, type Plot, type PlotOptions } from '../../charts/plot';
import { element } from '../../ui/base/dom';
import type { SavePicture, TimeAxis } from './timeAxis';

export interface TimePictureOptions extends Omit<PlotOptions, 'onSave'> {
  readonly axis: TimeAxis;
  readonly save: SavePicture;
  /** Name of the file for the saved picture. */
  readonly name: () => string;
  /** The current read-out. */
  readonly readOut: () => string;
}

/** A picture over the iterations, with a read-out of the cursor below it. */
export interface TimePicture extends Plot {
  readonly readOut: HTMLElement;
  /** Updates the read-out. */
  say(): void;
}

export function timePicture({ axis, save, name, readOut, ...options }: TimePictureOptions): TimePicture {
  const text = element('p', { class: 'read-out muted ellipsis', attributes: { 'aria-hidden': 'true' } });
  const shown = plot({ ...options, onSave: (kind, content) => save(kind, name(), content) });
  const say = (): void => {
    text.textContent = readOut();
  };
  axis.onChange(() => {
    say();
    shown.update();
  });
  return { ...shown, readOut: text, say };
}
