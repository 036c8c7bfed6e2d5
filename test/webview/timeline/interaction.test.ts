import { describe, expect, it } from 'vitest';
import { TimelinePanel } from './panel';
import { solver } from './traces';

const panel = new TimelinePanel();
/** Of eight rows in the usual size: as high as rows become. */
const high = 40;
const seconds = 1.25;

const span = async (): Promise<readonly [from: number, to: number]> => {
  const state = (await panel.view.state()) as { readonly from?: number; readonly to?: number };
  return [state.from ?? 0, state.to ?? seconds];
};
const length = async (): Promise<number> => {
  const [from, to] = await span();
  return to - from;
};
const spanBecomes = async (from: number, to: number): Promise<void> => {
  await expect.poll(async () => (await span())[0]).toBeCloseTo(from, 2);
  await expect.poll(async () => (await span())[1]).toBeCloseTo(to, 2);
};
const drag = async (
  from: readonly [share: number, row: number],
  to: readonly [share: number, row: number],
): Promise<void> => {
  const [start, end] = [await panel.point(...from, high), await panel.point(...to, high)];
  await panel.page.mouse.move(start.x, start.y);
  await panel.page.mouse.down();
  await panel.page.mouse.move((start.x + end.x) / 2, (start.y + end.y) / 2);
  await panel.page.mouse.move(end.x, end.y);
  await panel.page.mouse.up();
};
const background = '0,0,0,0';

describe('time', () => {
  it('is zoomed by the wheel around the pointer, and moved by Shift and the wheel', async () => {
    await panel.ready();
    const { x, y } = await panel.point(0.25, 1, high);
    await panel.page.mouse.move(x, y);
    await panel.page.mouse.wheel(0, -300);
    await expect.poll(length).toBeLessThan(0.8);
    const [from, to] = await span();
    expect((0.25 * seconds - from) / (to - from)).toBeCloseTo(0.25, 2);
    await expect.poll(() => panel.sight).toMatchObject({ from, to });
    await panel.page.keyboard.down('Shift');
    await panel.page.mouse.wheel(0, 100);
    await panel.page.keyboard.up('Shift');
    await expect.poll(async () => (await span())[0]).toBeGreaterThan(from + 0.01);
    expect(await length()).toBeCloseTo(to - from, 9);
    await panel.page.mouse.wheel(0, 5000);
    await spanBecomes(0, seconds);
  });

  it('is zoomed and moved by keys, and each step can be undone', async () => {
    await panel.ready();
    await panel.press('+');
    await spanBecomes(0.2083, 1.0417);
    await panel.press('d');
    await spanBecomes(0.375, 1.2083);
    await panel.press('ArrowLeft');
    await spanBecomes(0.2083, 1.0417);
    await panel.press('w', 'w', 's');
    await spanBecomes(0.3472, 0.9028);
    await panel.press('Home');
    await spanBecomes(0, seconds);
    await panel.press('Control+z');
    await spanBecomes(0.3472, 0.9028);
    expect(await panel.announced()).toBe('Undone: Show everything');
    await panel.press('Control+y');
    await spanBecomes(0, seconds);
    await panel.page.getByRole('button', { name: 'Undo Zoom' }).click();
    await spanBecomes(0.3472, 0.9028);
    const search = panel.page.getByRole('textbox', { name: 'Search functions' });
    await search.fill('mesh');
    await search.press('Control+z');
    expect(await search.inputValue()).toBe('');
    await panel.frame();
    await spanBecomes(0.3472, 0.9028);
  });

  it('is zoomed by a part of the axis, and every button does what its key does', async () => {
    await panel.ready();
    const { left, right, top } = await panel.box();
    await panel.page.mouse.move(left + 0.2 * (right - left), top - 10);
    await panel.page.mouse.down();
    await panel.page.mouse.move(left + 0.3 * (right - left), top - 10);
    await panel.page.mouse.move(left + 0.4 * (right - left), top - 10);
    await panel.page.mouse.up();
    await spanBecomes(0.25, 0.5);
    await panel.page.getByRole('button', { name: 'Zoom Out' }).click();
    await spanBecomes(0.1875, 0.5625);
    await panel.page.getByRole('button', { name: 'Zoom In' }).click();
    await spanBecomes(0.25, 0.5);
    await panel.page.getByRole('button', { name: 'Show Everything' }).click();
    await spanBecomes(0, seconds);
  });

  it('is moved by the middle button, and zoomed to a call by a double click', async () => {
    await panel.ready();
    await panel.press('+');
    const [start, end] = [await panel.point(0.5, 1, high), await panel.point(0.3, 1, high)];
    await panel.page.mouse.move(start.x, start.y);
    await panel.page.mouse.down({ button: 'middle' });
    await panel.page.mouse.move(end.x, end.y);
    await panel.page.mouse.up({ button: 'middle' });
    await spanBecomes(0.2083 + 0.2 * 0.8333, 1.0417 + 0.2 * 0.8333);
    await panel.press('Home');
    const mesh = await panel.point(0.05, 4, high);
    await panel.page.mouse.dblclick(mesh.x, mesh.y);
    await spanBecomes(0, 0.105);
    expect(await panel.page.locator('.stack-pane h2').innerText()).toBe('Call stack of rank 4');
  });

  it('asks for one picture after the other, and never shows an empty one meanwhile', async () => {
    await panel.ready();
    await panel.page.getByRole('checkbox', { name: 'Messages' }).click();
    let release: (value: unknown) => void = () => undefined;
    panel.served.hold = new Promise((resolve) => (release = resolve));
    const asked = panel.count('spans');
    await panel.press('+', '+', 'd', '+', 'a', 'a', 's', '-', 'd', 's', '+', '+');
    await panel.frame();
    expect(panel.count('spans')).toBe(asked + 1);
    const shares = [0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.98];
    for (const row of [0, 7]) expect(await panel.colors(row, high, shares)).not.toContain(background);
    delete panel.served.hold;
    release(undefined);
    // The answer to the first question, and then what is in sight at the end; nothing between them.
    const [from, to] = await span();
    await expect.poll(() => panel.last('spans')).toMatchObject({ from, to });
    await panel.frame();
    expect(panel.count('spans')).toBe(asked + 2);
  });
});

