import { at, atByte, atInt } from '../../at';
import { addMember, emptySet, type BitSet } from './bitSet';

/** Groups of processes with equal sets, and the set of each group. */
export interface Groups {
  /** In the order of the groups' first members. */
  readonly sets: readonly BitSet[];
  /** Position in `sets`, by process. */
  readonly groupOf: Int32Array;
}

/**
 * Groups of processes that become known attribute by attribute, so that nobody need hold the sets of all: four bytes for each process, and one set
 * for each group.
 */
export class GroupRefiner {
  readonly #groupOf: Int32Array;
  #sets: BitSet[];

  /** @param attributes number of attributes */
  constructor(processes: number, attributes: number) {
    this.#groupOf = new Int32Array(processes);
    this.#sets = processes === 0 ? [] : [emptySet(attributes)];
  }

  /**
   * Processes that have the attribute are then in other groups than those that do not.
   * @param has 1 for processes with the attribute, else 0
   */
  refine(attribute: number, has: Uint8Array): void {
    const states = new Uint8Array(this.#sets.length);
    // Most attributes divide no group, and reading is faster than numbering anew.
    if (this.#isUniform(has, states)) {
      states.forEach((state, group) => {
        if (state === 2) addMember(at(this.#sets, group), attribute);
      });
    } else this.#divide(attribute, has);
  }

  groups(): Groups {
    return { sets: this.#sets, groupOf: this.#groupOf };
  }

  /** @param states result, by group: 1 if no member has the attribute, 2 if all have it */
  #isUniform(has: Uint8Array, states: Uint8Array): boolean {
    const groupOf = this.#groupOf;
    for (let process = 0; process < groupOf.length; process++) {
      const group = atInt(groupOf, process);
      const own = 1 + atByte(has, process);
      const state = atByte(states, group);
      if (state === 0) states[group] = own;
      else if (state !== own) return false;
    }
    return true;
  }

  #divide(attribute: number, has: Uint8Array): void {
    const groupOf = this.#groupOf;
    // Of each group before: the group of its members without and with the attribute; -1: none yet.
    const parts = new Int32Array(2 * this.#sets.length).fill(-1);
    const origins: number[] = [];
    for (let process = 0; process < groupOf.length; process++) {
      const part = 2 * atInt(groupOf, process) + atByte(has, process);
      let group = atInt(parts, part);
      if (group < 0) {
        group = origins.push(part) - 1;
        parts[part] = group;
      }
      groupOf[process] = group;
    }
    this.#sets = origins.map((part) => {
      const set = at(this.#sets, part >> 1).slice();
      if ((part & 1) === 1) addMember(set, attribute);
      return set;
    });
  }
}

/** Of each group, its first process. */
export function firstMembers(groupOf: Int32Array, count: number): readonly number[] {
  const first = new Array<number>(count).fill(-1);
  groupOf.forEach((group, process) => {
    if (at(first, group) < 0) first[group] = process;
  });
  return first;
}
