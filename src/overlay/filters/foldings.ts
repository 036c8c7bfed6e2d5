import { at } from '../../core/at';
import { compose, isEmpty, noFolding, ofOwners, type Folding } from '../../core/diagnosis/folding/folding';
import { foldingModes, type FoldingMode } from '../../core/diagnosis/folding/foldingSender';
import { OverlayError } from '../packets/overlayError';
import { Packet } from '../packets/packet';
import type { Packable } from '../packets/values';
import { foldingFormat, foldingValues, readFolding, sendAllFormat } from '../services/foldingPacket';
import type { Filter, FilterOutput, FilterPlace } from './filter';

const modeFormat = '%uc';

/** Parameters of the filter `folding`; without any it passes on changes. Back ends have to send in the same mode. */
export function foldingParameters(
  mode: FoldingMode,
): readonly [format: string, ...values: readonly Packable[]] {
  return [modeFormat, foldingModes.indexOf(mode)];
}

/**
 * Sub-graph folding (specification §6.3): of what came in a wave, the net change; in the mode `full` all that is known of the processes below. Each change comes once, also
 * after a loss, and names its owners, so that it does not matter through which processes it came: nothing has to be remembered for exactness, and nothing is of the
 * child through which it came. A packet that cannot be right, or is missing, costs what it said; then all back ends below are asked for their whole graphs,
 * which replace what is known of them.
 */
export class Foldings implements Filter {
  private sequence = 0;
  /** What the next packet of a child must be; of one that is not there, any. */
  private readonly next = new Map<number, number>();
  /** Children of which nothing was right since they were asked. */
  private readonly asked = new Set<number>();
  private mode: FoldingMode = 'delta';
  /** In the mode `full`: of those whose whole graph has come. */
  private graph = noFolding;

  constructor(private readonly place: FilterPlace) {}

  apply(wave: readonly Packet[], output: FilterOutput): void {
    if (wave.length === 0) return;
    const changes = wave.flatMap((packet) => this.read(packet, output) ?? []);
    const change = changes.reduce(compose, noFolding);
    if (isEmpty(change)) return;
    const values = foldingValues({ sequence: ++this.sequence, folding: this.passedOn(change) });
    output.up(Packet.of(at(wave, 0).tag, this.place.rank, foldingFormat, values));
  }

  setParameters(parameters: Packet): void {
    const [position] = parameters.unpack(modeFormat);
    const mode = foldingModes[Number(position)];
    if (mode === undefined)
      throw new OverlayError('filter', 'These are no parameters of the filter “folding”.');
    this.mode = mode;
  }

  /** Filters below begin anew, and number their packets anew. */
  setChildren(): void {
    this.next.clear();
    this.asked.clear();
  }

  private passedOn(change: Folding): Folding {
    if (this.mode === 'delta') return change;
    const all = compose(this.graph, change);
    this.graph = ofOwners(all, all.replaced);
    return all;
  }

  private read(packet: Packet, output: FilterOutput): Folding | undefined {
    const { source } = packet;
    try {
      const { sequence, folding } = readFolding(packet);
      const expected = this.next.get(source) ?? sequence;
      this.next.set(source, sequence + 1);
      if (sequence === expected) this.asked.delete(source);
      else this.lost(packet, output, `Packet ${sequence} came instead of ${expected}.`);
      return folding;
    } catch (error) {
      this.next.delete(source);
      this.lost(packet, output, error instanceof Error ? error.message : String(error));
      return undefined;
    }
  }

  /** Asks once, until something right has come: who sends what is wrong might never stop. */
  private lost({ source, tag }: Packet, output: FilterOutput, why: string): void {
    output.problem(new OverlayError('malformed', `Part of what rank ${source} found was lost. ${why}`));
    if (this.asked.has(source)) return;
    this.asked.add(source);
    output.down(Packet.of(tag, this.place.rank, sendAllFormat, []));
  }
}
