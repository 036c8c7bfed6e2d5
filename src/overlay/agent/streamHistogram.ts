import { alignedParameters, readSamples } from '../filters/aligned';
import type { FrontEndStream } from '../members/frontEnd';
import { firstUserTag } from '../packets/packet';
import { FoldingHistogram } from '../services/foldingHistogram';
import type { Operation } from '../services/sample';

/** To the back ends: seconds between samples that they send from now on (`%lf`). */
const intervalTag = firstUserTag;

export interface HistogramSettings {
  /** An even number. */
  readonly bins: number;
  /** Of a bin at first, and between samples. */
  readonly binSeconds: number;
  readonly start: number;
  readonly operation: Operation;
}

/**
 * Deltas of all back ends of a stream over time, in a fixed number of bins (specification §3.5). The stream does not wait, and has the filter
 * `aligned`. Whenever the bins become twice as wide, so do the intervals of the filters, and the back ends send half as often.
 */
export class StreamHistogram {
  readonly histogram: FoldingHistogram;

  constructor(
    private readonly stream: FrontEndStream,
    private readonly settings: HistogramSettings,
  ) {
    this.histogram = new FoldingHistogram(settings.bins, settings.binSeconds, settings.start);
    this.tell();
    stream.onPacket((packet) => {
      let folds = 0;
      for (const sample of readSamples(packet)) folds += this.histogram.add(sample);
      if (folds > 0) this.tell();
    });
  }

  private tell(): void {
    const { start, operation } = this.settings;
    const { binSeconds } = this.histogram;
    const intervals = { kind: 'fixed', width: binSeconds } as const;
    this.stream.setFilterParameters(
      'up',
      ...alignedParameters({ intervals, operation, quantity: 'delta', start }),
    );
    this.stream.send(intervalTag, '%lf', binSeconds);
  }
}
