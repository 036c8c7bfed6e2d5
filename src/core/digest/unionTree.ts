import { atInt, atUint } from '../at';
import { remembered } from '../remembered';
import { mostPaths, mostRegions, type Digest, type DigestRegion, type SlotTree } from './digest';

/** The place of what is beyond the bounds. */
const leftOut = -1;

/** The regions of several digests, each name once. */
export class UnionRegions {
  readonly regions: DigestRegion[] = [];
  private readonly positions = new Map<string, number>();

  constructor(readonly slotCount: number) {}

  /** @returns what the slots of the digest are here */
  add({ regions, slotCount }: Pick<Digest, 'regions' | 'slotCount'>): (slot: number) => number {
    const slots = regions.map((region) => this.slotOf(region));
    return (slot) => slots[slot - slotCount] ?? slot;
  }

  private slotOf(region: DigestRegion): number {
    if (this.regions.length >= mostRegions) return this.positions.get(region.name) ?? leftOut;
    const add = (): number => this.slotCount + this.regions.push(region) - 1;
    return remembered(this.positions, region.name, add);
  }
}

/** The paths of several trees, in order of appearance. */
export class UnionTree {
  private readonly parents: number[] = [];
  private readonly slots: number[] = [];
  private readonly below = new Map<string, number>();

  /** @returns the place of each path of the tree */
  add({ parents, slots }: SlotTree, slotHere: (slot: number) => number): Int32Array {
    const places = new Int32Array(parents.length);
    for (let path = 0; path < parents.length; path++) {
      const above = path === 0 ? -1 : atInt(places, atInt(parents, path));
      const isLeftOut = path > 0 && above < 0;
      places[path] = isLeftOut ? leftOut : this.place(above, slotHere(atUint(slots, path)));
    }
    return places;
  }

  get tree(): SlotTree {
    return { parents: Int32Array.from(this.parents), slots: Uint32Array.from(this.slots) };
  }

  private place(above: number, slot: number): number {
    const key = `${above}:${slot}`;
    const known = this.below.get(key);
    if (known !== undefined) return known;
    if (slot === leftOut || this.parents.length >= mostPaths) return leftOut;
    this.parents.push(above);
    const place = this.slots.push(slot) - 1;
    this.below.set(key, place);
    return place;
  }
}
