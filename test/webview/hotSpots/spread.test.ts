import { describe, expect, it } from 'vitest';
import { themeNames } from '../lib/themes';
import { useHotSpotsPanel } from './hotSpotsPanel';
import { hostileName, onRanks, small, withHeader, type TestProfile } from './profiles';

const panel = useHotSpotsPanel();
const { open, ready, row, flat, untilAsked } = panel;

/** A hundred processes with the values of the thesis' example: process 50 and 63 to 87 lie between median and upper quartile. */
const order = [
  ...Array.from({ length: 49 }, (_, at) => at + 1),
  50,
  ...Array.from({ length: 25 }, (_, at) => at + 63),
  ...Array.from({ length: 12 }, (_, at) => at + 51),
  ...Array.from({ length: 12 }, (_, at) => at + 88),
  0,
];
const rankOf = new Map(order.map((process, place) => [process, place + 1]));
const hundred = (scale = 1): TestProfile => ({
  ...ofRanks(small('hundred', scale), 100),
  weight: (path, location) => (path === 2 ? (rankOf.get(location) ?? 0) : 1 + ((location * 7 + path) % 10) / 10),
});

function ofRanks(profile: TestProfile, count: number): TestProfile {
  const locations = Array.from({ length: count }, (_, rank) => ({ name: `rank ${rank}`, rank, thread: 0 }));
  return withHeader(onRanks(profile, count), { locations });
}

const plot = (text: string) => row(text).locator('.spread-plot');
const tip = () => panel.view.page.locator('.spread-tip');
const label = (text: string) => plot(text).first().getAttribute('aria-label');

describe('box plots in the tables', () => {
  it('look', async () => {
    await open(() => hundred(), { size: { width: 1200, height: 420 } });
    await ready();
    await panel.view.page.getByRole('button', { name: 'Expand All' }).click();
    await expect.poll(() => label('kernel')).toMatch(/median/);
    await panel.view.screenshot('hotSpots-spread-tree');
    await flat();
    await expect.poll(() => label('kernel')).toMatch(/median/);
    await panel.view.screenshot('hotSpots-spread-functions');
    const box = (await plot('kernel').boundingBox())!;
    await panel.view.page.mouse.move(box.x + box.width * 0.6, box.y + 10);
    await panel.view.page.waitForTimeout(500);
    await panel.view.screenshot('hotSpots-spread-tip');
  });
});
