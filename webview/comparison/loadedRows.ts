import { maximumComparisonPixels } from '../../src/protocol/comparison';
import { Newest } from '../ui/page/shell';
import type { Target } from './options';
import { RowSource, type Asked, type ComparisonChannel } from './rowSource';
import type { ViewsArea } from './views/viewsArea';

/** The rows and strips of the linked views, and of each view that is not linked: fetched when options change, shown when they are there. */
export class LoadedRows {
  private readonly sources = new Map<Target, RowSource>();
  private readonly loading = new Map<Target, Newest>();
  private readonly overviews = new Map<Target, Newest>();

  /** @param asked what is asked for a target; undefined: nothing is shown */
  constructor(
    private readonly channel: ComparisonChannel,
    private readonly views: ViewsArea,
    private readonly asked: (target: Target) => Asked | undefined,
    private readonly onError: (error: unknown) => void,
  ) {}

  get targets(): readonly Target[] {
    return [...this.sources.keys()];
  }

  source(target: Target): RowSource | undefined {
    return this.sources.get(target);
  }

  /**
   * Fetches the rows with the options of a target. The previous ones stay until they are there.
   * @param place where rows that were not shown before begin: the first one, and the selected one
   */
  async load(
    target: Target,
    place: { readonly top?: number | undefined; readonly row?: number | undefined } = {},
  ): Promise<void> {
    const asked = this.asked(target);
    if (asked === undefined) return;
    const signal = newestOf(this.loading, target).next();
    const before = this.sources.get(target);
    const source: RowSource = new RowSource(
      this.channel,
      asked,
      () => {
        if (this.sources.get(target) === source) this.views.refresh(target);
      },
      this.onError,
    );
    signal.addEventListener('abort', () => {
      if (this.sources.get(target) !== source) source.dispose();
    });
    const { top = 0, row } = place;
    try {
      await source.begin(before === undefined ? top : (this.views.selected(target) ?? 0));
    } catch (error) {
      this.onError(error);
      return;
    }
    if (signal.aborted) return;
    before?.dispose();
    this.sources.set(target, source);
    this.views.setSource(target, source);
    if (before === undefined && top > 0) this.views.scrollTo(target, top);
    if (row !== undefined && row < source.total) this.views.select(target, row);
    void this.loadOverview(target);
  }

  /** Shows the rows of a target again, whose views are others now. */
  showAgain(target: Target): void {
    const source = this.sources.get(target);
    if (source === undefined) return;
    this.views.setSource(target, source);
    void this.loadOverview(target);
  }

  async loadOverview(target: Target): Promise<void> {
    const asked = this.asked(target);
    const pixels = Math.min(maximumComparisonPixels, this.views.pixels(target));
    if (asked === undefined || pixels === 0) return;
    const signal = newestOf(this.overviews, target).next();
    try {
      const overview = await this.channel.request('overview', { ...asked, pixels }, { signal });
      if (!signal.aborted) this.views.setOverview(target, overview);
    } catch (error) {
      this.onError(error);
    }
  }

  /** Ends what is asked for a target that is no longer there. */
  drop(target: Target): void {
    this.sources.get(target)?.dispose();
    this.loading.get(target)?.cancel();
    this.overviews.get(target)?.cancel();
    this.sources.delete(target);
  }

  dropAll(): void {
    for (const target of new Set([...this.sources.keys(), ...this.loading.keys()])) this.drop(target);
  }
}

function newestOf(all: Map<Target, Newest>, target: Target): Newest {
  const newest = all.get(target) ?? new Newest();
  all.set(target, newest);
  return newest;
}
