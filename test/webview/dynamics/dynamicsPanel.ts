import { expect } from 'vitest';
import type { AnalysisPieces } from '../../../src/core/views/analysisPieces';
import type { PropertyRow } from '../../../src/core/views/dynamicsPieces';
import type { DynamicsEvents, DynamicsRequests, DynamicsShown } from '../../../src/protocol/dynamics';
import { useViews } from '../lib/useViews';
import type { View } from '../lib/view';
import { answersOf, type Asked, cxPieces, done, type Served, teraTfPieces } from './analyses';

/** The analyses of two published runs. */
export const tera = teraTfPieces();
export const cx = cxPieces();

/** What a test opens the panel with, and how it looks into it. */
export interface DynamicsPanel {
  /** As opened last. */
  readonly view: View<DynamicsRequests, DynamicsEvents>;
  /** What the view has asked since it was opened; tests may empty it. */
  readonly asked: Asked[];
  /** What the extension answers with; tests change it. */
  readonly served: Served;
  /** Of `tera`, if nothing else is said. */
  readonly open: (options?: OpenOptions) => Promise<void>;
  readonly ready: () => Promise<void>;
  /** What is asked for is drawn in the next frames. */
  readonly frame: () => Promise<void>;
  readonly untilAsked: (name: keyof DynamicsRequests) => Promise<unknown>;
  /** What screen readers were told last. */
  readonly announced: () => Promise<string>;
}

interface OpenOptions {
  readonly pieces?: AnalysisPieces;
  readonly properties?: readonly PropertyRow[];
  readonly shown?: DynamicsShown;
  readonly state?: unknown;
  readonly size?: { readonly width: number; readonly height: number };
  readonly reducedMotion?: boolean;
}

/** The panel of a file of tests. */
export function useDynamicsPanel(): DynamicsPanel {
  const views = useViews();
  let view: View<DynamicsRequests, DynamicsEvents>;
  let served: Served;
  let asked: Asked[] = [];

  const open = async ({ pieces = tera, properties, shown, ...rest }: OpenOptions = {}): Promise<void> => {
    served = {
      pieces,
      shown: shown ?? done(pieces, properties),
      ...(properties === undefined ? {} : { properties }),
    };
    asked = [];
    view = await views.open<DynamicsRequests, DynamicsEvents>({
      entry: 'webview/dynamics/main.ts',
      answers: answersOf(served, asked),
      size: { width: 1200, height: 800 },
      ...rest,
    });
  };
  const frame = (): Promise<void> =>
    view.page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
    );
  return {
    get view() {
      return view;
    },
    get asked() {
      return asked;
    },
    get served() {
      return served;
    },
    open,
    ready: async () => {
      await view.page.locator('.series-title').filter({ hasText: 'rank' }).waitFor();
      await frame();
    },
    frame,
    untilAsked: async (name) => {
      await expect.poll(() => asked.some(([one]) => one === name)).toBe(true);
      return asked.find(([one]) => one === name)?.[1];
    },
    announced: () => view.page.locator('[role=status][aria-live]').innerText(),
  };
}
