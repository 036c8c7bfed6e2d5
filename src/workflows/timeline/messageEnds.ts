import { endFields, matchEnds, putEnd, type MessageEnd } from '../../core/timeline/messages/matchEnds';
import { blockMessages, type MessageIndexer } from '../../core/timeline/messages/messageIndex';
import { inOrder, MessageList, type Messages } from '../../core/timeline/messages/messageList';
import { putMessages, readMessages } from '../../formats/trace-index/messageBytes';
import type { ScratchFile } from './scratchFile';

/** Channels are dealt out over that many parts, which are matched one after the other. */
const parts = 128;
/** Numbers in memory before they are written away: 16 MB, and as much room for more. */
const mostNumbers = 2 ** 21;
const firstLength = endFields * 64;

interface Part {
  numbers: Float64Array;
  used: number;
  /** In the scratch file, in their order. */
  readonly written: { readonly offset: number; readonly length: number }[];
}

/** What has come to the messages of a trace. */
interface Unmatched {
  sends: number;
  receives: number;
}

/** Collects the ends of messages, location by location, and puts them together; a bounded part of them is in memory. */
export class MessageEnds {
  readonly unmatched: Unmatched = { sends: 0, receives: 0 };
  readonly #parts: Part[] = Array.from({ length: parts }, () => ({
    numbers: new Float64Array(0),
    used: 0,
    written: [],
  }));
  #numbers = 0;

  /** @param most numbers in memory */
  constructor(
    private readonly scratch: ScratchFile,
    private readonly rows: number,
    private readonly most = mostNumbers,
  ) {}

  add(end: MessageEnd): void {
    const part = this.#parts[(end.sender * 31 + end.receiver) % parts];
    if (part === undefined) return;
    if (part.used === part.numbers.length) {
      const larger = new Float64Array(Math.max(firstLength, part.used * 2));
      larger.set(part.numbers);
      part.numbers = larger;
    }
    putEnd(part.numbers, part.used, end);
    part.used += endFields;
    this.#numbers += endFields;
    if (this.#numbers >= this.most) this.#spill();
  }

  #spill(): void {
    for (const part of this.#parts) {
      if (part.used === 0) continue;
      const { buffer } = part.numbers;
      part.written.push(this.scratch.write(new Uint8Array(buffer, 0, part.used * 8)));
      part.numbers = new Float64Array(0);
      part.used = 0;
    }
    this.#numbers = 0;
  }

  /** Adds the messages in the order of their sends. @param turn between the parts */
  async moveTo(index: MessageIndexer, turn: (done: number) => Promise<void>): Promise<void> {
    const runs: Run[] = [];
    const isSpilled = this.#parts.some(({ written }) => written.length > 0);
    for (const [at, part] of this.#parts.entries()) {
      const { messages, sends, receives } = matchEnds(this.#numbersOf(part));
      part.numbers = new Float64Array(0);
      part.used = 0;
      this.unmatched.sends += sends;
      this.unmatched.receives += receives;
      if (messages.count > 0) runs.push(this.#run(messages, isSpilled));
      await turn(at / parts / 2);
    }
    await merge(runs, index, (done) => turn(0.5 + done / 2));
  }

  #numbersOf({ numbers, used, written }: Part): Float64Array {
    if (written.length === 0) return numbers.subarray(0, used);
    const bytes = written.reduce((sum, { length }) => sum + length, 0);
    const all = new Float64Array(bytes / 8 + used);
    const into = new Uint8Array(all.buffer);
    let at = 0;
    for (const place of written) {
      into.set(this.scratch.read(place), at);
      at += place.length;
    }
    all.set(numbers.subarray(0, used), bytes / 8);
    return all;
  }

  #run(messages: Messages, isSpilled: boolean): Run {
    const order = inOrder(messages);
    const blocks: (() => Messages)[] = [];
    for (let first = 0; first < order.length; first += blockMessages) {
      const block = new MessageList(blockMessages);
      for (const at of order.subarray(first, first + blockMessages)) block.addFrom(messages, at);
      if (isSpilled) {
        const place = this.scratch.write(putMessages(block));
        blocks.push(() => readMessages(this.scratch.read(place), this.rows) ?? new MessageList());
      } else blocks.push(() => block);
    }
    return new Run(blocks, messages.count);
  }
}

/** Messages in the order of their sends, from blocks. */
class Run {
  at = 0;
  block: Messages = new MessageList(0);
  #next = 0;

  constructor(
    private readonly blocks: (() => Messages)[],
    readonly count: number,
  ) {}

  /** When the next message was sent; Infinity at the end. */
  get sent(): number {
    while (this.at >= this.block.count) {
      const next = this.blocks[this.#next];
      if (next === undefined) return Infinity;
      // What was read is not needed any more.
      this.blocks[this.#next++] = () => new MessageList(0);
      this.block = next();
      this.at = 0;
    }
    return this.block.sent[this.at] ?? 0;
  }
}

async function merge(
  runs: readonly Run[],
  index: MessageIndexer,
  turn: (done: number) => Promise<void>,
): Promise<void> {
  const total = runs.reduce((sum, { count }) => sum + count, 0);
  const heads = runs.map((run) => run.sent);
  for (let done = 0; done < total; done++) {
    let first = 0;
    for (let at = 1; at < heads.length; at++) if ((heads[at] ?? 0) < (heads[first] ?? 0)) first = at;
    const run = runs[first];
    if (run === undefined || heads[first] === Infinity) return;
    index.add(run.block, run.at++);
    heads[first] = run.sent;
    if (done % blockMessages === 0) await turn(done / total);
  }
}
