/**
 * One spelling for each built-in type of C and C++. The languages allow the words in any order and some of them to be left out, and gcc,
 * clang, demanglers and people use that freedom: `long int`, `int long`, `signed long` are `long`.
 */
const word =
  '(?:unsigned|signed|__signed__|__signed|char|short|int|long|float|double|__int128|_Complex|__complex__)';
const sequence = new RegExp(String.raw`\b${word}(?: +${word})*\b`, 'g');
const builtIn =
  /^(?:bool|void|wchar_t|char(?:8|16|32)_t|signed char|(?:_Complex )?(?:(?:unsigned )?(?:char|short|int|long|long long|__int128)|float|(?:long )?double))$/;

/** Spellings of single words that mean the same in all of C and C++. */
const synonyms: Readonly<Record<string, string>> = {
  _Bool: 'bool',
  __int128_t: '__int128',
  __uint128_t: 'unsigned __int128',
};

/** What the system's headers make of these names on 64-bit Linux. A program may give them another meaning: they decide no contradiction. */
const usualTypedefs: Readonly<Record<string, string>> = {
  size_t: 'unsigned long',
  ssize_t: 'long',
  ptrdiff_t: 'long',
  intptr_t: 'long',
  uintptr_t: 'unsigned long',
  intmax_t: 'long',
  uintmax_t: 'unsigned long',
  int8_t: 'signed char',
  int16_t: 'short',
  int32_t: 'int',
  int64_t: 'long',
  uint8_t: 'unsigned char',
  uint16_t: 'unsigned short',
  uint32_t: 'unsigned int',
  uint64_t: 'unsigned long',
};

/** The text with each built-in type in its one spelling; everything else stays. Qualifiers have been taken out before. */
export function normalBuiltIns(text: string): string {
  const words = text.replace(/\b(?:_Bool|__u?int128_t)\b/g, (name) => synonyms[name] ?? name);
  return words.replace(sequence, (found) => normal(found.split(/ +/)));
}

function normal(words: readonly string[]): string {
  const has = (...wanted: readonly string[]): boolean => wanted.some((each) => words.includes(each));
  const complex = has('_Complex', '__complex__') ? '_Complex ' : '';
  const longs = words.filter((each) => each === 'long').length;
  if (has('float')) return `${complex}float`;
  // `_Complex` alone is `double`.
  const isComplexAlone = words.every((each) => each === '_Complex' || each === '__complex__');
  if (has('double') || isComplexAlone) return `${complex}${longs > 0 ? 'long ' : ''}double`;
  const unsigned = has('unsigned') ? 'unsigned ' : '';
  if (has('char')) return `${complex}${has('signed', '__signed__', '__signed') ? 'signed ' : unsigned}char`;
  if (has('short')) return `${complex}${unsigned}short`;
  if (has('__int128')) return `${complex}${unsigned}__int128`;
  return `${complex}${unsigned}${['int', 'long', 'long long'][Math.min(longs, 2)] ?? ''}`;
}

/** The same with the names of the standard headers replaced by what they usually mean. */
export function withoutUsualTypedefs(text: string): string {
  return text.replace(
    /\b(?:size|ssize|ptrdiff|u?int(?:ptr|max|8|16|32|64))_t\b/g,
    (name) => usualTypedefs[name] ?? name,
  );
}

/** Whether a type, in its one spelling, is built in. */
export function isBuiltIn(type: string): boolean {
  return builtIn.test(type);
}
