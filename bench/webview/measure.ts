// What is timed in the page; `run.mjs` calls it by name.

const frame = (): Promise<number> => new Promise((done) => requestAnimationFrame(done));

/** Makes the browser do the layout now, so that it is part of the time. */
function layOut(): void {
  document.body.getBoundingClientRect();
}

/** Milliseconds of each press of arrow keys that open and close rows of the tree. */
export async function expand(times: number): Promise<number[]> {
  const grid = document.querySelector('.grid');
  const target = grid?.matches('[tabindex]') === true ? grid : grid?.querySelector('[tabindex="0"]');
  if (!(grid instanceof HTMLElement) || !(target instanceof HTMLElement)) throw new Error('there is no grid');
  target.focus();
  const press = (key: string): boolean =>
    target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  const before = grid.ariaRowCount;
  press('Home');
  const work: number[] = [];
  for (let i = 0; i < times; i++) {
    await frame();
    const begin = performance.now();
    press(i % 4 === 3 ? 'ArrowLeft' : 'ArrowRight');
    layOut();
    work.push(performance.now() - begin);
    if (i % 4 === 3) press('ArrowDown');
  }
  if (grid.ariaRowCount === before) throw new Error('no row was expanded');
  return work;
}

/** Scrolls by screens and by leaps: milliseconds of work per step, and from frame to frame. */
export async function scroll(times: number): Promise<{ readonly work: number[]; readonly gaps: number[] }> {
  const place = [...document.querySelectorAll('.grid, .grid *')].find(
    (one) => one.scrollHeight > one.clientHeight + 50 && /auto|scroll/.test(getComputedStyle(one).overflowY),
  );
  if (place === undefined) throw new Error('nothing scrolls');
  const work: number[] = [];
  const gaps: number[] = [];
  let last = await frame();
  for (let i = 0; i < times; i++) {
    const begin = performance.now();
    place.scrollTop += place.clientHeight * (i % 10 === 9 ? 50 : 1);
    place.dispatchEvent(new Event('scroll'));
    layOut();
    work.push(performance.now() - begin);
    const now = await frame();
    gaps.push(now - last);
    last = now;
  }
  return { work, gaps };
}

/** Milliseconds from the next input to the number of what was found. */
export function search(): Promise<number> {
  const count = document.querySelector('.search-count');
  if (count === null) throw new Error('there is no search box');
  return new Promise((done) => {
    let begin = 0;
    document.addEventListener('input', () => (begin = performance.now()), { once: true, capture: true });
    new MutationObserver((_, observer) => {
      if (begin === 0 || !/of \d+/.test(count.textContent)) return;
      observer.disconnect();
      layOut();
      done(performance.now() - begin);
    }).observe(count, { characterData: true, childList: true, subtree: true });
  });
}