describe('a range', () => {
  it('that is drawn in one row is one of all rows, with its profile', async () => {
    await panel.ready();
    await drag([0.2, 1], [0.6, 1]);
    await expect.poll(() => panel.last('profile')?.from).toBeCloseTo(0.25, 2);
    expect(panel.last('profile')).toMatchObject({ firstRow: 0, rowCount: 8 });
    expect(panel.last('profile')?.to).toBeCloseTo(0.75, 2);
    const facts = panel.page.locator('.profile-facts');
    await expect.poll(() => facts.innerText()).toMatch(/^0\.2\d+ – 0\.7\d+ s|^2\d\d – 7\d\d ms/);
    await expect
      .poll(async () => (await panel.rows()).some((row) => row.startsWith('read_mesh')))
      .toBe(false);
    await panel.page.getByRole('checkbox', { name: 'Only the selected row' }).click();
    await panel.press('ArrowDown', 'ArrowDown');
    await expect.poll(() => panel.last('profile')).toMatchObject({ firstRow: 2, rowCount: 1 });
    await expect.poll(() => facts.innerText()).toMatch(/, rank 2\. 12 messages, 768 KiB\.$/);
  });

  it('of some rows is one of these; it is zoomed to and cleared', async () => {
    await panel.ready();
    await drag([0.8, 5], [0.4, 2]);
    await expect.poll(() => panel.last('profile')).toMatchObject({ firstRow: 2, rowCount: 4 });
    await expect
      .poll(() => panel.page.locator('.profile-facts').innerText())
      .toMatch(/, rank 2 to rank 5\. /);
    await panel.view.screenshot('timeline-range');
    await panel.press('z');
    await spanBecomes(0.5, 1);
    await panel.press('Home', 'Escape');
    await expect.poll(() => panel.last('profile')).toMatchObject({ firstRow: 0, rowCount: 8, from: 0 });
    expect(await panel.page.getByRole('button', { name: 'Clear Range' }).count()).toBe(0);
    await drag([0.4, 2], [0.8, 2]);
    await panel.page.getByRole('button', { name: 'Zoom to Range' }).click();
    await spanBecomes(0.5, 1);
    await panel.page.getByRole('button', { name: 'Clear Range' }).click();
    await expect.poll(() => panel.page.getByRole('button', { name: 'Clear Range' }).count()).toBe(0);
  });

  it('follows what is in sight when there is none', async () => {
    await panel.ready();
    await panel.press('+', '+');
    await expect.poll(() => panel.last('profile')?.from).toBeCloseTo(0.3472, 3);
    expect(panel.last('profile')?.to).toBeCloseTo(0.9028, 3);
  });
});

