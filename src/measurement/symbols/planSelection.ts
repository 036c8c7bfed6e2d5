import path from 'node:path';
import {
  maximumPhases,
  maximumSamples,
  printSelectionFile,
  type SelectionSite,
} from '../../formats/kymo-selection/selectionFile';
import type { SiteMap } from './sites';

/** Patch points of a run, and the meaning of the slots. */
export interface SelectionPlan {
  /** Content of the selection file. */
  readonly text: string;
  /** 16 hex digits; the same selection of the same build has the same id. */
  readonly id: string;
  /** Function key of each slot. A function has several slots if the instances of a template are distinguished. */
  readonly slots: readonly string[];
  /** Template instance of each slot, if it is distinguished. */
  readonly instances: readonly (SlotInstance | undefined)[];
  /** Slots whose visits are the iterations. */
  readonly phases: readonly number[];
  /** Sampling of each slot's visits; undefined if all are timed. */
  readonly samples: readonly (SlotSample | undefined)[];
  /** Selected functions that cannot be measured. */
  readonly withoutSite: readonly string[];
}

export interface SlotInstance {
  readonly mangledName: string;
  readonly name: string;
}

/** About one in `interval` visits is timed (1: each, until whoever watches the run changes it); the cost depends on the kind of site. */
export interface SlotSample {
  readonly interval: number;
  readonly kind: 'probe' | 'entry';
}

/**
 * Numbers the selected functions and lists their sites. Slots follow the order of the keys. For functions in `intervals`, about
 * one visit per interval is timed, if the runtime has room for more sampled slots. The visits of the functions in `phase` are the iterations: these are
 * always selected, and all their visits are timed. Sites of `idleKeys` are off until whoever watches the run switches them on.
 */
export function planSelection(
  siteMap: SiteMap,
  selectedKeys: Iterable<string>,
  intervals: ReadonlyMap<string, number> = new Map(),
  phase: ReadonlySet<string> = new Set(),
  idleKeys: Iterable<string> = [],
): SelectionPlan {
  const numbered = new NumberedSlots(siteMap, intervals, phase);
  const selected = new Set([...selectedKeys, ...phase]);
  for (const key of selected) numbered.add(key);
  const on = numbered.slots.length;
  for (const key of idleKeys) if (!selected.has(key)) numbered.add(key);
  const idle = numbered.slots.map((_, slot) => slot).slice(on);
  const { slots, instances, phases, samples, withoutSite, sites } = numbered;
  const objects = siteMap.objects.map(({ path: file, buildId }, i) => ({
    buildId,
    name: path.basename(file),
    sites: (sites[i] ?? []).sort((a, b) => a.offset - b.offset),
  }));
  const listed = samples.flatMap((sample, slot) =>
    sample === undefined ? [] : [{ slot, interval: sample.interval }],
  );
  const print = (id: string): string =>
    printSelectionFile({ id, slotCount: slots.length, phases, samples: listed, idle, objects });
  const id = fnv1a64(print('0'.repeat(16)));
  return { text: print(id), id, slots, instances, phases, samples, withoutSite };
}

/** Assigns slots to the instances of functions, in the order of calls to `add`. */
class NumberedSlots {
  readonly slots: string[] = [];
  readonly instances: (SlotInstance | undefined)[] = [];
  readonly phases: number[] = [];
  readonly samples: (SlotSample | undefined)[] = [];
  readonly withoutSite: string[] = [];
  /** Sites by linked object. */
  readonly sites: SelectionSite[][];
  private sampled = 0;

  constructor(
    private readonly siteMap: SiteMap,
    private readonly intervals: ReadonlyMap<string, number>,
    private readonly phase: ReadonlySet<string>,
  ) {
    this.sites = siteMap.objects.map(() => []);
  }

  add(key: string): void {
    const sites = this.siteMap.functions.get(key) ?? [];
    if (sites.length === 0) this.withoutSite.push(key);
    const kind = sites.some((site) => site.kind === 'in') ? 'probe' : 'entry';
    const slotOf = new Map<string | undefined, number>();
    for (const site of sites) {
      const slot = slotOf.get(site.instance) ?? this.slot(key, site.instance, kind);
      slotOf.set(site.instance, slot);
      this.sites[site.object]?.push({ kind: site.kind, slot, offset: site.offset });
    }
  }

  private slot(key: string, instance: string | undefined, kind: SlotSample['kind']): number {
    const { phase, phases, intervals, siteMap } = this;
    const slot = this.slots.push(key) - 1;
    const isPhase = phase.has(key);
    if (isPhase && phases.length < maximumPhases) phases.push(slot);
    const interval = isPhase || this.sampled === maximumSamples ? undefined : intervals.get(key);
    if (interval !== undefined) this.sampled++;
    this.samples.push(interval === undefined ? undefined : { interval, kind });
    this.instances.push(
      instance === undefined
        ? undefined
        : { mangledName: instance, name: siteMap.instanceNames?.get(instance) ?? instance },
    );
    return slot;
  }
}

/** FNV-1a, 64 bit, over the UTF-8 bytes. */
function fnv1a64(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of Buffer.from(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash.toString(16).padStart(16, '0');
}
