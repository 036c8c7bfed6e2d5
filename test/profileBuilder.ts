import { atUint } from '../src/core/at';
import { KymoError } from '../src/core/errors';
import type {
  CallPaths,
  Location,
  Metric,
  Parameter,
  Profile,
  Region,
  SystemNode,
} from '../src/core/profile/profile';
import { preOrder } from '../src/core/profile/tree';

/**
 * Collects a profile in any order and numbers its call paths in pre-order. The numbers that the methods return are handles
 * for this builder; metrics, regions, system nodes and locations keep them as positions in the profile, call paths do not.
 */
export class ProfileBuilder {
  private readonly attributes = new Map<string, string>();
  private readonly metrics: Metric[] = [];
  private readonly regions: Region[] = [];
  private readonly parents: number[] = [];
  private readonly regionOf: number[] = [];
  private readonly parameters = new Map<number, readonly Parameter[]>();
  private readonly system: SystemNode[] = [];
  private readonly locations: Location[] = [];
  private readonly values = new Map<string, ValueList>();

  attribute(key: string, value: string): this {
    this.attributes.set(key, value);
    return this;
  }

  /** Adds a metric; names are unique (`invalid-profile` otherwise). */
  metric(metric: Metric): this {
    if (this.values.has(metric.name))
      throw new KymoError('invalid-profile', `The metric “${metric.name}” was added twice.`);
    this.metrics.push(metric);
    this.values.set(metric.name, { callPaths: [], locations: [], values: [] });
    return this;
  }

  region(region: Region): number {
    return this.regions.push(region) - 1;
  }

  /** Adds a call path below `parent` (a handle; undefined: a root). Children of the same parent keep their order. */
  callPath(parent: number | undefined, region: number, parameters: readonly Parameter[] = []): number {
    if (parent !== undefined) this.check('call path', parent, this.parents.length);
    this.check('region', region, this.regions.length);
    this.parents.push(parent ?? -1);
    const handle = this.regionOf.push(region) - 1;
    if (parameters.length > 0) this.parameters.set(handle, parameters);
    return handle;
  }

  /** Adds a machine, node, … or, with a rank, a process. */
  systemNode(node: SystemNode): number {
    if (node.parent !== undefined) this.check('system node', node.parent, this.system.length);
    return this.system.push(node) - 1;
  }

  /** Adds a location; its process must have a rank. */
  location(location: Location): number {
    this.check('system node', location.process, this.system.length);
    return this.locations.push(location) - 1;
  }

  /** Sets what is stored (see `Metric.stored`); cells that are never set are 0, cells set twice keep the last value. */
  set(metric: string, callPath: number, location: number, value: number): this {
    const list = this.values.get(metric);
    if (list === undefined)
      throw new KymoError(
        'invalid-profile',
        `A value was given for “${metric}” before that metric was added.`,
      );
    this.check('call path', callPath, this.parents.length);
    this.check('location', location, this.locations.length);
    list.callPaths.push(callPath);
    list.locations.push(location);
    list.values.push(value);
    return this;
  }

  /** The profile. The builder can be used on; the profile does not change with it. */
  build(): Profile {
    const order = preOrder(this.parents);
    const position = new Uint32Array(order.length);
    order.forEach((handle, at) => {
      position[handle] = at;
    });
    return {
      attributes: new Map(this.attributes),
      metrics: [...this.metrics],
      regions: [...this.regions],
      callPaths: this.callPaths(order, position),
      system: [...this.system],
      locations: [...this.locations],
      stored: this.columns(position),
    };
  }

  private callPaths(order: Uint32Array, position: Uint32Array): CallPaths {
    const parameters = [...this.parameters].map(
      ([handle, list]) => [atUint(position, handle), list] as const,
    );
    return {
      count: order.length,
      parent: Int32Array.from(order, (handle) => {
        const parent = this.parents[handle] ?? -1;
        return parent < 0 ? -1 : atUint(position, parent);
      }),
      region: Uint32Array.from(order, (handle) => this.regionOf[handle] ?? 0),
      fileId: Uint32Array.from(order, (_, at) => at),
      ...(parameters.length === 0 ? {} : { parameters: new Map(parameters.sort(([a], [b]) => a - b)) }),
    };
  }

  private columns(position: Uint32Array): Map<string, Float64Array> {
    const width = this.locations.length;
    const result = new Map<string, Float64Array>();
    for (const [metric, list] of this.values) {
      const column = new Float64Array(position.length * width);
      list.values.forEach((value, i) => {
        column[atUint(position, list.callPaths[i] ?? 0) * width + (list.locations[i] ?? 0)] = value;
      });
      if (column.some((value) => value !== 0)) result.set(metric, column);
    }
    return result;
  }

  private check(what: string, handle: number, count: number): void {
    if (!Number.isInteger(handle) || handle < 0 || handle >= count)
      throw new KymoError('invalid-profile', `There is no ${what} ${handle}; ${count} were added so far.`);
  }
}

interface ValueList {
  readonly callPaths: number[];
  readonly locations: number[];
  readonly values: number[];
}