describe('rows and calls', () => {
  it('are scrolled by the wheel over the names or with Alt, and made higher with Ctrl', async () => {
    await panel.ready({ trace: solver(64) });
    const scroller = panel.page.locator('.timeline-rows');
    const top = (): Promise<number> => scroller.evaluate(({ scrollTop }) => scrollTop);
    const { left, top: y } = await panel.box();
    await panel.page.mouse.move(left - 40, y + 50);
    await panel.page.mouse.wheel(0, 120);
    await expect.poll(top).toBe(120);
    await panel.page.mouse.move(left + 40, y + 50);
    await panel.page.keyboard.down('Alt');
    await panel.page.mouse.wheel(0, -70);
    await panel.page.keyboard.up('Alt');
    await expect.poll(top).toBe(50);
    await spanBecomes(0, seconds);
    const height = (): Promise<number> =>
      panel.page
        .locator('.time-space')
        .first()
        .evaluate(({ clientHeight }) => (clientHeight - 24) / 64);
    expect(await height()).toBe(12);
    await panel.page.keyboard.down('Control');
    await panel.page.mouse.wheel(0, -100);
    await expect.poll(height).toBe(16);
    // Two fingers that move apart on a pad come as small turns with Ctrl.
    await panel.page.mouse.wheel(0, -20);
    await panel.page.keyboard.up('Control');
    await expect.poll(length).toBeLessThan(1.1);
    expect(await height()).toBe(16);
  });

  it('are described under the pointer', async () => {
    await panel.ready({ trace: solver(8) });
    await panel.page.getByRole('checkbox', { name: 'Messages' }).click();
    const { x, y } = await panel.point(0.04, 3, high);
    await panel.page.mouse.move(x, y);
    await expect
      .poll(() => panel.tip())
      .toMatch(/^read_mesh\nrank 3\n[4-6]\.\d ms – (99|100)\.\d ms\n9\d(\.\d)? ms$/);
    await panel.page.mouse.move(x, y + 6 * high);
    await expect.poll(() => panel.page.locator('.timeline-rows .flame-tip').isVisible()).toBe(false);
  });

  it('show a call stack when a row is clicked, in which calls are described, too', async () => {
    await panel.ready();
    expect(panel.last('stack')).toMatchObject({ firstRow: 0, rowCount: 4 });
    const { x, y } = await panel.point(0.04, 6, high);
    await panel.page.mouse.click(x, y);
    await expect.poll(() => panel.last('stack')).toMatchObject({ firstRow: 6, rowCount: 4 });
    expect(await panel.page.locator('.stack-pane h2').innerText()).toBe('Call stack of rank 6');
    await expect.poll(() => panel.announced()).toMatch(/^read_mesh, /);
    const stack = await panel.page.locator('.timeline-stack canvas').boundingBox();
    await panel.page.mouse.click(x, (stack?.y ?? 0) + 9);
    await expect.poll(() => panel.announced()).toMatch(/^main, 0 s – 1\.2500? s, 1\.25 s$/);
    // The call stack of another row never shows the former one.
    await panel.press('ArrowUp');
    await expect.poll(() => panel.announced()).toBe('rank 5');
    await expect.poll(() => panel.last('stack')?.firstRow).toBe(5);
  });

  it('are walked over by keys: from call to call, to their source', async () => {
    await panel.ready();
    await panel.press('Shift+ArrowRight');
    await expect.poll(() => panel.announced()).toMatch(/^main, /);
    await panel.press('Shift+ArrowRight');
    await expect.poll(() => panel.announced()).toMatch(/^read_mesh, /);
    await panel.press('Enter');
    await expect.poll(() => panel.last('openSource')).toEqual({ id: 'first', function: 1 });
    await panel.press('m');
    await expect.poll(() => panel.last('profile')).toMatchObject({ firstRow: 0, rowCount: 1 });
    expect(panel.last('profile')?.to).toBeCloseTo(0.1, 2);
    await panel.press('Shift+ArrowLeft');
    await expect.poll(() => panel.announced()).toMatch(/^main, /);
    await panel.press('Escape', 'Escape', 'Enter');
    await expect.poll(() => panel.announced()).toBe('No call is marked.');
    panel.served.opened = false;
    await panel.press('Shift+ArrowRight', 'Enter');
    await panel.page.getByText('The trace has no source position for main').waitFor();
  });

  it('have a menu, by the pointer and by keys', async () => {
    await panel.ready();
    await panel.press('Shift+ArrowRight', 'Shift+ArrowRight', 'Shift+F10');
    await panel.page.getByRole('menuitem', { name: 'Zoom to This Call' }).click();
    await spanBecomes(0, 0.105);
    const { x, y } = await panel.point(0.5, 2, high);
    await panel.page.mouse.click(x, y, { button: 'right' });
    await panel.page.getByRole('menuitem', { name: 'Go to Source' }).click();
    await expect.poll(() => panel.last('openSource')).toEqual({ id: 'first', function: 1 });
  });
});

