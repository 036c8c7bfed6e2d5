import path from 'node:path';
import {
  maximumSamples,
  printSelectionFile,
  type SelectionSite,
} from '../../formats/kymo-selection/selectionFile';
import type { SiteMap } from './sites';

/** What the runtime is told to patch, and what its slots mean. */
export interface SelectionPlan {
  /** Content of the selection file. */
  readonly text: string;
  /** 16 hex digits; the same selection of the same build has the same id. */
  readonly id: string;
  /** Slot → function key. A function has several slots when the instances of a template are told apart. */
  readonly slots: readonly string[];
  /** Slot → what is known of the instance beyond the function. */
  readonly instances: readonly (SlotInstance | undefined)[];
  /** Slot → how its visits are sampled; undefined: all are timed. */
  readonly samples: readonly (SlotSample | undefined)[];
  /** Selected functions that cannot be measured. */
  readonly withoutSite: readonly string[];
}

export interface SlotInstance {
  readonly mangledName: string;
  readonly name: string;
}

/** About one in `interval` visits is timed; what that costs depends on the kind of site. */
export interface SlotSample {
  readonly interval: number;
  readonly kind: 'probe' | 'entry';
}

/**
 * Numbers the selected functions and lists their sites. The order of the keys decides the slots. Of the functions in `intervals` about
 * one in so many visits is timed (as many slots as the runtime has room for).
 */
export function planSelection(
  siteMap: SiteMap,
  selectedKeys: Iterable<string>,
  intervals: ReadonlyMap<string, number> = new Map(),
): SelectionPlan {
  const slots: string[] = [];
  const instances: (SlotInstance | undefined)[] = [];
  const samples: (SlotSample | undefined)[] = [];
  let sampled = 0;
  const withoutSite: string[] = [];
  const sites: SelectionSite[][] = siteMap.objects.map(() => []);
  for (const key of new Set(selectedKeys)) {
    const own = siteMap.functions.get(key) ?? [];
    if (own.length === 0) {
      withoutSite.push(key);
      continue;
    }
    const slotOf = new Map<string | undefined, number>();
    const interval = intervals.get(key);
    const probe = own.some((site) => site.kind === 'in');
    for (const { object, kind, offset, instance } of own) {
      let slot = slotOf.get(instance);
      if (slot === undefined) {
        slot = slots.length;
        slotOf.set(instance, slot);
        slots.push(key);
        const room = interval !== undefined && sampled < maximumSamples;
        samples.push(room ? { interval, kind: probe ? 'probe' : 'entry' } : undefined);
        if (room) sampled++;
        instances.push(
          instance === undefined
            ? undefined
            : { mangledName: instance, name: siteMap.instanceNames?.get(instance) ?? instance },
        );
      }
      sites[object]?.push({ kind, slot, offset });
    }
  }
  const objects = siteMap.objects.map(({ path: file, buildId }, i) => ({
    buildId,
    name: path.basename(file),
    sites: (sites[i] ?? []).sort((a, b) => a.offset - b.offset),
  }));
  const listed = samples.flatMap((sample, slot) =>
    sample === undefined ? [] : [{ slot, interval: sample.interval }],
  );
  const print = (id: string): string =>
    printSelectionFile({ id, slotCount: slots.length, samples: listed, objects });
  const id = fnv1a64(print('0'.repeat(16)));
  return { text: print(id), id, slots, instances, samples, withoutSite };
}

/** FNV-1a, 64 bit, over the UTF-8 bytes. */
function fnv1a64(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of Buffer.from(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash.toString(16).padStart(16, '0');
}
