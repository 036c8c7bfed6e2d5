import { describe, expect, it } from 'vitest';
import { ReadFirst } from '../../../../../src/editor/surfaces/trees/readFirst';

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

/** What a tree is made of by `read`, and how often it was told that it is another. */
function treeOf(read: () => Promise<string>, isSeen = true) {
  let told = 0;
  const tree = new ReadFirst(
    read,
    () => isSeen,
    () => told++,
  );
  return { tree, told: () => told };
}

describe('what a tree is made of', () => {
  it('stays until the new is read', async () => {
    const source = readings();
    const { tree, told } = treeOf(source.read);
    const first = tree.get();
    await source.end(0, 'old');
    tree.refresh();
    expect(tree.get()).toBe(first);
    expect(told()).toBe(0);
    await source.end(1, 'new');
    expect(told()).toBe(1);
    expect(await tree.get()).toBe('new');
  });

  it('is read once more after changes during a reading, however many, and each reading is shown', async () => {
    const source = readings();
    const { tree, told } = treeOf(source.read);
    tree.refresh();
    for (let i = 0; i < 100; i++) tree.refresh();
    expect(source.begun()).toBe(1);
    await source.end(0, 'first');
    expect([told(), await tree.get(), source.begun()]).toEqual([1, 'first', 2]);
    await source.end(1, 'last');
    expect([told(), await tree.get(), source.begun()]).toEqual([2, 'last', 2]);
  });

  it('is kept, rows and all, when a reading shows the same', async () => {
    const source = readings();
    let told = 0;
    const tree = new ReadFirst(
      source.read,
      () => true,
      () => told++,
      (before, now) => before === now,
    );
    tree.refresh();
    await source.end(0, 'studies');
    expect(told).toBe(1);
    const first = tree.get();
    tree.refresh();
    await source.end(1, 'studies');
    expect([told, tree.get() === first]).toEqual([1, true]);
    tree.refresh();
    tree.refresh();
    await source.end(2, 'studies');
    await source.end(3, 'more studies');
    expect([told, await tree.get()]).toEqual([2, 'more studies']);
  });

  it('is read only when asked for while nobody sees it', async () => {
    const source = readings();
    const { tree, told } = treeOf(source.read, false);
    tree.refresh();
    tree.refresh();
    expect([told(), source.begun()]).toEqual([2, 0]);
    const asked = tree.get();
    await source.end(0, 'it');
    expect(await asked).toBe('it');
  });

  it('that cannot be read is told, too, with the error to whoever asks', async () => {
    const { tree, told } = treeOf(() => Promise.reject(new Error('no such folder')));
    tree.refresh();
    await new Promise((resolve) => setImmediate(resolve));
    expect(told()).toBe(1);
    await expect(tree.get()).rejects.toThrow('no such folder');
  });
});