describe('messages', () => {
  it('are lines that can be pointed at, and switched off', async () => {
    await panel.ready();
    await panel.page.getByText('64 in sight').waitFor();
    expect(panel.last('messages')).toMatchObject({ firstRow: 0, rowCount: 8, most: 500 });
    // Rank 0 sends in the first step at 0.166 s; rank 1 has received at 0.192 s.
    const share = (0.166 + 0.192) / 2 / seconds;
    const from = await panel.point(share, 0, high);
    await panel.page.mouse.move(from.x, from.y + high / 2);
    await expect
      .poll(() => panel.tip())
      .toMatch(/^Message\nfrom rank 0 to rank 1\n64 KiB, tag 7\n16\d\.\d ms – 19\d\.\d ms \(2\d ms\)$/);
    await panel.page.getByRole('checkbox', { name: 'Messages' }).click();
    await panel.page.mouse.move(from.x + 1, from.y + high / 2 - 4);
    await expect.poll(() => panel.tip()).not.toMatch(/Message/);
    expect(await panel.page.locator('.timeline-tools .count').innerText()).toBe('');
  });

  it('are off when there are too many, and then the longest are shown', async () => {
    await panel.ready({ trace: solver(64, { messages: 120_000 }) });
    expect(panel.count('messages')).toBe(0);
    await panel.page.getByRole('checkbox', { name: 'Messages' }).click();
    await panel.press('[', '[', '[', '[', '[', '[', '[', '[');
    await panel.page.getByText('the 500 longest of 512 in sight').waitFor();
  });
});

