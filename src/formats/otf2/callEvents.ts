import { getOrMake } from '../../core/getOrMake';
import type { CallEvent } from '../../core/groups/attributes/eventContext';
import type { Region } from '../../core/profile/profile';
import type { Location } from './definitions/model';
import { callKind, TraceFunctions } from './functions';
import type { Otf2Archive } from './open';

/**
 * The calls of locations, one location after the other: what `eventContext` takes. Functions have the names of their regions; those of the same name
 * in different files also their file.
 */
export function* callEvents(
  archive: Otf2Archive,
  locations: readonly Location[] = archive.definitions.locations,
): Generator<CallEvent> {
  const functions = new TraceFunctions(archive.definitions);
  const names = uniqueNames(functions.list);
  for (const location of locations)
    for (const { count, kind: types, first, values } of archive.events(location))
      for (let index = 0; index < count; index++) {
        const type = types[index] ?? 0;
        const kind = callKind(type);
        if (kind === undefined || kind === 'sample') continue;
        const position = functions.positionOf(type, values[first[index] ?? 0] ?? 0);
        yield {
          location: location.id,
          kind,
          function: names[position] ?? functions.list[position]?.name ?? '',
        };
      }
}

function uniqueNames(regions: readonly Region[]): readonly string[] {
  const files = new Map<string, Set<string | undefined>>();
  for (const { name, file } of regions) getOrMake(files, name, () => new Set()).add(file);
  return regions.map(({ name, file }) =>
    file !== undefined && (files.get(name)?.size ?? 0) > 1 ? `${name} (${file})` : name,
  );
}
