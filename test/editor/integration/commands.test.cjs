const assert = require('node:assert');
const vscode = require('vscode');

const extension = () => vscode.extensions.getExtension('kymo.kymo');

describe('the extension', () => {
  before(() => extension().activate());

  it('is a workspace extension that is only limited where nothing may run', () => {
    const { packageJSON, extensionKind } = extension();
    assert.strictEqual(extensionKind, vscode.ExtensionKind.Workspace);
    assert.strictEqual(packageJSON.capabilities.untrustedWorkspaces.supported, 'limited');
    assert.strictEqual(packageJSON.capabilities.virtualWorkspaces.supported, 'limited');
  });

  it('each command that it declares exists, and each that exists is declared', async () => {
    const declared = extension().packageJSON.contributes.commands.map(({ command }) => command);
    const existing = (await vscode.commands.getCommands(true)).filter((one) => one.startsWith('kymo.'));
    assert.deepStrictEqual(
      declared.filter((one) => !existing.includes(one)),
      [],
      'declared, but not there',
    );
    // Views have commands of VS Code's own.
    const views = Object.values(extension().packageJSON.contributes.views)
      .flat()
      .map(({ id }) => `${id}.`);
    const own = existing.filter((one) => !views.some((id) => one.startsWith(id)));
    assert.deepStrictEqual(
      own.filter((one) => !declared.includes(one)),
      [],
      'there, but not declared',
    );
  });

  it('each command of a menu, a view or the walkthrough is declared', () => {
    const { contributes } = extension().packageJSON;
    const declared = new Set(contributes.commands.map(({ command }) => command));
    const text = JSON.stringify([contributes.menus, contributes.viewsWelcome, contributes.walkthroughs]);
    const used = [...text.matchAll(/(?:"command":"|command:)(kymo\.[\w.]+)/g)].map(([, name]) => name);
    const views = Object.values(contributes.views).flat();
    const focus = new Set(views.map(({ id }) => `${id}.focus`));
    assert.deepStrictEqual(
      used.filter((one) => !declared.has(one) && !focus.has(one)),
      [],
    );
  });
});
