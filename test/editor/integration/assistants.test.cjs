const assert = require('node:assert');
const vscode = require('vscode');

describe('servers for assistants', () => {
  it('this VS Code takes their definitions as Kymo makes them', () => {
    assert.strictEqual(typeof vscode.lm.registerMcpServerDefinitionProvider, 'function');
    const definition = new vscode.McpStdioServerDefinition(
      'Kymo: a',
      'node',
      ['cli.js', 'mcp'],
      { A: '1' },
      '1.2.3',
    );
    const { label, command, args, env, version } = definition;
    assert.deepStrictEqual(
      { label, command, args, env, version },
      { label: 'Kymo: a', command: 'node', args: ['cli.js', 'mcp'], env: { A: '1' }, version: '1.2.3' },
    );
  });
});
