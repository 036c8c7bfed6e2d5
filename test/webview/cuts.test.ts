import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import { writeCube } from '../../src/formats/cube4/write';
import type { RequestShape } from '../../src/protocol/channel';
import type { CubeEvents, CubeRequests } from '../../src/protocol/cube';
import type { DynamicsEvents, DynamicsRequests } from '../../src/protocol/dynamics';
import type { HotSpotsEvents, HotSpotsRequests } from '../../src/protocol/hotSpots';
import type { ModelsEvents, ModelsRequests } from '../../src/protocol/models';
import type { ComparisonEvents, ComparisonRequests } from '../../src/protocol/comparison';
import type { DiagnosisEvents, DiagnosisRequests } from '../../src/protocol/diagnosis';
import type { RefinementEvents, RefinementRequests } from '../../src/protocol/refinement';
import type { ScorepFlagsEvents, ScorepFlagsRequests } from '../../src/protocol/scorepFlags';
import type { TimelineEvents, TimelineRequests } from '../../src/protocol/timeline';
import * as comparisons from './comparison/served';
import * as cubes from './cube/cubes';
import * as diagnosis from './diagnosis/panel';
import { large } from './diagnosis/searches';
import * as analyses from './dynamics/analyses';
import * as profiles from './hotSpots/profiles';
import { cutsIn } from './lib/cuts';
import { themeNames } from './lib/themes';
import { useViews } from './lib/useViews';
import type { View } from './lib/view';
import * as models from './models/served';
import * as studies from './refinement/study';
import * as flags from './scorepFlags/shown';
import * as traces from './timeline/traces';

