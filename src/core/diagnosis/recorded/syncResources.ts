import { at } from '../../at';
import { communicationType, type Activity } from '../../functions/activities';
import type { Region } from '../../profile/profile';
import type { ResourcePath } from '../resources/focus';

/**
 * What a region synchronises by: a type, and the construct with its line, or the function of MPI, because profiles know neither communicators nor tags. Undefined for what does not wait
 * for others.
 */
export function syncResources(
  regions: readonly Region[],
  activities: readonly Activity[],
  names: readonly string[],
): readonly (ResourcePath | undefined)[] {
  return regions.map((region, index) => {
    const type = syncType(region, at(activities, index));
    return type === undefined ? undefined : [type, at(names, index)];
  });
}

/** What threads synchronise by. */
export const threadSyncTypes = { barrier: 'Barrier', lock: 'Lock', condition: 'Condition' } as const;

function syncType(region: Region, activity: Activity): string | undefined {
  if (activity === 'communication') return messageType(region);
  return activity === 'synchronisation' ? threadType(region) : undefined;
}

function messageType(region: Region): string {
  switch (communicationType(region)) {
    case 'pointToPoint':
    case 'waiting':
      return 'Message';
    case 'collective':
    case 'barrier':
      return 'Collective';
    case 'other':
      return 'MPI';
  }
}

function threadType({ name, role }: Region): string {
  if (/barrier|^task wait$/.test(role) || name.includes('barrier')) return threadSyncTypes.barrier;
  return /cond_|join|sem_/.test(name) ? threadSyncTypes.condition : threadSyncTypes.lock;
}
