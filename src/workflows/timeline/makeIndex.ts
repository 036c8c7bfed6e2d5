import type { ProgressSink } from '../../core/progress';
import { blockEvents } from '../../core/timeline/index/node';
import { LocationIndexer } from '../../core/timeline/index/locationIndexer';
import { MessagesByTime } from '../../core/messages/byTime';
import { MessageMatcher } from '../../core/messages/matchEnds';
import { callNotes } from '../../core/trace/build/replay';
import type { Location } from '../../formats/otf2/definitions/model';
import { TraceFunctions } from '../../formats/otf2/functions';
import { Partners } from '../../formats/otf2/messages';
import type { Otf2Archive } from '../../formats/otf2/open';
import type { Append } from '../../formats/trace-index/output';
import { TraceIndexWriter } from '../../formats/trace-index/write';
import { MessageEvents } from '../messages/messageEvents';
import { ScratchFile } from '../messages/scratchFile';
import { turn, type Cancellable } from '../running/turn';
import { CallBlock } from './callBlock';
import { fileState, type TraceFiles } from './traceFiles';

export interface MakingContext extends Cancellable {
  readonly progress: ProgressSink;
}

/** Share of the work that reading events is; the rest is to put messages together. */
const readingShare = 0.9;
/** Blocks, and rows, until other work has its turn. */
const blocksOfTurn = 32;
const rowsOfTurn = 8;
const messagesOfTurn = 4096;
const windowBytes = 1 << 20;

/**
 * Reads the whole trace and writes its index. Memory is for the definitions, one node of each level, and a bounded part of the messages.
 * @throws what `append` throws, and an abort
 */
export async function makeIndex(
  archive: Otf2Archive,
  files: TraceFiles,
  rows: readonly Location[],
  append: Append,
  context: MakingContext,
): Promise<void> {
  const scratch = await ScratchFile.make();
  try {
    const making = new Making(archive, files, rows, append, context, scratch);
    await making.read();
    await making.finish();
  } finally {
    scratch.remove();
  }
}

class Making {
  readonly #writer: TraceIndexWriter;
  readonly #functions: TraceFunctions;
  readonly #indexer: LocationIndexer;
  readonly #partners: Partners;
  readonly #matcher: MessageMatcher;
  /** Ends without the other one. */
  #sends = 0;
  #receives = 0;
  readonly #anchorFile;
  readonly #definitionFile;
  readonly #bytes: number;
  #done = 0;
  #unknownPartners = 0;

  constructor(
    private readonly archive: Otf2Archive,
    private readonly files: TraceFiles,
    private readonly rows: readonly Location[],
    append: Append,
    private readonly context: MakingContext,
    private readonly scratch: ScratchFile,
  ) {
    const { definitions } = archive;
    // Before anything is read: what changes while it is read makes the index an old one.
    this.#anchorFile = fileState(files.anchor);
    this.#definitionFile = fileState(files.definitions);
    this.#bytes = rows.reduce((sum, row) => sum + Math.max(0, fileState(files.eventsOf(row)).size), 0);
    this.#writer = new TraceIndexWriter(append);
    this.#functions = new TraceFunctions(definitions);
    this.#indexer = new LocationIndexer(this.#functions.most + 1, this.#writer);
    this.#partners = new Partners(definitions);
    this.#matcher = new MessageMatcher(scratch);
  }

  async read(): Promise<void> {
    for (const [row, location] of this.rows.entries()) {
      await this.#readRow(row, location);
      if (row % rowsOfTurn === 0) await this.#turn(0);
    }
  }

  async #turn(offset: number): Promise<void> {
    const fraction = this.#bytes > 0 ? Math.min(1, (this.#done + offset) / this.#bytes) : 1;
    this.context.progress.report({
      message: 'Making the index of the trace, once',
      fraction: fraction * readingShare,
    });
    await turn(this.context);
  }

  async #readRow(row: number, location: Location): Promise<void> {
    const eventFile = fileState(this.files.eventsOf(location));
    const definitionFile = fileState(this.files.definitionsOf(location));
    const indexer = this.#indexer;
    const reader = this.archive.reader(location, { capacity: blockEvents, windowBytes });
    let events = 0;
    let begin = 0;
    if (reader !== undefined) {
      const messages = new MessageEvents(
        location.rank,
        row,
        this.#partners,
        this.#matcher,
        () => this.#unknownPartners++,
      );
      const block = new CallBlock(this.#functions);
      let position = reader.position;
      for (let blocks = 1, chunk = reader.next(); chunk !== undefined; blocks++) {
        if (events === 0) begin = chunk.time[0] ?? 0;
        block.count = 0;
        // Chunks are smaller where the archive announces fewer events than there are.
        for (; chunk !== undefined; chunk = reader.next()) {
          block.add(chunk);
          messages.visit(chunk);
          if (block.count + chunk.count > blockEvents) break;
        }
        indexer.add(block, position);
        events += block.count;
        position = reader.position;
        if (blocks % blocksOfTurn === 0) await this.#turn(position.offset);
        chunk &&= reader.next();
      }
      this.archive.ended(location, reader.events + reader.unknown);
    }
    const end = events === 0 ? 0 : indexer.now;
    indexer.end();
    this.#writer.endRow({ events, begin, end, eventFile, definitionFile });
    this.#done += Math.max(0, eventFile.size);
  }

  async finish(): Promise<void> {
    await this.#messages();
    this.#writer.finish({
      anchorFile: this.#anchorFile,
      definitionFile: this.#definitionFile,
      unknown: this.#functions.unknown,
      depth: this.#indexer.depth,
      notes: [...this.archive.notes().map(({ message }) => message), ...this.#sentences()],
    });
  }

  async #messages(): Promise<void> {
    const { ends } = this.#matcher;
    const { messages } = this.#writer;
    const sorted = new MessagesByTime(this.scratch);
    let done = 0;
    for (const message of this.#matcher.messages()) {
      if (message.send !== undefined && message.receive !== undefined) sorted.add(message);
      else if (message.send === undefined) this.#receives++;
      else this.#sends++;
      // A message has up to two ends.
      if (done++ % messagesOfTurn === 0) await this.#puttingTurn(done / ends / 2);
    }
    await this.#puttingTurn(0.5);
    for (const { send, receive, bytes, tag } of sorted.messages()) {
      if (send !== undefined && receive !== undefined)
        messages.add(send.row, receive.row, send.time, receive.time, bytes, tag);
      if (messages.count % messagesOfTurn === 0)
        await this.#puttingTurn(0.5 + messages.count / sorted.count / 2);
    }
    await this.#puttingTurn(1);
  }

  async #puttingTurn(done: number): Promise<void> {
    const fraction = readingShare + done * (1 - readingShare);
    this.context.progress.report({ message: 'Putting messages together', fraction });
    await turn(this.context);
  }

  #sentences(): readonly string[] {
    const counted: readonly (readonly [number, string])[] = [
      [this.#sends, 'Messages whose receive is not in the trace are not shown'],
      [this.#receives, 'Messages whose send is not in the trace are not shown'],
      [
        this.#unknownPartners,
        'Ends of messages whose communicator or other end the trace does not define are not shown',
      ],
    ];
    return [
      ...callNotes(this.#indexer.calls),
      ...counted.flatMap(([count, words]) => (count > 0 ? [`${words}: ${count}.`] : [])),
    ];
  }
}
