import { mayBeRegression } from '../../core/gate/gate';
import type { GateReport, ReportedEntry } from '../../core/gate/report';
import { subjectOf } from '../../core/gate/words';
import { relativeTo } from '../property-exports/place';

/** JUnit XML: a test case for each criterion. What cannot be told is an error, because it is not known to be good. */
export function gateJunit(
  { target, entries, incomparable, sentence, verdict }: GateReport,
  root: string,
): string {
  const cases = [
    ...incomparable.map((reason) => errorCase('comparison', reason)),
    ...entries.map((entry) => testCase(entry, root)),
  ];
  const count = (wanted: string): number => cases.filter((one) => one.includes(`<${wanted} `)).length;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="kymo gate">`,
    ` <testsuite name="${escaped(target)}" tests="${cases.length}" failures="${count('failure')}" errors="${count('error')}" skipped="${count('skipped')}">`,
    `  <properties><property name="verdict" value="${verdict}"/><property name="sentence" value="${escaped(sentence)}"/></properties>`,
    ...cases,
    ' </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function testCase(entry: ReportedEntry, root: string): string {
  const { criterion, place, verdict, sentence, values, unit } = entry;
  const file =
    place?.file === undefined
      ? ''
      : ` file="${escaped(relativeTo(root, place.file))}"${place.line === undefined ? '' : ` line="${place.line}"`}`;
  const seconds = unit === 'sec' ? ` time="${values[1]}"` : '';
  const open = `  <testcase classname="${criterion}" name="${escaped(subjectOf(entry))}"${file}${seconds}>`;
  if (verdict === 'regression') return `${open}<failure message="${escaped(sentence)}"/></testcase>`;
  if (mayBeRegression(entry)) return `${open}<error message="${escaped(sentence)}"/></testcase>`;
  return `${open}<system-out>${escaped(sentence)}</system-out></testcase>`;
}

function errorCase(name: string, message: string): string {
  return `  <testcase classname="comparison" name="${name}"><error message="${escaped(message)}"/></testcase>`;
}

/** Text of programs in XML 1.0, which cannot have most control characters. */
function escaped(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replace(/[\t\n\r]/g, ' ');
}
