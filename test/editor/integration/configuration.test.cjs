const assert = require('node:assert');
const vscode = require('vscode');

const [folder] = vscode.workspace.workspaceFolders;
const file = vscode.Uri.joinPath(folder.uri, 'kymo.json');

describe('kymo.json in the editor', () => {
  afterEach(() => vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor'));

  /** The document with `before` replaced by `after`, not saved. */
  async function edited(before, after) {
    const document = await vscode.workspace.openTextDocument(file);
    const editor = await vscode.window.showTextDocument(document);
    const offset = document.getText().indexOf(before);
    assert.ok(offset >= 0, `${before} is not in ${document.getText()}`);
    const range = new vscode.Range(document.positionAt(offset), document.positionAt(offset + before.length));
    assert.ok(await editor.edit((edit) => edit.replace(range, after)));
    return { document, offset };
  }

  async function labels(document, offset) {
    const { items } = await vscode.commands.executeCommand(
      'vscode.executeCompletionItemProvider',
      document.uri,
      document.positionAt(offset),
    );
    return items.map(({ label }) => (typeof label === 'string' ? label : label.label));
  }

  it('is JSON with comments', async () => {
    const { document } = await edited('"tiny"', '"tiny"');
    assert.strictEqual(document.languageId, 'jsonc');
  });

  it('a misspelled key can be changed into the nearest one', async () => {
    const { document, offset } = await edited('"executable"', '"exectuable"');
    const at = document.positionAt(offset + 3);
    const actions = await vscode.commands.executeCommand(
      'vscode.executeCodeActionProvider',
      document.uri,
      new vscode.Range(at, at),
    );
    const fix = actions.find(({ title }) => title === 'Change to "executable"');
    assert.ok(fix, actions.map(({ title }) => title).join(', '));
    assert.ok(await vscode.workspace.applyEdit(fix.edit));
    assert.ok(document.getText().includes('"executable": "./tiny"'));
  });

  it('offers the compilers that a build command may use', async () => {
    const { document, offset } = await edited('make CXX=${cxx}', 'make CXX=$');
    const found = await labels(document, offset + 'make CXX=$'.length);
    for (const name of ['${cc}', '${cxx}', '${fc}']) assert.ok(found.includes(name), found.join(', '));
  });

  it('offers nothing of its own where the schema knows best', async () => {
    const { document, offset } = await edited('"name": "tiny"', '"name": "tiny"');
    const found = await labels(document, offset + '"name": "t'.length);
    assert.ok(!found.some((one) => one.startsWith('${')), found.join(', '));
  });
});
