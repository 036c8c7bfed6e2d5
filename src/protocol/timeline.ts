import type {
  TimelineCall,
  TimelineHeader,
  TimelineMessages,
  TimelineProfile,
  TimelineSpans,
  TimelineStack,
  TimelineWindow,
} from '../core/timeline/pieces';
import type { CancelRequest, MakingProgress, Opened } from './opened';

/** The timeline of a trace. The webview asks for each picture anew, at its size in pixels, and draws itself. */
export interface TimelineRequests {
  /** Asks for the trace to show; also after a reload, or after the panel was hidden. */
  readonly open: { readonly parameters: Record<string, never>; readonly result: TimelineShown };
  readonly spans: { readonly parameters: Of & TimelineWindow; readonly result: TimelineSpans };
  /** Of row `firstRow`; `rowCount` is the number of depths, from the root on. */
  readonly stack: { readonly parameters: Of & TimelineWindow; readonly result: TimelineStack };
  /** At most `most`. */
  readonly messages: {
    readonly parameters: Of & TimelineWindow & { readonly most: number };
    readonly result: TimelineMessages;
  };
  readonly profile: { readonly parameters: Of & TimelineRange; readonly result: TimelineProfile };
  /** The next call of a function that begins after `seconds` in this row or a later one (or, backwards, before it); undefined: there is none. */
  readonly find: {
    readonly parameters: Of & {
      readonly function: number;
      readonly row: number;
      readonly seconds: number;
      readonly isBackwards: boolean;
    };
    readonly result: { readonly call?: TimelineCall };
  };
  readonly openSource: {
    readonly parameters: Of & { readonly function: number };
    readonly result: { readonly opened: boolean };
  };
  /** Reads the trace again; the answer comes as an event. */
  readonly make: {
    readonly parameters: Record<string, never>;
    readonly result: { readonly started: boolean };
  };
  readonly cancel: CancelRequest;
  readonly save: { readonly parameters: TimelineExport; readonly result: { readonly saved: boolean } };
}

export interface TimelineEvents {
  readonly shown: TimelineShown;
  readonly progress: MakingProgress;
}

/** The document; the request fails when another one has replaced it. */
interface Of {
  readonly id: string;
}

/** Rows [firstRow, firstRow + rowCount) from `from` to `to` seconds. */
export type TimelineRange = Omit<TimelineWindow, 'pixels'>;

export type TimelineShown = {
  /** Identifies this panel to the extension after a reload: the view saves it in its state as `panel`. */
  readonly panel: string;
  readonly title: string;
} & Opened<TimelineHeader>;

export interface TimelineExport {
  readonly kind: 'png' | 'csv';
  readonly name: string;
  readonly content: Uint8Array;
}

/** Of one answer, so that it stays of bounded size. */
export const maximumTimelineRows = 1_024;
export const maximumTimelinePixels = 8_192;
export const maximumTimelineMessages = 5_000;
