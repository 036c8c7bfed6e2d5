import { describe, expect, it } from 'vitest';
import manifest from '../../../package.json';

const { commands, keybindings, menus } = manifest.contributes;
const declared = new Set<string>(commands.map(({ command }) => command));
const conditions = new Map<string, string>(menus.commandPalette.map(({ command, when }) => [command, when]));

/** Commands that the palette offers in any window with a folder, whatever it shows. */
function always(): readonly string[] {
  return commands
    .filter((one) => !conditions.has(one.command))
    .filter((one) => !('enablement' in one) || one.enablement.startsWith('workspaceFolderCount'))
    .map(({ command }) => command);
}

describe('the command palette', () => {
  it('offers what starts something, and no commands of a view, a row or a place that is not there', () => {
    const shown = always();
    expect(shown.filter((one) => /^kymo\.(instrumentation|properties|experiments)\./.test(one))).toEqual([]);
    expect(shown.length).toBeLessThanOrEqual(39);
    expect(shown).toEqual(
      expect.arrayContaining(['kymo.refine', 'kymo.showHotSpots', 'kymo.goToHottestFunction']),
    );
  });

  it('hides only commands that exist', () => {
    for (const command of conditions.keys()) expect(declared.has(command), command).toBe(true);
  });

  it('still offers hidden commands in a menu or on a row', () => {
    const menusOfViews = JSON.stringify([menus['view/title'], menus['view/item/context']]);
    const onRows = ['kymo.instrumentation.more', 'kymo.expectGrowth'];
    for (const [command, when] of conditions)
      if (when === 'false' && !onRows.includes(command))
        expect(menusOfViews, command).toContain(`"${command}"`);
  });
});

describe('the key bindings', () => {
  it('are five chords of one prefix, each with a command of its own', () => {
    expect(keybindings).toHaveLength(5);
    expect(new Set(keybindings.map(({ key }) => key)).size).toBe(5);
    for (const { command, key } of keybindings) {
      expect(declared.has(command), command).toBe(true);
      expect(key).toMatch(/^alt\+y [a-z]$/);
    }
  });

  it('leave the shell of a terminal its keys', () => {
    for (const { when } of keybindings) expect(when).toContain('!terminalFocus');
  });
});
