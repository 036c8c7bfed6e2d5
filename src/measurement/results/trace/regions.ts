import type { Region } from '../../../core/profile/profile';
import { enumerations } from '../../../formats/otf2/layouts/enums';
import type { ArchiveWriter } from '../../../formats/otf2/write/archiveWriter';

const roleNames: readonly string[] = enumerations.regionRole;
const paradigmNames: readonly string[] = enumerations.paradigm;
const classNames: readonly string[] = enumerations.paradigmClass;
/** `DYNAMIC` and `PHASE` */
const markedFlags = 3;
const phaseFlag = 2;

/** Roles of profiles that traces call otherwise. */
const otherRoles: Readonly<Record<string, string>> = {
  region: 'CODE',
  dynamic: 'CODE',
  one2all: 'COLL_ONE2ALL',
  all2one: 'COLL_ALL2ONE',
  all2all: 'COLL_ALL2ALL',
  'other collective': 'COLL_OTHER',
};

const classes: Readonly<Record<string, string>> = {
  MPI: 'PROCESS',
  OPENMP: 'THREAD_FORK_JOIN',
  PTHREAD: 'THREAD_CREATE_WAIT',
};

/**
 * The regions of the profile, with their positions there as their numbers.
 * @param phase name of the region whose visits are the iterations of the run: a function that was named for it replaces the phases of the source
 */
export function defineRegions(
  writer: ArchiveWriter,
  regions: readonly Region[],
  phase: string | undefined,
): void {
  const isOfSource =
    phase === undefined || regions.some(({ name, role }) => role === 'dynamic' && name === phase);
  const flagsOf = ({ name, role }: Region): number => {
    if (isOfSource) return role === 'dynamic' ? markedFlags : 0;
    return name === phase ? phaseFlag : 0;
  };
  const used = new Set(regions.map(paradigmOf));
  for (const [name, kind] of Object.entries(classes)) {
    const id = paradigmNames.indexOf(name);
    if (used.has(id))
      writer.define('PARADIGM', { id, name: writer.string(name), class: classNames.indexOf(kind) });
  }
  for (const [id, region] of regions.entries())
    writer.define('REGION', {
      id,
      name: writer.string(region.name),
      canonicalName: writer.string(region.mangledName ?? region.name),
      description: writer.string(region.description ?? ''),
      file: writer.string(region.file ?? ''),
      firstLine: region.firstLine ?? 0,
      lastLine: region.lastLine ?? 0,
      role: roleOf(region),
      paradigm: paradigmOf(region),
      flags: flagsOf(region),
    });
}

function roleOf({ role }: Region): number {
  return Math.max(0, roleNames.indexOf(otherRoles[role] ?? role.toUpperCase().replaceAll(' ', '_')));
}

function paradigmOf({ paradigm }: Region): number {
  const name = paradigm === 'measurement' ? 'MEASUREMENT_SYSTEM' : paradigm.toUpperCase();
  return Math.max(0, paradigmNames.indexOf(name));
}
