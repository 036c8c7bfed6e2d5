/** The software bill of materials beside the bundles: valid CycloneDX 1.6, and the same packages as the notices that ship. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import Ajv from 'ajv';
import { describe, expect, it } from 'vitest';
import { version } from '../../package.json';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

interface Component {
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly 'bom-ref': string;
  readonly licenses: readonly { readonly license?: { readonly id?: string }; readonly expression?: string }[];
}
interface Bom {
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[];
}
const bom = JSON.parse(read('dist/sbom.cdx.json')) as Bom;

const lines = ({ name, version: own, licenses, purl }: Component): string =>
  `${name} ${own} (${licenses.map(({ license, expression }) => license?.id ?? expression ?? '').join()}) ${purl}`;

describe('dist/sbom.cdx.json', () => {
  it('is CycloneDX 1.6 by its official schema', () => {
    const schema = (name: string): object =>
      JSON.parse(
        read(`node_modules/@cyclonedx/cyclonedx-library/res/schema/${name}.SNAPSHOT.schema.json`),
      ) as object;
    const ajv = new Ajv({ strict: false, validateFormats: false });
    for (const name of ['spdx', 'jsf-0.82', 'cryptography-defs'])
      ajv.addSchema(schema(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`);
    const valid = ajv.compile(schema('bom-1.6'));
    expect(valid(bom), JSON.stringify(valid.errors)).toBe(true);
    expect(bom).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6' });
    expect(valid({ ...bom, components: [{ type: 'library' }] })).toBe(false);
  });

  it('has the packages of the notices, each with version, licence and address, and no other', () => {
    const notices = [
      ...read('dist/THIRD-PARTY-NOTICES.txt').matchAll(/^(@?[\w./-]+) (\d\S*) \((.+)\)$/gm),
    ].map(
      ([, name = '', own = '', license = '']) =>
        `${name} ${own} (${license}) pkg:npm/${name.replace('@', '%40')}@${own}`,
    );
    expect(notices.length).toBeGreaterThan(10);
    expect(bom.components.map(lines).sort()).toEqual([...notices].sort());
  });

  it('is of this version of Kymo, which depends on all of them', () => {
    const { component } = bom.metadata;
    expect(lines(component)).toBe(`kymo ${version} (MIT) pkg:npm/kymo@${version}`);
    const own = bom.dependencies.find(({ ref }) => ref === component['bom-ref']);
    expect([...(own?.dependsOn ?? [])].sort()).toEqual(bom.components.map((one) => one['bom-ref']).sort());
  });
});
