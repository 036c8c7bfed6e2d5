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
  /** First member of each group. */
  #first: number[];

  /** @param attributes number of attributes */
  constructor(processes: number, attributes: number) {
    this.#groupOf = new Int32Array(processes);
    this.#sets = processes === 0 ? [] : [emptySet(attributes)];
    this.#first = processes === 0 ? [] : [0];
  }

  /**
   * Processes that have the attribute are then in other groups than those that do not.
   * @param has 1 for processes with the attribute, else 0
   */
  refine(attribute: number, has: Uint8Array): void {
    const usual = Uint8Array.from(this.#first, (process) => atByte(has, process));
    // Most attributes divide no group, and reading is faster than numbering anew.
    if (isUniform(this.#groupOf, has, usual))
      usual.forEach((own, group) => {
        if (own === 1) addMember(at(this.#sets, group), attribute);
      });
    else this.#divide(attribute, has);
  }

  groups(): Groups {
    return { sets: this.#sets, groupOf: this.#groupOf };
  }

  #divide(attribute: number, has: Uint8Array): void {
    const groupOf = this.#groupOf;
    // Of each group before: the group of its members without and with the attribute; -1: none yet.
    const parts = new Int32Array(2 * this.#sets.length).fill(-1);
    const origins: number[] = [];
    this.#first = [];
    for (let process = 0; process < groupOf.length; process++) {
      const part = 2 * atInt(groupOf, process) + atByte(has, process);
      let group = atInt(parts, part);
      if (group < 0) {
        group = origins.push(part) - 1;
        this.#first.push(process);
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

/**
 * Whether processes have the attribute exactly where their group's element of `usual` is 1: the loop that grouping a million processes consists of. Four at
 * a time take two thirds of the time.
 */
function isUniform(groupOf: Int32Array, has: Uint8Array, usual: Uint8Array): boolean {
  const differs = (process: number): number => atByte(has, process) ^ atByte(usual, atInt(groupOf, process));
  const whole = groupOf.length - (groupOf.length % 4);
  for (let first = 0; first < whole; first += 4)
    if ((differs(first) | differs(first + 1) | differs(first + 2) | differs(first + 3)) !== 0) return false;
  for (let process = whole; process < groupOf.length; process++) if (differs(process) !== 0) return false;
  return true;
}

/** Of each group, its first process. */
export function firstMembers(groupOf: Int32Array, count: number): readonly number[] {
  const first = new Array<number>(count).fill(-1);
  groupOf.forEach((group, process) => {
    if (at(first, group) < 0) first[group] = process;
  });
  return first;
}
