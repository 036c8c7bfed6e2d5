import { atByte, atUint } from '../../at';
import { getOrMake } from '../../getOrMake';
import type { RegionPlace } from '../../profile/place';
import { pairFacts } from '../align/classify';
import type { CallTrace } from '../callTrace';
import type {
  ComparedPairFacts,
  ComparisonOverview,
  ComparisonRow,
  ComparisonSettings,
} from '../comparisonPieces';
import { entryName } from '../entryName';
import { frequencyTrace } from '../frequency';
import type { KeyTable } from '../keyTable';
import { oneAfterTheOther } from '../oneAfterTheOther';
import { relativeTrace } from '../relative';
import { comparisonRow } from './comparisonRow';
import { LastUsed } from './lastUsed';
import { ModeRows } from './modeRows';
import { overview } from './overview';
import { lowerBound, shownRows } from './shownRows';

/** What rows are asked for. */
export interface Asked {
  readonly settings: ComparisonSettings;
  /** Position of a view whose rows are shown alone. */
  readonly view?: number;
}

/** Lists of shown rows that are kept: those of the linked views, and of each view alone. */
const mostShown = 5;

/** Two to four views of one table, each of the traces of one or several processes, and what viewers ask of their comparison. A mode is aligned when it is first asked for; settings only classify and filter. */
export class ComparedTraces {
  private readonly modes = new Map<string, ModeRows>();
  private readonly shownLists = new LastUsed<Uint32Array>(mostShown);

  constructor(
    readonly views: readonly (readonly CallTrace[])[],
    private readonly table: KeyTable,
  ) {}

  /** The aligned rows of a mode. */
  mode({ mode, isRelative }: Pick<ComparisonSettings, 'mode' | 'isRelative'>): ModeRows {
    return getOrMake(this.modes, `${mode} ${isRelative}`, () => {
      const { table } = this;
      const views = isRelative
        ? this.views.map((traces) => traces.map((trace) => relativeTrace(trace, table)))
        : this.views;
      return mode === 'chain'
        ? new ModeRows(views.map(oneAfterTheOther), mode)
        : new ModeRows(
            views.map((traces) => frequencyTrace(traces, table)),
            mode,
          );
    });
  }

  /** The number of shown rows. */
  total(asked: Asked): number {
    return this.shown(asked).length;
  }

  /** Shown rows [first, first + count). */
  rows(asked: Asked, first: number, count: number): readonly ComparisonRow[] {
    const rows = this.mode(asked.settings);
    const shown = this.shown(asked);
    return Array.from(shown.subarray(first, first + count), (row) =>
      comparisonRow({ rows, shown, settings: asked.settings, ...viewOf(asked) }, row),
    );
  }

  overview(asked: Asked, pixels: number): ComparisonOverview {
    const rows = this.mode(asked.settings);
    const { traces, merged } = rows;
    const classes = rows.classes(asked.settings).views;
    return overview({ traces, merged, classes, shown: this.shown(asked), ...viewOf(asked) }, pixels);
  }

  /** The next shown row after `row`, or before it, that differs or whose name has the text; undefined: there is none. */
  find(
    asked: Asked,
    {
      row,
      isBackwards,
      text,
    }: { readonly row: number; readonly isBackwards: boolean; readonly text?: string },
  ): number | undefined {
    const rows = this.mode(asked.settings);
    const shown = this.shown(asked);
    const strongest = rows.strongest(asked.settings, asked.view);
    const wanted = text?.toLowerCase() ?? '';
    const isFound = (one: number): boolean =>
      wanted === '' ? atByte(strongest, one) > 0 : entryName(rows.keyOf(one)).toLowerCase().includes(wanted);
    const step = isBackwards ? -1 : 1;
    for (let next = row + step; next >= 0 && next < shown.length; next += step)
      if (isFound(atUint(shown, next))) return next;
    return undefined;
  }

  /** Where the function of a shown row is, or the one that sends a message; undefined: unknown, or there is no such row. */
  place(asked: Asked, row: number): RegionPlace | undefined {
    const rows = this.mode(asked.settings);
    const shown = this.shown(asked)[row];
    if (shown === undefined) return undefined;
    const { depth } = rows.merged;
    let above = shown;
    while (rows.keyOf(above).kind !== 'context') {
      const own = atUint(depth, above);
      do above--;
      while (above >= 0 && atUint(depth, above) >= own);
      if (above < 0) return undefined;
    }
    const key = rows.keyOf(above);
    return key.kind === 'context' ? key.place : undefined;
  }

  /** Counts of the call paths of each pair: those of the frequency mode, whatever the mode. */
  pairs(settings: ComparisonSettings): readonly ComparedPairFacts[] {
    return this.mode({ ...settings, mode: 'frequency' })
      .classes(settings)
      .pairs.map(pairFacts);
  }

  /** The shown row of a row of a view's trace in the mode, or the shown one that is the nearest before it. */
  shownRow(asked: Asked, view: number, own: number): number {
    const row = atUint(this.mode(asked.settings).positions(view), own);
    const shown = this.shown(asked);
    const next = lowerBound(shown, row);
    return shown[next] === row ? next : Math.max(0, next - 1);
  }

  private shown(asked: Asked): Uint32Array {
    const { settings, view } = asked;
    const { mode, isRelative, metric, sensitivity, shows } = settings;
    const filter = { ...shows, hotSpotShare: 0 };
    const classes = filter.onlyDifferent ? [metric, sensitivity] : [];
    return this.shownLists.get(JSON.stringify([mode, isRelative, view, filter, classes]), () => {
      const rows = this.mode(settings);
      const { merged } = rows;
      const strongest = filter.onlyDifferent ? rows.strongest(settings, view) : new Uint8Array(0);
      return shownRows({ merged, keyOf: (row) => rows.keyOf(row), strongest, ...viewOf(asked) }, shows);
    });
  }
}

function viewOf({ view }: Asked): { readonly view?: number } {
  return view === undefined ? {} : { view };
}
