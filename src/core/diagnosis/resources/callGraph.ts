import { getOrMake } from '../../getOrMake';
import type { ResourcePath } from './focus';
import { printResource } from './focusText';

/** The calls of a program: those known when it starts, and calls through pointers and to libraries, which are found while it runs. */
export class CallGraph {
  private readonly found = new Map<string, Map<string, ResourcePath>>();

  constructor(
    private readonly known: {
      readonly entries: readonly ResourcePath[];
      readonly callees: (of: ResourcePath) => readonly ResourcePath[];
    },
  ) {}

  /** The functions that a function calls; those at which the program enters, of the root of `Code`. */
  callees(of: ResourcePath): readonly ResourcePath[] {
    const before = of.length === 0 ? this.known.entries : this.known.callees(of);
    const later = this.found.get(printResource('Code', of));
    return later === undefined ? before : [...before, ...later.values()];
  }

  /** @returns whether the call was not known */
  add(caller: ResourcePath, callee: ResourcePath): boolean {
    const key = printResource('Code', callee);
    if (this.callees(caller).some((known) => printResource('Code', known) === key)) return false;
    getOrMake(this.found, printResource('Code', caller), () => new Map<string, ResourcePath>()).set(
      key,
      callee,
    );
    return true;
  }
}
