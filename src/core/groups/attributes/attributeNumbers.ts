import { getOrMake } from '../../getOrMake';
import { present } from '../../present';
import type { AttributeKind, FunctionPair } from '../context';

/** Dense numbers of attributes, by the names of their functions. */
export class AttributeNumbers {
  readonly attributes: FunctionPair[] = [];
  readonly #byCallee = new Map<string, Map<string | undefined, number>>();

  constructor(readonly kind: AttributeKind) {}

  /** Number of the attribute that a call stands for; without a caller, the function is where a process begins. */
  of(caller: string | undefined, callee: string): number {
    const known = this.kind === 'functions' ? undefined : caller;
    const byCaller = getOrMake(this.#byCallee, callee, () => new Map<string | undefined, number>());
    return getOrMake(
      byCaller,
      known,
      () => this.attributes.push({ ...present({ caller: known }), callee }) - 1,
    );
  }
}
