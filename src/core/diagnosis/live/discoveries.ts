import { getOrMake } from '../../getOrMake';
import type { Discovery } from '../strategies/messages';
import type { ResourcePath, ResourceTree } from '../resources/focus';
import type { CodeTree } from './codeTree';
import type { LiveWindow } from './liveWindow';

/** What windows show that was not known before: processes, threads, synchronisation objects, and calls that the call graph does not explain. */
export class Discoveries {
  private readonly names = new Map<string, Set<string>>();
  private readonly calls = new Set<string>();

  /** @param machine what the search knows of it from the start */
  constructor(
    private readonly code: CodeTree,
    machine: ReadonlyMap<string, readonly string[]>,
  ) {
    for (const [of, names] of machine) this.names.set(`Machine\0${of}`, new Set(names));
  }

  in({ values, isRecorded }: LiveWindow): readonly Discovery[] {
    const { resources, context } = values;
    const keys = resources.code.paths.map((path, region) =>
      path === undefined ? undefined : context.keys[region],
    );
    return [
      ...this.resourcesIn('Machine', resources.machine.children),
      ...this.resourcesIn('SyncObject', resources.syncChildren),
      ...resources.code.callees.flatMap((callees, region) =>
        callees.flatMap((callee) => this.call(keys[region], keys[callee], isRecorded)),
      ),
    ];
  }

  private resourcesIn(
    tree: Exclude<ResourceTree, 'Code'>,
    children: ReadonlyMap<string, readonly string[]>,
  ): readonly Discovery[] {
    // Parents have shorter keys than what is below them.
    const sorted = [...children].sort(([a], [b]) => a.length - b.length);
    return sorted.flatMap(([of, names]) => {
      const known = getOrMake(this.names, `${tree}\0${of}`, () => new Set<string>());
      const parent: ResourcePath = of === '' ? [] : of.split('\0');
      return names.flatMap((name): readonly Discovery[] => {
        if (known.has(name)) return [];
        known.add(name);
        return [{ type: 'resource', tree, parent, name }];
      });
    });
  }

  /** Profiles show calls through functions that are not recorded, too, and those that end a function (tail calls) below its caller. */
  private call(
    from: string | undefined,
    to: string | undefined,
    isRecorded: LiveWindow['isRecorded'],
  ): readonly Discovery[] {
    if (from === undefined || to === undefined || this.calls.has(`${from}\0${to}`)) return [];
    const [caller, callee] = [this.code.names.pathOf(from), this.code.names.pathOf(to)];
    if (caller === undefined || callee === undefined || this.code.explains(from, to, isRecorded)) return [];
    this.calls.add(`${from}\0${to}`);
    return [{ type: 'call', caller, callee }];
  }
}
