import { getOrMake } from '../../core/getOrMake';
import type { CallEvent } from '../../core/groups/attributes/eventContext';
import type { Definitions, Location } from './definitions/model';
import { enterKind, eventKind, leaveKind } from './layouts/events';
import type { Otf2Archive } from './open';

/** Enter and leave of a sampled or unwound function: the field is a calling context, which has a region. */
const contextEnter = eventKind('CALLING_CONTEXT_ENTER');
const contextLeave = eventKind('CALLING_CONTEXT_LEAVE');

/**
 * The calls of locations, one location after the other: what `eventContext` takes. Functions have the names of their regions; those of the same name
 * in different files also their file.
 */
export function* callEvents(
  archive: Otf2Archive,
  locations: readonly Location[] = archive.definitions.locations,
): Generator<CallEvent> {
  const nameOf = regionNames(archive.definitions);
  const contextNameOf = contextNames(archive.definitions, nameOf);
  for (const location of locations)
    for (const { count, kind, first, values } of archive.events(location))
      for (let index = 0; index < count; index++) {
        const type = kind[index];
        const isContext = type === contextEnter || type === contextLeave;
        if (type !== enterKind && type !== leaveKind && !isContext) continue;
        const value = values[first[index] ?? 0] ?? 0;
        yield {
          location: location.id,
          kind: type === enterKind || type === contextEnter ? 'enter' : 'leave',
          function: isContext ? contextNameOf(value) : nameOf(value),
        };
      }
}

function regionNames({ regions }: Definitions): (region: number) => string {
  const files = new Map<string, Set<string | undefined>>();
  for (const { name, file } of regions.values()) getOrMake(files, name, () => new Set()).add(file);
  const names = new Map<number, string>();
  for (const { id, name, file } of regions.values())
    names.set(id, file !== undefined && (files.get(name)?.size ?? 0) > 1 ? `${name} (${file})` : name);
  return (region) => names.get(region) ?? `region ${region}`;
}

function contextNames(
  definitions: Definitions,
  nameOf: (region: number) => string,
): (context: number) => string {
  const names = new Map(
    definitions
      .records('CALLING_CONTEXT')
      .map(({ values }) => [values.id as number, nameOf(values.region as number)]),
  );
  return (context) => names.get(context) ?? `calling context ${context}`;
}
