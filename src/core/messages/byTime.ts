import type { MatchedMessage } from './matchEnds';
import { SortedRecords, type Scratch } from './sortedRecords';

const width = 10;

/** Messages in the order of their sends, and of their receives where there is no send; a bounded part of them is in memory. */
export class MessagesByTime {
  readonly #records: SortedRecords;

  /** @param most numbers in memory */
  constructor(scratch: Scratch, most?: number) {
    this.#records = new SortedRecords(scratch, width, 1, most);
  }

  get count(): number {
    return this.#records.count;
  }

  add({ sender, receiver, communicator, tag, bytes, send, receive }: MatchedMessage): void {
    const first = (send ?? receive)?.time ?? 0;
    const ends = [send?.row ?? -1, send?.time ?? 0, receive?.row ?? -1, receive?.time ?? 0];
    this.#records.add([first, sender, receiver, communicator, tag, bytes, ...ends]);
  }

  /** All of them, once. */
  *messages(): Generator<MatchedMessage> {
    for (const { numbers, at } of this.#records.sorted()) {
      const [, sender = 0, receiver = 0, communicator = 0, tag = 0, bytes = 0, ...ends] = numbers.subarray(
        at,
        at + width,
      );
      const [sentBy = -1, sent = 0, receivedBy = -1, received = 0] = ends;
      yield {
        ...{ sender, receiver, communicator, tag, bytes },
        ...(sentBy < 0 ? {} : { send: { row: sentBy, time: sent } }),
        ...(receivedBy < 0 ? {} : { receive: { row: receivedBy, time: received } }),
      };
    }
  }
}
