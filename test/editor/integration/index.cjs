// Runs in the extension host: VS Code calls `run` of the module that its `extensionTestsPath` names. Also for desktops (`npm run test:desktop`).
const { readdirSync } = require('node:fs');
const path = require('node:path');
const Mocha = require('mocha');

exports.run = () => {
  // The file is what counts: an extension host that dies looks like a success from outside.
  const output = process.env.KYMO_TEST_RESULTS;
  const mocha = new Mocha({
    ui: 'bdd',
    timeout: 60_000,
    ...(output === undefined ? {} : { reporter: 'json', reporterOptions: { output } }),
  });
  for (const name of readdirSync(__dirname).filter((one) => one.endsWith('.test.cjs')))
    mocha.addFile(path.join(__dirname, name));
  return new Promise((resolve, reject) => {
    mocha.run((failures) => (failures === 0 ? resolve() : reject(new Error(`${failures} tests failed`))));
  });
};
