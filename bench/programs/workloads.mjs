// Inputs of the programs, the same on every machine.
import { writeFileSync } from 'node:fs';
import path from 'node:path';

/** Numbers below a limit from a seed (a linear congruential generator; Numerical Recipes, chapter 7). */
export function numbers(seed) {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Lines of words, of which some are much more frequent than others, as in a language. */
export function text(bytes, seed = 7) {
  const random = numbers(seed);
  const letters = 'etaoinshrdlucmfwypvbgkjqxz';
  const letter = () => letters[Math.min(random(26), random(26))];
  const words = Array.from({ length: 4000 }, () => Array.from({ length: 2 + random(8) }, letter).join(''));
  const lines = [];
  for (let length = 0; length < bytes; length += lines.at(-1).length + 1)
    lines.push(
      Array.from({ length: 12 }, () => words[Math.min(random(4000), random(4000), random(4000))]).join(' '),
    );
  return `${lines.join('\n')}\n`;
}

/** A random 3-SAT formula in DIMACS form, near the ratio where they are hard. */
export function formula(variables, seed = 11) {
  const random = numbers(seed);
  const clauses = Math.floor(variables * 4.26);
  const lines = [`p cnf ${variables} ${clauses}`];
  for (let i = 0; i < clauses; i++) {
    const chosen = new Set();
    while (chosen.size < 3) chosen.add(1 + random(variables));
    lines.push(`${[...chosen].map((v) => (random(2) === 0 ? v : -v)).join(' ')} 0`);
  }
  return `${lines.join('\n')}\n`;
}

/** A script of Lua: closures, tables, strings, and errors that are caught (longjmp) in each round. */
export const luaScript = `
local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end
local total = 0
for round = 1, 120 do
  local words = {}
  for i = 1, 6000 do words[i] = string.format("%08d", (i * 7919 + round) % 100003) end
  table.sort(words)
  total = total + #table.concat(words, ",")
  for i = 1, 8000 do
    local ok, message = pcall(function() if i % 2 == 0 then error({ code = i }) end return i end)
    total = total + (ok and 1 or message.code)
  end
  local text = string.rep("abc def ", 600)
  for word in text:gmatch("%a+") do total = total + #word:upper() end
  total = total + fib(18)
end
print(total)
`;

/** Statements of SQL: inserts, an index, joins, sorting and grouping. */
export const sqlScript = `
.load build-kymo/regexp.so
create table points(id integer primary key, x integer, y integer, name text);
insert into points
  with recursive n(i) as (select 1 union all select i + 1 from n where i < 400000)
  select i, (i * 7919) % 10007, (i * 104729) % 9973, 'point ' || ((i * 31) % 1000) from n;
create index byX on points(x);
select count(*), sum(a.y) from points a join points b on a.x = b.x where b.y < 700;
select name, count(*), avg(x), max(y) from points group by name order by 3 desc limit 5;
select id from points where name like '%99%' order by y, x limit 5;
update points set y = y + 1 where x % 3 = 0;
select count(*) from points where name regexp 'nt [0-9]*[13579]9$';
select sum(length(name) * y) from points;
`;

export function write(tree, name, content) {
  writeFileSync(path.join(tree, name), content);
}

/** Random points in a cube as qhull reads them: dimension, number, coordinates. */
export function points(count, dimension, seed = 13) {
  const random = numbers(seed);
  const coordinate = () => (random(2_000_001) - 1_000_000) / 1_000_000;
  const lines = Array.from({ length: count }, () => Array.from({ length: dimension }, coordinate).join(' '));
  return `${[dimension, count, ...lines].join('\n')}\n`;
}

/** A colour picture (portable pixmap) with slopes and noise. */
export function image(width, height, seed = 17) {
  const random = numbers(seed);
  const header = Buffer.from(`P6\n${width} ${height}\n255\n`);
  const pixels = Buffer.alloc(width * height * 3);
  for (let i = 0; i < pixels.length; i++) pixels[i] = (((i / 3) % width) >> 4) + random(24);
  return Buffer.concat([header, pixels]);
}

/** Aligned nucleotide sequences (FASTA) that descend from each other with changes. */
export function sequences(count, length, seed = 19) {
  const random = numbers(seed);
  const all = [Array.from({ length }, () => 'ACGT'[random(4)]).join('')];
  while (all.length < count) {
    const parent = all[random(all.length)];
    all.push([...parent].map((base) => (random(20) === 0 ? 'ACGT'[random(4)] : base)).join(''));
  }
  return all.map((sequence, i) => `>s${i}\n${sequence}\n`).join('');
}

/** A script of JavaScript: the same kinds of work, with exceptions. */
export const javaScript = `
function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
var total = 0;
for (var round = 0; round < 12; round++) {
  var words = [];
  for (var i = 0; i < 3000; i++) words[i] = ((i * 7919 + round) % 100003) + 'x';
  words.sort();
  total += words.join(',').length;
  for (i = 0; i < 6000; i++) {
    try { if (i % 2 == 0) throw { code: i }; total += 1; } catch (error) { total += error.code; }
  }
  total += 'abc def ghi'.replace(/[a-f]+/g, 'x').length + fib(17);
}
print(total);
`;
