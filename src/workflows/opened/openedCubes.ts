import { KymoError } from '../../core/errors';
import type { Metric } from '../../core/profile/profile';
import { exclusive, inclusive } from '../../core/profile/values';
import type { CubeTuple } from '../../core/views/cubePieces';
import type { CubeFile } from '../../formats/cube4/cubeFile';
import { CubeValues } from '../../formats/cube4/cubeValues';
import { openExpanded } from '../../formats/cube4/read';
import { openProfileFile, type ProfileFile } from '../../measurement/experiments/profileFile';
import { profileIdentity } from './recentResults';
import { isTuple, tupleColumns } from './tupleColumns';

/** One value per call path, combined over locations. */
export interface MetricColumns {
  readonly inclusive: Float64Array;
  readonly exclusive: Float64Array;
  readonly tuple?: CubeTuple;
}

/** Maximum number of open files, enough for the editors that a user switches between. */
const mostOpened = 4;
/** Maximum number of cached metric columns per file. */
const mostColumns = 24;

const opened = new Map<string, OpenedCube>();

/** A file with its definitions in memory; values are read on request. */
export class OpenedCube {
  readonly cube: CubeFile;
  readonly values: CubeValues;
  private readonly columns = new Map<number, MetricColumns>();
  private users = 0;
  private isForgotten = false;

  constructor(
    readonly file: string,
    private readonly opened: ProfileFile,
  ) {
    this.cube = openExpanded(opened.source, file);
    this.values = new CubeValues(this.cube);
  }

  get id(): string {
    return this.opened.identity;
  }

  /** Computed once. @throws KymoError */
  columnsOf(position: number): MetricColumns {
    const made = this.columns.get(position) ?? this.compute(this.metric(position));
    this.columns.delete(position);
    this.columns.set(position, made);
    for (const oldest of this.columns.keys()) {
      if (this.columns.size <= mostColumns) break;
      this.columns.delete(oldest);
    }
    return made;
  }

  /** @throws KymoError `no-such-metric`, `derived-metric` */
  metric(position: number): Metric {
    const metric = this.cube.definitions.metrics[position];
    const { file } = this;
    if (metric === undefined)
      throw new KymoError('no-such-metric', `${file} has no such metric. Open it again.`, { file });
    if (metric.stored === 'derived')
      throw new KymoError(
        'derived-metric',
        `“${metric.displayName}” stores no values: an expression derives them, which Kymo does not evaluate.`,
        { file },
      );
    if (metric.unsupported === true)
      throw new KymoError('unsupported-metric', `“${metric.displayName}”: ${metric.note ?? ''}`, { file });
    return metric;
  }

  private compute({ name, dtype }: Metric): MetricColumns {
    const combined = this.values.combined([name]);
    return {
      inclusive: inclusive(combined, name),
      exclusive: exclusive(combined, name),
      ...(isTuple(dtype) ? { tuple: tupleColumns(this.cube, name) } : {}),
    };
  }

  /** Runs `work` on the file, which remains open during that. */
  async use<Result>(work: (cube: OpenedCube) => Promise<Result> | Result): Promise<Result> {
    this.users++;
    try {
      return await work(this);
    } finally {
      this.users--;
      this.closeUnused();
    }
  }

  /** Closes the file when the last reader has finished. */
  forget(): void {
    this.isForgotten = true;
    this.closeUnused();
  }

  private closeUnused(): void {
    if (this.isForgotten && this.users === 0) this.opened.close();
  }
}

/**
 * Runs `work` on the profile in a file, which is opened once while it does not change.
 * @param id id of the expected content; any other content is an error (`profile-changed`)
 * @throws KymoError `profile-missing`, `profile-changed`, and the errors of opening and reading a Cube file
 */
export async function withCube<Result>(
  file: string,
  id: string | undefined,
  work: (cube: OpenedCube) => Promise<Result> | Result,
): Promise<Result> {
  const now = await profileIdentity(file);
  if (id !== undefined && id !== now)
    throw new KymoError('profile-changed', `${file} has changed since it was opened. Reload it.`, { file });
  const cached = opened.get(file);
  if (cached?.id === now) {
    // The map is ordered by last use, so the file moves to its end.
    opened.delete(file);
    opened.set(file, cached);
    return cached.use(work);
  }
  cached?.forget();
  opened.delete(file);
  const fresh = open(file);
  opened.set(file, fresh);
  for (const [oldest, cube] of opened) {
    if (opened.size <= mostOpened) break;
    opened.delete(oldest);
    cube.forget();
  }
  return fresh.use(work);
}

function open(file: string): OpenedCube {
  const source = openProfileFile(file);
  try {
    return new OpenedCube(file, source);
  } catch (error) {
    source.close();
    throw error;
  }
}
