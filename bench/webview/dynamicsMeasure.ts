// What is timed in the page of the dynamics panel; `dynamics.mjs` calls it by name.

/** Milliseconds of what runs before the next picture, while it is being measured. */
let frames: number[] | undefined;
let firstMap: (() => void) | undefined;

const nextFrame = window.requestAnimationFrame.bind(window);
const frame = (): Promise<number> => new Promise((done) => nextFrame(done));

/** From now on the time of what draws is taken; a pixel is read back, so that nothing is left for later. */
export function timeFrames(): void {
  window.requestAnimationFrame = (callback) =>
    nextFrame((time) => {
      const begin = performance.now();
      callback(time);
      for (const canvas of document.querySelectorAll('canvas'))
        if (canvas.width > 0) canvas.getContext('2d')?.getImageData(0, 0, 1, 1);
      frames?.push(performance.now() - begin);
      if (firstMap !== undefined && isDrawn('.value-map canvas')) {
        firstMap();
        firstMap = undefined;
      }
    });
}

export function onFirstMap(tell: () => void): void {
  firstMap = tell;
}

/** Whether something stands in the middle of a canvas. */
function isDrawn(selector: string): boolean {
  const canvas = document.querySelector<HTMLCanvasElement>(selector);
  if (canvas === null || canvas.width === 0) return false;
  const data = canvas.getContext('2d')?.getImageData(canvas.width >> 1, canvas.height >> 1, 1, 1).data;
  return (data?.[3] ?? 0) > 0;
}

/** Makes the browser do the layout now, so that it is part of the time. */
function layOut(): void {
  document.body.getBoundingClientRect();
}

async function timed(act: () => void): Promise<number> {
  await frame();
  await frame();
  const drawn: number[] = [];
  frames = drawn;
  const begin = performance.now();
  act();
  layOut();
  const work = performance.now() - begin;
  await frame();
  await frame();
  frames = undefined;
  return work + drawn.reduce((sum, one) => sum + one, 0);
}

/** The cursor goes from value to value. */
export function cursor(times: number): Promise<number[]> {
  return press(['ArrowRight'], times);
}

/** Closer and back: what is shown is another part each time. */
export function zoom(times: number): Promise<number[]> {
  return press(['+', '+', '-', 'Escape'], times);
}

async function press(keys: readonly string[], times: number): Promise<number[]> {
  const map = document.querySelector('.value-map canvas');
  const work: number[] = [];
  for (let i = 0; i < times; i++) {
    const key = keys[i % keys.length] ?? '';
    work.push(await timed(() => map?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))));
  }
  return work;
}

/** A slider goes to and fro. */
export async function slide(label: string, times: number): Promise<number[]> {
  const slider = [...document.querySelectorAll<HTMLInputElement>('.slider-input')].find((one) =>
    one.labels?.[0]?.textContent.startsWith(label),
  );
  if (slider === undefined) throw new Error(`there is no slider ${label}`);
  const most = Number(slider.max);
  const work: number[] = [];
  for (let i = 0; i < times; i++)
    work.push(
      await timed(() => {
        slider.value = String((i * 3 + 1) % (most + 1));
        slider.dispatchEvent(new Event('input', { bubbles: true }));
      }),
    );
  return work;
}
