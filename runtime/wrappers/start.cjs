// node start.cjs SCRIPT ARGUMENT …: runs SCRIPT with the code that V8 compiled in an earlier process. A build starts the script
// thousands of times, and compiling the same text takes half as long as Node's own start.
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
  // V8 rejects code from another version or with other flags, and compiles the source instead.
  cachedData,
});
// The cache is written at the end, when all functions that a unit needs have been called. Queries and links call only a few of them.
if (kept !== undefined && cachedData === undefined && process.argv.includes('-c')) {
  process.once('exit', () => write(kept, compiled.createCachedData()));
}
compiled.runInThisContext()({}, require, { exports: {} }, script, path.dirname(script));

/**
 * The name of the cache file in the tool's cache folder. It identifies the script, because V8 compares only the length of the source.
 */
function keptFile() {
  const { XDG_CACHE_HOME: given = '', HOME: home = '', KYMO_KIND: kind = 'cc' } = process.env;
  const base = path.isAbsolute(given) ? given : home === '' ? undefined : path.join(home, '.cache');
  if (base === undefined) return undefined;
  const { size, mtimeMs } = fs.statSync(script);
  const place = script.replace(/\W/g, '_').slice(-80);
  const name = [kind, place, size, Math.round(mtimeMs), process.versions.v8, process.arch].join('-');
  // The folder exists already: other caches are written to it before this one.
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
    // Without the cache file the wrapper is only slower.
  }
}
