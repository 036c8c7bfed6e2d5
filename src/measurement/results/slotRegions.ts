import { openmpRole } from '../../core/functions/openmpRole';
import { remembered } from '../../core/remembered';
import path from 'node:path';
import type { CallGraph } from '../../core/callgraph/callGraph';
import { mpiRole } from '../../core/names/mpiRoles';
import { samplingAttribute } from '../../core/profile/metrics';
import {
  recordedPartAttribute,
  recordedPartText,
  recordedPartWords,
  type RecordedPart,
} from '../../core/profile/recordedPart';
import type { Region } from '../../core/profile/profile';
import { type ResultHead, type NamedRegion, type RegionKind } from '../../formats/kymo-result/resultFile';
import { depthExceededSlot, rootSlot } from '../../formats/kymo-result/slots';
import type { SlotInstance, SlotSample } from '../symbols/planSelection';
import { present } from '../../core/present';
import type { SwitchedInRun } from './switchedInRun';

export interface SlotRegionsOptions {
  readonly slots: readonly string[];
  readonly instances?: readonly (SlotInstance | undefined)[];
  readonly samples?: readonly (SlotSample | undefined)[];
  readonly graph: CallGraph;
  readonly executable: string;
  readonly switched?: SwitchedInRun | undefined;
}

/** Attribute of a region with the key of its function in the call graph. */
const keyAttribute = 'kymo::key';

/** The key of a region's function, for regions of Kymo's own measurements. */
export function functionKeyOf(region: Region): string | undefined {
  return region.attributes?.get(keyAttribute);
}

/** The regions of a profile: the program first, then one for each visited function or instance, in order of their first visit. */
export class SlotRegions {
  readonly regions: Region[];
  private readonly bySlot = new Map<number, number>();
  private readonly byIdentity = new Map<string, number>();
  private readonly functions: ReadonlyMap<string, CallGraph['functions'][number]>;

  constructor(private readonly options: SlotRegionsOptions) {
    this.functions = new Map(options.graph.functions.map((f) => [f.key, f]));
    this.regions = [
      {
        name: path.basename(options.executable),
        mangledName: options.executable,
        paradigm: 'measurement',
        role: 'artificial',
      },
    ];
    this.bySlot.set(rootSlot, 0);
  }

  /** Position of the region of a slot. */
  ofSlot(slot: number): number {
    const existing = this.bySlot.get(slot);
    if (existing !== undefined) return existing;
    const key = this.options.slots[slot] ?? '';
    const instance = this.options.instances?.[slot];
    const identity = `${key}\0${instance?.mangledName ?? ''}`;
    const position =
      (slot === depthExceededSlot ? undefined : this.byIdentity.get(identity)) ??
      this.regions.push(
        slot === depthExceededSlot ? depthExceeded : this.region(key, instance, this.options.samples?.[slot]),
      ) - 1;
    this.bySlot.set(slot, position);
    if (slot !== depthExceededSlot) this.byIdentity.set(identity, position);
    return position;
  }

  /** As `ofSlot`, for a slot of one process: regions of the source have different slots in each process. */
  ofSlotIn({ regions }: Pick<ResultHead, 'regions'>, slot: number): number {
    const { length } = this.options.slots;
    const named = slot < length ? undefined : regions[slot - length];
    return named === undefined ? this.ofSlot(slot) : this.ofNamed(named);
  }

  /** The first slot of a region; undefined for one that the source or a layer names. */
  slotOf(region: number): number | undefined {
    for (const [slot, position] of this.bySlot) if (position === region) return slot;
    return undefined;
  }

  private ofNamed(named: NamedRegion): number {
    const add = (): number => this.regions.push(namedRegion({ ...named, ...this.placed(named) })) - 1;
    return remembered(this.byIdentity, `\0${named.name}`, add);
  }

  /** `__FILE__` may be relative: finds the only source of the program whose path ends with it. */
  private placed({ file }: NamedRegion): Pick<NamedRegion, 'file'> {
    if (file === undefined || path.isAbsolute(file)) return {};
    const end = `/${path.normalize(file).replace(/^(\.\.\/)+/, '')}`;
    const all = new Set(
      this.options.graph.functions.flatMap((f) => (f.file?.endsWith(end) === true ? [f.file] : [])),
    );
    const [only] = all;
    return only === undefined || all.size > 1 ? {} : { file: only };
  }

  /** Sampling of a slot's visits; undefined if all are timed. */
  sampleOf(slot: number): SlotSample | undefined {
    return this.options.samples?.[slot];
  }

  private region(key: string, instance: SlotInstance | undefined, sample: SlotSample | undefined): Region {
    const described = this.functions.get(key);
    const mangledName = instance?.mangledName ?? described?.mangledName;
    return {
      name: instance?.name ?? described?.name ?? key,
      ...present({
        mangledName,
        file: described?.file,
        firstLine: described?.line,
        lastLine: described?.endLine,
      }),
      paradigm: 'compiler',
      role: 'function',
      ...remarks(key, sample, this.options.switched?.parts().get(key)),
    };
  }
}

function namedRegion({ name, file, line, kind }: NamedRegion): Region {
  return { name, mangledName: name, ...present({ file, firstLine: line }), ...natureOf(name, kind) };
}

/** Paradigm and role as Score-P writes them. */
function natureOf(name: string, kind: RegionKind): Pick<Region, 'paradigm' | 'role'> {
  switch (kind) {
    case 'region':
      return { paradigm: 'user', role: 'region' };
    case 'phase':
      return { paradigm: 'user', role: 'dynamic' };
    case 'mpi':
      return { paradigm: 'mpi', role: mpiRole(name) };
    case 'openmp':
      return { paradigm: 'openmp', role: openmpRole(name) };
    case 'threads':
      return { paradigm: 'pthread', role: 'wrapper' };
    case 'io':
      return { paradigm: 'io', role: /^f?(open|close)$/.test(name) ? 'file io metadata' : 'file io' };
  }
}

function remarks(
  key: string,
  sample: SlotSample | undefined,
  part: RecordedPart | undefined,
): Pick<Region, 'attributes' | 'description'> {
  const attributes = new Map([[keyAttribute, key]]);
  const sentences: string[] = [];
  if (sample !== undefined && sample.interval > 1) {
    attributes.set(samplingAttribute, String(sample.interval));
    sentences.push(`Times are estimated: about 1 of ${sample.interval} visits was timed`);
  }
  if (part !== undefined) {
    attributes.set(recordedPartAttribute, recordedPartText(part));
    sentences.push(`Only a part of the run: ${recordedPartWords(part)}`);
  }
  return { attributes, ...(sentences.length === 0 ? {} : { description: sentences.join('. ') }) };
}

const depthExceeded: Region = {
  name: 'calls beyond the depth limit',
  paradigm: 'measurement',
  role: 'artificial',
  description:
    'Calls deeper than the limit of the call tree (KYMO_DEPTH_LIMIT): one call path per function, whatever called it, with the time it took itself',
};
