import { childLinks, depths, type ChildLinks } from '../../src/core/profile/tree';
import type { CubeHeader, CubeMetric, CubeRegion, CubeTuple } from '../../src/core/views/cubePieces';
import { foldTemplates } from '../../src/core/names/foldTemplates';
import { visibleControls } from '../../src/core/names/visibleControls';
import { together } from './values/together';

/** A tree whose nodes are numbers; parents come before their children. */
export interface Forest {
  readonly parent: Int32Array;
  readonly depth: Uint32Array;
  /** Children in the order of the file. */
  readonly links: ChildLinks;
}

export function forestOf(parent: Int32Array): Forest {
  return { parent, depth: depths({ count: parent.length, parent }), links: childLinks(parent) };
}

/** Inclusive and exclusive values of the nodes of one tree. */
export interface TreeValues {
  readonly inclusive: Float64Array;
  readonly exclusive: Float64Array;
}

export interface MetricValues extends TreeValues {
  readonly tuple?: CubeTuple;
}

/** The definitions of a profile, complete. */
export interface CubeDefinitions {
  readonly header: CubeHeader;
  readonly callParent: Int32Array;
  readonly region: Uint32Array;
  readonly parameters: ReadonlyMap<number, string>;
  readonly regions: readonly CubeRegion[];
  readonly systemParent: Int32Array;
  /** Position of the node's location; −1: none. */
  readonly systemLocation: Int32Array;
  readonly systemNames: readonly string[];
  readonly systemKinds: readonly string[];
}

/** The data of the three trees, and the names of their nodes. */
export class CubeModel {
  readonly header: CubeHeader;
  readonly calls: Forest;
  readonly system: Forest;
  /** The shown metrics: rows of the metric tree are positions in this list. */
  readonly metrics: readonly (CubeMetric & { readonly position: number })[];
  readonly metricTree: Forest;
  readonly region: Uint32Array;
  readonly regions: readonly CubeRegion[];
  /** Names per region, in full and without template arguments. Invisible characters are escaped. */
  readonly names: readonly string[];
  readonly folded: readonly string[];

  constructor(readonly definitions: CubeDefinitions) {
    this.header = definitions.header;
    this.calls = forestOf(definitions.callParent);
    this.system = forestOf(definitions.systemParent);
    this.region = definitions.region;
    this.regions = definitions.regions;
    this.names = definitions.regions.map(({ name }) => visibleControls(name));
    this.folded = this.names.map(foldTemplates);
    const all = this.header.metrics.map((metric, position) => ({
      ...metric,
      displayName: visibleControls(metric.displayName),
      position,
    }));
    this.metrics = all.filter(({ hidden }) => hidden !== true);
    const rowOf = new Map(this.metrics.map(({ position }, row) => [position, row]));
    this.metricTree = forestOf(
      Int32Array.from(this.metrics, ({ parent }, row) => {
        const above = rowOf.get(parent) ?? -1;
        return above < row ? above : -1;
      }),
    );
  }

  /** The row of the time if the profile has it, else of the first metric with values. */
  get usualMetric(): number {
    const time = this.metrics.findIndex(
      ({ name, expression }) => name === 'time' && expression === undefined,
    );
    return Math.max(
      0,
      time >= 0 ? time : this.metrics.findIndex(({ expression }) => expression === undefined),
    );
  }

  /** Rows of the metrics that are part of this one and are subtracted for its exclusive value. */
  partsOf(metric: number): readonly number[] {
    const parts: number[] = [];
    const whole = this.metrics[metric];
    const { firstChild, nextSibling } = this.metricTree.links;
    for (let child = firstChild[metric] ?? -1; child >= 0; child = nextSibling[child] ?? -1) {
      const part = this.metrics[child];
      if (part?.expression === undefined && part?.combine === 'sum' && whole?.combine === 'sum')
        parts.push(child);
    }
    return parts;
  }

  parameterOf(callPath: number): string {
    return this.definitions.parameters.get(callPath) ?? '';
  }

  /** Converts values per location to values of the system tree. */
  systemValues(values: Float64Array, combine: CubeMetric['combine']): TreeValues {
    const { systemParent, systemLocation } = this.definitions;
    const exclusive = Float64Array.from(systemLocation, (location) =>
      location < 0 ? 0 : (values[location] ?? 0),
    );
    const inclusive = exclusive.slice();
    for (let node = systemParent.length - 1; node > 0; node--) {
      const above = systemParent[node] ?? -1;
      if (above >= 0) inclusive[above] = together(combine, inclusive[above] ?? 0, inclusive[node] ?? 0);
    }
    return { inclusive, exclusive };
  }
}
