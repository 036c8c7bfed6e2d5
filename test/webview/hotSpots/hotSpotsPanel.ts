import { expect } from 'vitest';
import type { Locator } from 'playwright-core';
import type {
  HotSpotsEvents,
  HotSpotsOpened,
  HotSpotsRequests,
  Reveal,
} from '../../../src/protocol/hotSpots';
import { useViews } from '../lib/useViews';
import type { View } from '../lib/view';
import { answersOf, small, type Asked, type TestProfile } from './profiles';

type Page = View<HotSpotsRequests, HotSpotsEvents>;

/** What a test opens the panel with, and how it looks into it. */
export interface HotSpotsPanel {
  /** As opened last. */
  readonly view: Page;
  /** What the view has asked since it was opened. */
  readonly asked: readonly Asked[];
  readonly extension: ReturnType<typeof answersOf>;
  readonly open: (profile?: () => TestProfile, options?: OpenOptions) => Promise<Page>;
  readonly rows: () => Locator;
  readonly row: (text: string) => Locator;
  readonly selected: () => Locator;
  readonly flat: () => Promise<void>;
  readonly ready: () => Promise<void>;
  readonly untilAsked: (name: keyof HotSpotsRequests) => Promise<unknown>;
  readonly search: (text: string) => Promise<void>;
  readonly outcome: () => Promise<string>;
}

interface OpenOptions {
  readonly state?: unknown;
  readonly size?: { width: number; height: number };
  readonly others?: readonly TestProfile[];
  readonly reveal?: Reveal;
  /** What the extension says besides. */
  readonly opened?: Partial<HotSpotsOpened>;
}

/** The panel of a file of tests: a browser for all of them, and after each that nothing went wrong behind the scenes. */
export function useHotSpotsPanel(): HotSpotsPanel {
  const views = useViews();
  let view: Page;
  let asked: Asked[] = [];
  let extension: ReturnType<typeof answersOf>;

  const open = async (
    profile: () => TestProfile = () => small(),
    { others, reveal, opened, ...rest }: OpenOptions = {},
  ): Promise<Page> => {
    asked = [];
    extension = answersOf(
      profile,
      asked,
      others,
      () => ({ ...(reveal === undefined ? {} : { reveal }), ...opened }),
      (name, value) => view.tell(name, value),
    );
    view = await views.open<HotSpotsRequests, HotSpotsEvents>({
      entry: 'webview/hotSpots/main.ts',
      answers: extension.answers,
      ...rest,
    });
    return view;
  };
  const rows = (): Locator => view.page.locator('.grid-row:visible');
  return {
    get view() {
      return view;
    },
    get asked() {
      return asked;
    },
    get extension() {
      return extension;
    },
    open,
    rows,
    row: (text) => rows().filter({ hasText: text }).first(),
    selected: () => view.page.locator('.grid-row.selected:visible'),
    flat: () => view.page.getByRole('tab', { name: 'Functions' }).click(),
    ready: () => rows().first().waitFor(),
    untilAsked: async (name) => {
      await expect.poll(() => asked.some((one) => one.name === name)).toBe(true);
      return asked.findLast((one) => one.name === name)?.parameters;
    },
    search: async (text) => {
      await view.page.keyboard.press('Control+f');
      await view.page.keyboard.type(text);
    },
    outcome: () => view.page.locator('.search-count').innerText(),
  };
}
