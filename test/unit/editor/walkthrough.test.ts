import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import manifest from '../../../package.json';
import texts from '../../../package.nls.json';

const root = path.resolve(import.meta.dirname, '../../..');
const commands = new Set(manifest.contributes.commands.map(({ command }) => command));
const views = Object.values(manifest.contributes.views)
  .flat()
  .map(({ id }) => `${id}.focus`);

/** Context keys that the extension sets once a step is done, not once its command was chosen. */
const contexts = new Set([
  'kymo.hasConfiguration',
  'kymo.hasResults',
  'kymo.walkthrough.configured',
  'kymo.walkthrough.measured',
]);

/** The English text of `%key%`. */
function textOf(key: string): string {
  return (texts as Readonly<Record<string, string>>)[key.slice(1, -1)] ?? '';
}

function isKnown(event: string): boolean {
  const [kind, name = ''] = event.split(':');
  return kind === 'onContext' ? contexts.has(name) : kind === 'onCommand' && commands.has(name);
}

describe('the walkthrough', () => {
  const [walkthrough] = manifest.contributes.walkthroughs;

  it('has five steps, each with a picture that exists, says what it shows, and asks for nothing from outside', () => {
    expect(walkthrough?.steps).toHaveLength(5);
    for (const { media } of walkthrough?.steps ?? []) {
      expect(existsSync(path.join(root, media.svg)), media.svg).toBe(true);
      expect(textOf(media.altText).length).toBeGreaterThan(10);
      expect(readFileSync(path.join(root, media.svg), 'utf8')).not.toMatch(/<script|href|url\(/);
    }
  });

  it('leads to commands that exist, and each step can be completed', () => {
    for (const { id, description, completionEvents } of walkthrough?.steps ?? []) {
      const used = [...textOf(description).matchAll(/\(command:([\w.]+)\)/g)].map(([, name]) => name ?? '');
      expect(used.length, id).toBeGreaterThan(0);
      for (const name of used) expect(commands.has(name) || views.includes(name), name).toBe(true);
      for (const event of completionEvents)
        expect(isKnown(event), `${id} waits for ${event}, which never happens`).toBe(true);
      expect(completionEvents.length, id).toBeGreaterThan(0);
    }
  });
});
