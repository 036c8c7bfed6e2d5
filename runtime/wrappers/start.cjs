// node start.cjs SCRIPT ARGUMENT …: runs SCRIPT with the code that V8 made of it in an earlier process. A build starts it thousands
// of times, and making code of the same text takes as long as half of Node's own start.
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const vm = require('node:vm');

process.argv.splice(1, 1);
const [, script] = process.argv;
const source = fs.readFileSync(script, 'utf8');
const kept = keptFile();
const cachedData = kept === undefined ? undefined : read(kept);
const compiled = new vm.Script(`(function (exports, require, module, __filename, __dirname) {${source}\n})`, {
  filename: script,
  // V8 refuses what another version of it made or what was made with other flags, and goes on with the source.
  cachedData,
});
// At the end, when all the functions that a unit needs have been called. What asks or links calls only a few of them.
if (kept !== undefined && cachedData === undefined && process.argv.includes('-c')) {
  process.once('exit', () => write(kept, compiled.createCachedData()));
}
compiled.runInThisContext()({}, require, { exports: {} }, script, path.dirname(script));

/** In the tool's cache folder; V8 itself looks at no more of the source than its length. */
function keptFile() {
  const { XDG_CACHE_HOME: given = '', HOME: home = '', KYMO_KIND: kind = 'cc' } = process.env;
  const base = path.isAbsolute(given) ? given : home === '' ? undefined : path.join(home, '.cache');
  if (base === undefined) return undefined;
  const { size, mtimeMs } = fs.statSync(script);
  const place = script.replace(/\W/g, '_').slice(-80);
  const name = [kind, place, size, Math.round(mtimeMs), process.versions.v8, process.arch].join('-');
  // A folder that is there already: whatever else is kept is written before this.
  return path.join(base, 'kymo', 'compilers', `${name}.code`);
}

function read(file) {
  try {
    return fs.readFileSync(file);
  } catch {
    return undefined;
  }
}

function write(file, bytes) {
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    fs.writeFileSync(temporary, bytes, { flag: 'wx', mode: 0o600 });
    fs.renameSync(temporary, file);
  } catch {
    // A cache that cannot be written costs time only.
  }
}
