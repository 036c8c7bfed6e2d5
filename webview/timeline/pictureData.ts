import type {
  TimelineHeader,
  TimelineMessages,
  TimelineSpans,
  TimelineWindow,
} from '../../src/core/timeline/pieces';
import { maximumTimelinePixels, maximumTimelineRows } from '../../src/protocol/timeline';
import { Asking } from './asking';
import { patienceMilliseconds, type TimelineChannel } from './load';
import type { Layers, RowPart } from './picture/layers';
import { isSame, wholeSpan, type Span } from './time/span';

/** More lines hide what they connect. */
const mostLines = 500;
/** A coarse picture of everything: what a zoom out shows until its own picture is here. */
const coarsePixels = 1024;
/** Messages are asked for when a zoom or scroll rests. */
const restMilliseconds = 60;

/** What the pictures show, of which the data are needed. */
export interface Sight {
  readonly header: TimelineHeader;
  readonly span: Span;
  /** The one whose call stack is shown. */
  readonly row: number;
  readonly rows: RowPart;
  /** Of the screen. */
  readonly pixels: number;
  readonly wantsMessages: boolean;
}

type Question = TimelineWindow & { readonly id: string };
type MessageQuestion = Question & { readonly most: number };

/** Asks for what is in sight and not known yet. */
export class PictureData {
  private readonly rows: Asking<Question, TimelineSpans>;
  private readonly stack: Asking<Question, TimelineSpans>;
  private readonly messages: Asking<MessageQuestion, TimelineMessages>;
  /** The question that the shown messages answer, as text. */
  private messagesOf: string | undefined;

  constructor(
    channel: TimelineChannel,
    private readonly rowLayers: Layers,
    private readonly stackLayers: Layers,
    private readonly events: {
      /** Undefined: nothing is. */
      readonly sight: () => Sight | undefined;
      readonly onPictures: () => void;
      readonly onMessages: (messages: TimelineMessages) => void;
      readonly onError: (error: unknown) => void;
    },
  ) {
    const { onError: fail } = events;
    this.rows = new Asking<Question, TimelineSpans>({
      missing: () => this.missingRows(),
      ask: (question, signal) => channel.request('spans', question, { signal, patienceMilliseconds }),
      take: (spans, window) => {
        rowLayers.add({ window, spans });
        events.onPictures();
      },
      fail,
    });
    this.stack = new Asking<Question, TimelineSpans>({
      missing: () => this.missingStack(),
      ask: (question, signal) => channel.request('stack', question, { signal, patienceMilliseconds }),
      take: (spans, window) => {
        // Another row may have been selected meanwhile.
        if (window.firstRow !== events.sight()?.row) return;
        stackLayers.add({ window: { ...window, firstRow: 0 }, spans });
        events.onPictures();
      },
      fail,
    });
    this.messages = new Asking<MessageQuestion, TimelineMessages>({
      missing: () => this.missingMessages(),
      ask: (question, signal) => channel.request('messages', question, { signal, patienceMilliseconds }),
      take: (messages, question) => {
        this.messagesOf = JSON.stringify(question);
        if (events.sight()?.wantsMessages === true) events.onMessages(messages);
      },
      fail,
      restMilliseconds,
    });
  }

  /** Something may be missing. */
  look(): void {
    this.rows.look();
    this.stack.look();
    this.messages.look();
  }

  /** Messages were switched on or off. */
  lookForMessages(): void {
    this.messagesOf = undefined;
    this.messages.look();
  }

  /** Another document is shown. */
  forget(): void {
    for (const asking of [this.rows, this.stack, this.messages]) asking.forget();
    this.messagesOf = undefined;
  }

  /** The rows in sight, and as many above and below them, so that scrolling has something to show. */
  private missingRows(): Question | undefined {
    const sight = this.events.sight();
    if (sight === undefined || sight.rows.count === 0) return undefined;
    const { header, span } = sight;
    const count = Math.min(sight.rows.count, maximumTimelineRows);
    const rows = { first: sight.rows.first, count };
    const margin = Math.min(count, Math.floor((maximumTimelineRows - count) / 2));
    const firstRow = Math.max(0, rows.first - margin);
    const rowCount = Math.min(header.rows.length, rows.first + count + margin) - firstRow;
    const asked = { id: header.id, firstRow, rowCount };
    const pixels = pixelsOf(sight);
    if (!this.rowLayers.has(rows, span, (span.to - span.from) / pixels)) return { ...asked, ...span, pixels };
    const whole = wholeSpan(header.seconds);
    if (isSame(whole, span) || this.rowLayers.has(rows, whole, Infinity)) return undefined;
    return { ...asked, ...whole, pixels: Math.min(pixels, coarsePixels) };
  }

  private missingStack(): Question | undefined {
    const sight = this.events.sight();
    if (sight === undefined || sight.header.depth === 0 || sight.header.rows.length === 0) return undefined;
    const { header, span, row } = sight;
    const rowCount = Math.min(header.depth, maximumTimelineRows);
    const pixels = pixelsOf(sight);
    const depths = { first: 0, count: rowCount };
    if (this.stackLayers.has(depths, span, (span.to - span.from) / pixels)) return undefined;
    return { id: header.id, firstRow: row, rowCount, ...span, pixels };
  }

  private missingMessages(): MessageQuestion | undefined {
    const sight = this.events.sight();
    if (sight?.wantsMessages !== true || sight.rows.count === 0) return undefined;
    const { header, span, rows } = sight;
    const rowCount = Math.min(rows.count, maximumTimelineRows);
    const pixels = pixelsOf(sight);
    const question = { id: header.id, firstRow: rows.first, rowCount, ...span, pixels, most: mostLines };
    return JSON.stringify(question) === this.messagesOf ? undefined : question;
  }
}

function pixelsOf({ pixels }: Sight): number {
  return Math.min(maximumTimelinePixels, Math.max(1, pixels));
}
