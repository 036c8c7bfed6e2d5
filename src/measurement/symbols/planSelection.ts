import path from 'node:path';
import { printSelectionFile, type SelectionSite } from '../../formats/kymo-selection/selectionFile';
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
  /** Selected functions that cannot be measured. */
  readonly withoutSite: readonly string[];
}

export interface SlotInstance {
  readonly mangledName: string;
  readonly name: string;
}

/** Numbers the selected functions and lists their sites. The order of the keys decides the slots. */
export function planSelection(siteMap: SiteMap, selectedKeys: Iterable<string>): SelectionPlan {
  const slots: string[] = [];
  const instances: (SlotInstance | undefined)[] = [];
  const withoutSite: string[] = [];
  const sites: SelectionSite[][] = siteMap.objects.map(() => []);
  for (const key of new Set(selectedKeys)) {
    const own = siteMap.functions.get(key) ?? [];
    if (own.length === 0) {
      withoutSite.push(key);
      continue;
    }
    const slotOf = new Map<string | undefined, number>();
    for (const { object, kind, offset, instance } of own) {
      let slot = slotOf.get(instance);
      if (slot === undefined) {
        slot = slots.length;
        slotOf.set(instance, slot);
        slots.push(key);
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
  const print = (id: string): string => printSelectionFile({ id, slotCount: slots.length, objects });
  const id = fnv1a64(print('0'.repeat(16)));
  return { text: print(id), id, slots, instances, withoutSite };
}

/** FNV-1a, 64 bit, over the UTF-8 bytes. */
function fnv1a64(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of Buffer.from(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash.toString(16).padStart(16, '0');
}
