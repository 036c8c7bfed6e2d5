import type { HotSpotsChannel } from './data/load';
import type { ViewState } from './viewState';

/** What the view of a profile needs of the page. */
export interface ProfileViewHost {
  readonly channel: HotSpotsChannel;
  /** Called when the view's state has changed; the shell calls `state` later to save it. */
  readonly onState: (state: () => ViewState) => void;
  /** Called after a step of the user that can be undone. */
  readonly onStep: (step: string) => void;
  readonly onUndo: () => void;
  readonly onRedo: () => void;
  /** Groups that the user chose for functions, by their full names. */
  readonly moved: ReadonlyMap<string, string>;
  readonly onError: (error: unknown) => void;
}