describe('functions', () => {
  it('are searched: marked in the picture, and their calls one after the other', async () => {
    await panel.ready();
    await panel.page.getByRole('checkbox', { name: 'Messages' }).click();
    const before = await panel.colors(0, high, [0.04, 0.985]);
    const search = panel.page.getByRole('textbox', { name: 'Search functions' });
    await search.fill('read_m');
    await expect.poll(() => panel.page.locator('.search-count').innerText()).toBe('1 match');
    const marked = await panel.colors(0, high, [0.04, 0.985]);
    expect(marked[0]).toBe(before[0]);
    expect(marked[1]).not.toBe(before[1]);
    await search.press('Enter');
    await expect.poll(() => panel.announced()).toMatch(/^rank 0: read_mesh, /);
    await search.press('Enter');
    await expect.poll(() => panel.announced()).toMatch(/^rank 1: read_mesh, /);
    expect(await panel.page.locator('.stack-pane h2').innerText()).toBe('Call stack of rank 1');
    await search.press('Shift+Enter');
    await expect.poll(() => panel.announced()).toMatch(/^rank 0: read_mesh, /);
    await search.press('Shift+Enter');
    await expect.poll(() => panel.announced()).toBe('Continued from the end');
    expect(await panel.page.locator('.stack-pane h2').innerText()).toBe('Call stack of rank 7');
    await search.press('Escape');
    await expect.poll(() => panel.colors(0, high, [0.985])).toEqual([before[1]]);
  });

  it('are searched from where the user is, several at a time; a short call is zoomed to', async () => {
    await panel.ready();
    await panel.press('ArrowDown', 'ArrowDown');
    const search = panel.page.getByRole('textbox', { name: 'Search functions' });
    await panel.press('Control+f');
    await panel.page.keyboard.type('^MPI_(Send|Recv)');
    await search.press('Alt+r');
    await expect.poll(() => panel.page.locator('.search-count').innerText()).toBe('2 matches');
    await search.press('Enter');
    await expect.poll(() => panel.announced()).toMatch(/^rank 2: MPI_Send, /);
    await search.press('Enter');
    await expect.poll(() => panel.announced()).toMatch(/^rank 2: MPI_Recv, /);
    await expect.poll(length).toBeLessThan(0.6);
    await search.fill('(');
    await expect.poll(() => panel.page.locator('.search-count').innerText()).not.toBe('');
    await search.press('Enter');
    expect(await panel.page.locator('.search-count.error').count()).toBe(1);
  });

  it('of a paradigm are highlighted by the legend', async () => {
    await panel.ready();
    await panel.page.getByRole('checkbox', { name: 'Messages' }).click();
    const before = await panel.colors(0, high, [0.04, 0.2 / seconds]);
    const mpi = panel.page.getByRole('button', { name: 'MPI' });
    await mpi.click();
    expect(await mpi.getAttribute('aria-pressed')).toBe('true');
    const marked = await panel.colors(0, high, [0.04, 0.2 / seconds]);
    expect(marked[0]).not.toBe(before[0]);
    expect(marked[1]).toBe(before[1]);
    await mpi.click();
    expect(await mpi.getAttribute('aria-pressed')).toBe('false');
    expect(await panel.colors(0, high, [0.04, 0.2 / seconds])).toEqual(before);
  });

  it('of the profile are sorted, highlighted, found and opened', async () => {
    await panel.ready();
    expect((await panel.rows())[0]).toBe('MPI_Allreduce 28.2 % 2.816 s 2.816 s 64');
    await panel.page.getByRole('columnheader', { name: 'Inclusive' }).click();
    await expect.poll(async () => (await panel.rows())[0]).toMatch(/^main 4\.1 %/);
    await panel.page.getByRole('columnheader', { name: 'Function' }).click();
    await expect.poll(async () => (await panel.rows())[0]).toMatch(/^!\$omp/);
    await panel.page.getByRole('checkbox', { name: 'Messages' }).click();
    const before = await panel.colors(0, high, [0.04, 0.985]);
    const row = panel.page.locator('.profile-pane .grid-row', { hasText: 'read_mesh' });
    await row.click();
    const marked = await panel.colors(0, high, [0.04, 0.985]);
    expect(marked[0]).toBe(before[0]);
    expect(marked[1]).not.toBe(before[1]);
    await row.dblclick();
    await expect.poll(() => panel.last('openSource')).toEqual({ id: 'first', function: 1 });
    await row.click({ button: 'right' });
    await panel.page.getByRole('menuitem', { name: 'Next Call' }).click();
    await expect.poll(() => panel.announced()).toMatch(/^rank 0: read_mesh, /);
  });
});

describe('exports', () => {
  it('are the picture and the profile', async () => {
    await panel.ready();
    const choose = async (name: string): Promise<void> => {
      await panel.page.getByRole('button', { name: 'Export…' }).click();
      await panel.page.getByRole('menuitem', { name }).click();
    };
    await choose('Picture as PNG…');
    await expect.poll(() => panel.last('save')?.kind).toBe('png');
    expect([...(panel.last('save')?.content ?? [])].slice(0, 4)).toEqual([0x89, 0x50, 0x4e, 0x47]);
    await choose('Profile as CSV…');
    await expect.poll(() => panel.last('save')?.kind).toBe('csv');
    const lines = new TextDecoder().decode(panel.last('save')?.content).split('\r\n');
    expect(lines[0]).toBe('function,paradigm,file,line,visits,exclusive [s],inclusive [s],exclusive share');
    expect(lines[1]).toMatch(/^MPI_Allreduce,MPI,,,64,2\.8\d*,2\.8\d*,0\.28\d*$/);
    expect(lines[2]).toMatch(/^compute_fluxes,compiler,\/src\/solver\.cpp,60,64,/);
    expect(panel.last('save')?.name).toBe('run/traces.otf2');
  });
});
