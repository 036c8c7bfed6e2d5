import type { BitSet } from './sets/bitSet';

/** A function calls another one directly, or, as the virtual root (`caller` absent), a function is where a process begins. */
export interface FunctionPair {
  readonly caller?: string;
  readonly callee: string;
}

/** What processes are told apart by: pairs of functions (the default), or functions. */
export type AttributeKind = 'pairs' | 'functions';

/** A thread of execution. */
export interface Process {
  /** The run that it is part of, where several are compared. */
  readonly run?: string;
  readonly name: string;
  readonly rank: number;
  readonly thread: number;
}

/**
 * Processes and the attributes that each has, as a formal context (objects, attributes, incidence). Sets that are equal are there once: `sets`
 * are the attributes of the groups of equal processes, in the order of their first members.
 */
export interface ProcessContext {
  readonly kind: AttributeKind;
  /** By number of the attribute; functions have only a callee. */
  readonly attributes: readonly FunctionPair[];
  readonly processes: readonly Process[];
  readonly sets: readonly BitSet[];
  /** Position in `sets`, by process. */
  readonly groupOf: Int32Array;
}
