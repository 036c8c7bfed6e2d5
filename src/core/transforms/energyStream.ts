/**
 * Energies of the weighted Haar transform of a signal of any length that arrives in pieces (specification of performance dynamics, §5.2
 * and §5.4). State: one block per set bit of the count, O(log count). The energies are those of the whole signal however it was cut.
 */
/** Energies of the orthonormal Haar transform (§5.3), in squared units of the signal. */
export interface Energies {
  readonly total: number;
  readonly dynamic: number;
  readonly short: number;
  readonly wide: number;
}

/** `count` samples that are one approximation; their level is the Haar level that made it (0: a sample). */
interface Block {
  readonly level: number;
  readonly count: number;
  readonly approximation: number;
}

/** Squares of values up to this fit into a double, times any count of samples. */
const largestValue = 2 ** 480;

export class EnergyStream {
  private blocks: Block[] = [];
  /** Energy of the details by level; index 0 is level 1. In units of `scale` squared. */
  private details: number[] = [];
  private samples = 0;
  /** A power of two, so that dividing by it is exact: values beyond `largestValue` do not overflow. */
  private scale = 1;

  get count(): number {
    return this.samples;
  }

  /** Sum of all samples divided by their count; 0 without samples. */
  get mean(): number {
    let sum = 0;
    for (const { approximation, count } of this.blocks) {
      sum += (approximation * Math.sqrt(count)) / Math.max(1, this.samples);
    }
    return sum * this.scale;
  }

  /** Appends samples. What is not finite counts as 0 (not executed). */
  push(values: Float64Array | readonly number[]): void {
    for (const value of values) {
      const finite = Number.isFinite(value) ? value : 0;
      if (Math.abs(finite) / this.scale > largestValue) this.rescale(2 ** 544);
      this.append({ level: 0, count: 1, approximation: finite / this.scale });
    }
  }

  /**
   * Appends what another stream holds, which stays as it is. Total and dynamic energy are always those of one stream over both; the
   * split into scales is so when this count is a multiple of the other's largest block (aligned bursts of 2^b samples).
   */
  merge(other: EnergyStream): void {
    while (this.scale < other.scale) this.rescale(2 ** 544);
    const ratio = other.scale / this.scale;
    other.details.forEach(
      (energy, index) => (this.details[index] = (this.details[index] ?? 0) + energy * ratio * ratio),
    );
    for (const block of other.blocks) this.append({ ...block, approximation: block.approximation * ratio });
  }

  /** Energies of all samples so far; more may follow. */
  energies(): Energies {
    const details = [...this.details];
    const blocks = [...this.blocks];
    while (blocks.length > 1) joinLast(blocks, details);
    const approximation = blocks[0]?.approximation ?? 0;
    const depth = Math.ceil(Math.log2(Math.max(1, this.samples)));
    let short = 0;
    let wide = 0;
    details.forEach((energy, index) => (index < depth >> 1 ? (short += energy) : (wide += energy)));
    return this.inUnits({ total: short + wide + approximation ** 2, dynamic: short + wide, short, wide });
  }

  private append(block: Block): void {
    this.samples += block.count;
    this.blocks.push(block);
    while (this.lastTwoAreEqual()) joinLast(this.blocks, this.details);
  }

  private lastTwoAreEqual(): boolean {
    return this.blocks.length > 1 && this.blocks.at(-1)?.level === this.blocks.at(-2)?.level;
  }

  private rescale(factor: number): void {
    this.scale *= factor;
    this.blocks = this.blocks.map((block) => ({ ...block, approximation: block.approximation / factor }));
    this.details = this.details.map((energy) => energy / factor / factor);
  }

  /** Where squares of the values do not fit into a double, all four are reduced alike: ratios hold, the total is very large. */
  private inUnits({ total, dynamic, short, wide }: Energies): Energies {
    const { scale } = this;
    const fits = total * scale * scale < Number.MAX_VALUE;
    const scaled = (energy: number): number =>
      fits ? energy * scale * scale : (energy / total) * (Number.MAX_VALUE / 2);
    return { total: scaled(total), dynamic: scaled(dynamic), short: scaled(short), wide: scaled(wide) };
  }
}

/** Replaces the last two blocks by their weighted Haar approximation; the detail's energy goes to the level that this is. */
function joinLast(blocks: Block[], details: number[]): void {
  const right = blocks.pop();
  const left = blocks.pop();
  if (right === undefined || left === undefined) return;
  const count = left.count + right.count;
  const a = Math.sqrt(left.count / count);
  const b = Math.sqrt(right.count / count);
  const detail = b * left.approximation - a * right.approximation;
  const level = left.level + 1;
  while (details.length < level) details.push(0);
  details[level - 1] = (details[level - 1] ?? 0) + detail * detail;
  blocks.push({ level, count, approximation: a * left.approximation + b * right.approximation });
}
