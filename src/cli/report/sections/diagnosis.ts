import { diagnose } from '../../../workflows/diagnose';
import { hypothesesFor } from '../../../workflows/diagnosing/hypothesesFor';
import { nothingText, notSearched } from '../../terminal/diagnosis/diagnosisText';
import { findingFacts, searchFacts } from '../../terminal/diagnosis/searchFacts';
import { texts, type Section } from '../base/document';
import type { Reported } from '../base/reported';

/** Why and where the program is slow, as `kymo diagnose` finds it; undefined for a profile without time. */
export async function diagnosisSection(
  { input, run }: Reported,
  workspace: string,
): Promise<Section | undefined> {
  if (run?.context === undefined) return undefined;
  const hypotheses = await hypothesesFor(input, workspace);
  const found = diagnose({ inputs: [run.measured], hypotheses });
  const { record, findings } = found;
  return {
    id: 'diagnosis',
    title: 'Diagnosis',
    blocks: [
      ...texts(searchFacts(found)),
      ...texts(findings.length === 0 ? [nothingText(record)] : []),
      ...findings.map((finding) => {
        const { title, region } = finding.property;
        const where = region?.file === undefined ? [] : [`${region.file}:${region.line ?? 1}`];
        return {
          kind: 'finding' as const,
          title,
          facts: [...where, ...findingFacts(finding, record)],
          next: `Next: ${finding.advice}`,
        };
      }),
      ...texts(notSearched(record)),
    ],
  };
}