const folder = mkdtempSync(path.join(tmpdir(), 'kymo-cuts-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const views = useViews();
const sizes = [
  { width: 1280, height: 800 },
  { width: 760, height: 800 },
] as const;

/** Pages of a view, by their names, with what a person does to see them. */
type Steps = Readonly<Record<string, (page: Page) => Promise<void>>>;

const nothing = (): Promise<void> => Promise.resolve();
const tab =
  (name: string) =>
  async (page: Page): Promise<void> => {
    await page.getByRole('tab', { name, exact: true }).first().click();
  };
/** Splitters and charts follow a new size in the next frames, some after a moment. */
const settle = (page: Page): Promise<void> => page.waitForTimeout(250);

/** Each page of a view in both sizes and all themes: nothing is cut. */
async function nothingCut(
  { page, setTheme, screenshot }: Pick<View<object, object>, 'page' | 'setTheme' | 'screenshot'>,
  name: string,
  steps: Steps,
): Promise<void> {
  const all: string[] = [];
  for (const [step, go] of Object.entries(steps)) {
    await page.setViewportSize(sizes[0]);
    await go(page);
    await settle(page);
    for (const size of sizes) {
      await page.setViewportSize(size);
      await settle(page);
      for (const theme of themeNames) {
        await setTheme(theme);
        const cuts = await cutsIn(page);
        for (const { text, kind, by, place } of cuts)
          all.push(`${name}, ${step}, ${size.width} px, ${theme}: ${kind} “${text}” by ${by} px in ${place}`);
        if (theme === 'light') await screenshot(`cuts-${name}-${step}-${size.width}`);
      }
    }
  }
  expect(all).toEqual([]);
}

const bound = <Requests extends RequestShape<Requests>, Events>(view: View<Requests, Events>) => ({
  page: view.page,
  setTheme: view.setTheme.bind(view),
  screenshot: view.screenshot.bind(view),
});

/** Long runs: values as wide as they become, beside short ones. */
function longRuns(profile: profiles.TestProfile): profiles.TestProfile {
  const scaled = (columns: readonly Float64Array[]): Float64Array[] =>
    columns.map((column, metric) => column.map((value) => value * (metric === 1 ? 2862 : 12_345)));
  return {
    ...profile,
    header: { ...profile.header, runSeconds: 2862 * 2 },
    inclusive: scaled(profile.inclusive),
    exclusive: scaled(profile.exclusive),
  };
}

async function hotSpots(
  profile: profiles.TestProfile,
  others: readonly profiles.TestProfile[] = [],
): Promise<View<HotSpotsRequests, HotSpotsEvents>> {
  const { answers } = profiles.answersOf(
    () => profile,
    [],
    others,
    () => ({}),
    (name, value) => view.tell(name, value),
  );
  const view = await views.open<HotSpotsRequests, HotSpotsEvents>({
    entry: 'webview/hotSpots/main.ts',
    answers,
    recordsPictures: true,
  });
  await view.page.locator('.grid-row:visible').first().waitFor();
  return view;
}

describe('no value is cut, at 1280 × 800 and 760 px, in four themes', () => {
  it('hot spots of one process', async () => {
    const view = await hotSpots(longRuns(profiles.waiting(profiles.small())), [
      profiles.small('before', 0.5),
    ]);
    await nothingCut(bound(view), 'hotSpots', {
      opened: nothing,
      tree: async (page) => {
        await tab('Call Tree')(page);
        await page.getByRole('button', { name: 'Expand All' }).click();
      },
      functions: tab('Functions'),
      flame: async (page) => {
        await tab('Flame Graph')(page);
        await page.locator('.flame-canvas').press('ArrowDown');
        await page.locator('.flame-tip:visible').waitFor();
      },
    });
  });

  it('hot spots compared with another run', async () => {
    const view = await hotSpots(longRuns(profiles.small()), [longRuns(profiles.small('before', 0.5))]);
    await nothingCut(bound(view), 'hotSpotsCompared', {
      tree: async (page) => {
        await tab('Call Tree')(page);
        await page.locator('vscode-dropdown[aria-label="Compare with"]').focus();
        await page.keyboard.press('ArrowDown');
        await page.getByRole('tab', { name: 'Changes' }).waitFor();
      },
      functions: tab('Functions'),
      flame: tab('Flame Graph'),
      changes: tab('Changes'),
    });
  });

  it('hot spots of several processes', async () => {
    const many = profiles.onRanks(
      profiles.inGroups(
        profiles.parallel(longRuns(profiles.small())),
        64,
        [Array.from({ length: 62 }, (_, at) => at + 1), [0, 63]],
        (place, process) => (1 + (process % 5) / 4) / (place + 1),
      ),
      64,
      true,
    );
    const view = await hotSpots(many);
    await nothingCut(bound(view), 'hotSpotsRanks', {
      efficiency: async (page) => {
        await page.locator('.efficiency summary').click();
      },
      tree: async (page) => {
        await page.locator('.efficiency summary').click();
        await tab('Call Tree')(page);
      },
      functions: tab('Functions'),
      groups: tab('Groups'),
      ranks: tab('Ranks'),
      communication: tab('Communication'),
    });
  });

  it('Cube profiles', async () => {
    const file = path.join(folder, 'profile.cubex');
    writeFileSync(file, writeCube(cubes.topologyProfile()));
    const view = await views.open<CubeRequests, CubeEvents>({
      entry: 'webview/cube/main.ts',
      answers: cubes.answersOf(() => file, []),
      recordsPictures: true,
    });
    const of = (name: string, page: Page) => page.getByRole('region', { name, exact: true });
    await view.page.getByLabel('System tree', { exact: true }).locator('.grid-row:visible').first().waitFor();
    await nothingCut(bound(view), 'cube', {
      opened: nothing,
      expanded: async (page) => {
        for (const name of ['Metrics', 'Call Paths', 'System']) {
          await of(name, page)
            .getByRole('button', { name: `More Actions of ${name}` })
            .click();
          await page.getByRole('menuitem', { name: 'Expand All', exact: true }).click();
        }
      },
      flat: async (page) => {
        await of('Call Paths', page).getByRole('tab', { name: 'Flat' }).click();
        await of('System', page).getByRole('tab', { name: 'Statistics' }).click();
        await page
          .getByLabel('Flat profile', { exact: true })
          .locator('.grid-row', { hasText: 'kernel' })
          .click();
        await page.locator('.box-plot').waitFor();
      },
      topology: async (page) => {
        await of('System', page).getByRole('tab', { name: 'Topology' }).click();
        await page.locator('.topology-canvas').waitFor();
      },
      flame: async (page) => {
        await of('Call Paths', page).getByRole('tab', { name: 'Flame Graph' }).click();
      },
    });
  });

  it('dynamics', async () => {
    const pieces = analyses.teraTfPieces();
    const view = await views.open<DynamicsRequests, DynamicsEvents>({
      entry: 'webview/dynamics/main.ts',
      answers: analyses.answersOf({ pieces, shown: analyses.done(pieces) }, []),
      size: sizes[0],
      recordsPictures: true,
    });
    await view.page.locator('.series-title').filter({ hasText: 'rank' }).waitFor();
    const names = await view.page.getByRole('tab').allInnerTexts();
    await nothingCut(
      bound(view),
      'dynamics',
      Object.fromEntries([['opened', nothing], ...names.map((name) => [name, tab(name)])]) as Steps,
    );
  });

  it('refinement', async () => {
    const shown = studies.complete();
    const view = await views.open<RefinementRequests, RefinementEvents>({
      entry: 'webview/refinement/main.ts',
      answers: studies.answersOf(() => shown, []),
      recordsPictures: true,
    });
    await view.page.locator('.grid-row:visible').first().waitFor();
    const names = await view.page.getByRole('tab').allInnerTexts();
    await nothingCut(
      bound(view),
      'refinement',
      Object.fromEntries([['opened', nothing], ...names.map((name) => [name, tab(name)])]) as Steps,
    );
  });

  it.each([
    ['one parameter', models.oneParameter],
    ['two parameters', models.twoParameters],
    ['compared', models.comparedModels],
  ] as const)('models of %s', async (name, make) => {
    const served = { models: make(), shown: models.done(make()) };
    const view = await views.open<ModelsRequests, ModelsEvents>({
      entry: 'webview/models/main.ts',
      answers: models.answersOf(served, []),
      size: sizes[0],
      recordsPictures: true,
    });
    await view.page.locator('.model-facts').filter({ hasText: 'SMAPE' }).waitFor();
    const names = await view.page.getByRole('tab').allInnerTexts();
    await nothingCut(
      bound(view),
      `models ${name}`,
      Object.fromEntries([['opened', nothing], ...names.map((one) => [one, tab(one)])]) as Steps,
    );
  });

  it.each([
    ['two', comparisons.sweep],
    ['three', comparisons.threeIterations],
  ] as const)('comparison of %s traces', async (name, make) => {
    const comparison = make();
    const view = await views.open<ComparisonRequests, ComparisonEvents>({
      entry: 'webview/comparison/main.ts',
      answers: comparisons.answersOf({ comparison, shown: comparisons.done(comparison) }, []),
      size: sizes[0],
      recordsPictures: true,
    });
    await view.page.locator('.pair-facts tbody tr').first().waitFor();
    await view.page.locator('.comparison-pane .grid-row:visible').first().waitFor();
    await nothingCut(bound(view), `comparison ${name}`, { opened: nothing });
  });

  it('timelines', async () => {
    const trace = traces.solver();
    const view = await views.open<TimelineRequests, TimelineEvents>({
      entry: 'webview/timeline/main.ts',
      answers: traces.answersOf({ trace, shown: traces.done(trace) }, []),
      size: sizes[0],
      recordsPictures: true,
    });
    await view.page.locator('.profile-pane .grid-row:visible').first().waitFor();
    await nothingCut(bound(view), 'timeline', {
      opened: nothing,
      zoomed: async (page) => {
        await page.locator('.timeline-rows canvas').focus();
        for (const key of ['Shift+ArrowRight', 'Shift+ArrowRight', 'm', '+', '+'])
          await page.keyboard.press(key);
      },
    });
  });

  it.each([
    ['finished', () => diagnosis.open({ state: { isUnfolded: true } })],
    ['large', () => diagnosis.open({ search: large(64), state: { isUnfolded: true } })],
  ] as const)('a search, %s', async (name, open) => {
    await open();
    await diagnosis.ready();
    const view: View<DiagnosisRequests, DiagnosisEvents> = diagnosis.view;
    await nothingCut(bound(view), `diagnosis ${name}`, {
      opened: nothing,
      graph: tab('Graph'),
    });
  });

  it.each(['scorep', 'kymo'] as const)('Score-P flags of a target with back-end %s', async (backend) => {
    const targets = flags.shown.targets.map((target) => ({ ...target, backend }));
    const shown = { ...flags.shown, targets };
    const view = await views.open<ScorepFlagsRequests, ScorepFlagsEvents>({
      entry: 'webview/scorepFlags/main.ts',
      answers: flags.answersOf(() => shown, []),
      size: sizes[0],
      recordsPictures: true,
    });
    await view.page.locator('.option').first().waitFor();
    await nothingCut(bound(view), `scorepFlags ${backend}`, { opened: nothing });
  });
});
