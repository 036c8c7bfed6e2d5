import { present } from '../../core/present';
import { sourceFile } from '../../core/profile/place';
import type { Region } from '../../core/profile/profile';
import { undefinedRef } from './definitions/globalDefinitions';
import type { Definitions } from './definitions/model';
import { enterKind, eventKind, leaveKind } from './layouts/events';

/** Enter, leave and sample of a sampled or unwound function: the field is a calling context, which has a region. */
const contextEnter = eventKind('CALLING_CONTEXT_ENTER');
const contextLeave = eventKind('CALLING_CONTEXT_LEAVE');
const contextSample = eventKind('CALLING_CONTEXT_SAMPLE');

export type CallKind = 'enter' | 'leave' | 'sample';

const callKinds: readonly (readonly [kind: number, means: CallKind, isContext: boolean])[] = [
  [enterKind, 'enter', false],
  [leaveKind, 'leave', false],
  [contextEnter, 'enter', true],
  [contextLeave, 'leave', true],
  [contextSample, 'sample', true],
];

/** By the record's type. */
const calls = Array.from({ length: 256 }, (_, type) => callKinds.find(([kind]) => kind === type));

/** What an event means for the call stack; undefined: nothing. */
export function callKind(type: number): CallKind | undefined {
  return calls[type]?.[1];
}

/** The functions of a trace by position: those of its regions, in the order of the definitions. */
export class TraceFunctions {
  /** Grows while events refer to regions that are not defined. */
  readonly list: Region[] = [];
  readonly #ofRegion = new Map<number, number>();
  readonly #regionOf = new Map<number, number>();
  readonly #ofUnknown = new Map<string, number>();

  constructor(definitions: Definitions) {
    for (const {
      id,
      name,
      canonicalName,
      file,
      firstLine,
      lastLine,
      role,
      paradigm,
    } of definitions.regions.values()) {
      const region = {
        name,
        role: role.toLowerCase(),
        paradigm: paradigm.toLowerCase(),
        ...present({
          mangledName: canonicalName === '' || canonicalName === name ? undefined : canonicalName,
          firstLine: firstLine === 0 ? undefined : firstLine,
          lastLine: lastLine === 0 || lastLine === undefinedRef ? undefined : lastLine,
        }),
      };
      const place = present({ file: sourceFile({ ...region, ...present({ file }) }) });
      this.#ofRegion.set(id, this.list.push({ ...region, ...place }) - 1);
    }
    for (const { values } of definitions.records('CALLING_CONTEXT'))
      this.#regionOf.set(Number(values.id), Number(values.region));
  }

  /**
   * @param type of an event with a `callKind`
   * @param value its first field
   */
  positionOf(type: number, value: number): number {
    if (calls[type]?.[2] !== true) return this.#ofRegion.get(value) ?? this.#unknown(`region ${value}`);
    const region = this.#regionOf.get(value);
    if (region === undefined) return this.#unknown(`calling context ${value}`);
    return this.#ofRegion.get(region) ?? this.#unknown(`region ${region}`);
  }

  #unknown(name: string): number {
    const known = this.#ofUnknown.get(name);
    if (known !== undefined) return known;
    const position = this.list.push({ name, role: 'unknown', paradigm: 'unknown' }) - 1;
    this.#ofUnknown.set(name, position);
    return position;
  }
}
