import { describe, expect, it } from 'vitest';
import { ReadFirst } from '../../../../src/editor/views/readFirst';

/** A reading that ends when the test says so. */
function readings() {
  const open: ((value: string) => void)[] = [];
  return {
    read: () => new Promise<string>((resolve) => open.push(resolve)),
    begun: () => open.length,
    async end(at: number, value: string): Promise<void> {
      open[at]?.(value);
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

describe('what a tree is made of', () => {
  it('stays until the new is read', async () => {
    const source = readings();
    let told = 0;
    const tree = new ReadFirst(
      source.read,
      () => true,
      () => told++,
    );
    const first = tree.get();
    await source.end(0, 'old');
    tree.refresh();
    expect(tree.get()).toBe(first);
    expect(told).toBe(0);
    await source.end(1, 'new');
    expect(told).toBe(1);
    expect(await tree.get()).toBe('new');
  });

  it('is read once more after changes during a reading, however many, and each reading is shown', async () => {
    const source = readings();
    let told = 0;
    const tree = new ReadFirst(
      source.read,
      () => true,
      () => told++,
    );
    tree.refresh();
    for (let i = 0; i < 100; i++) tree.refresh();
    expect(source.begun()).toBe(1);
    await source.end(0, 'first');
    expect([told, await tree.get(), source.begun()]).toEqual([1, 'first', 2]);
    await source.end(1, 'last');
    expect([told, await tree.get(), source.begun()]).toEqual([2, 'last', 2]);
  });

  it('is read only when asked for while nobody sees it', async () => {
    const source = readings();
    let told = 0;
    const tree = new ReadFirst(
      source.read,
      () => false,
      () => told++,
    );
    tree.refresh();
    tree.refresh();
    expect([told, source.begun()]).toEqual([2, 0]);
    const asked = tree.get();
    await source.end(0, 'it');
    expect(await asked).toBe('it');
  });

  it('that cannot be read is told, too, with the error to whoever asks', async () => {
    let told = 0;
    const tree = new ReadFirst(
      () => Promise.reject(new Error('no such folder')),
      () => true,
      () => told++,
    );
    tree.refresh();
    await new Promise((resolve) => setImmediate(resolve));
    expect(told).toBe(1);
    await expect(tree.get()).rejects.toThrow('no such folder');
  });
});
