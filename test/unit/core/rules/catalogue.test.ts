import { expect, it } from 'vitest';
import { catalogue } from '../../../../src/core/rules/catalogue';
import { resultLines } from '../../resultText';

it('the rules that come with the tool are those of the specification (performance dynamics, §10)', async () => {
  const text = resultLines(catalogue.map(({ definition }) => definition));
  await expect(text).toMatchFileSnapshot('results/catalogue.txt');
});
