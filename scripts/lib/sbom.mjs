// The software bill of materials of a release: what is bundled in the extension and the command line, in CycloneDX 1.6.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Enums, Models, Serialize, Spec } from '@cyclonedx/cyclonedx-library';
import { root } from './system.mjs';

/**
 * Without time and serial number: the same sources make the same text.
 * @param {ReturnType<typeof import('./notices.mjs').bundledPackages>} packages
 * @returns {string} JSON
 */
export function billOfMaterials(packages) {
  const kymo = component(
    Enums.ComponentType.Application,
    JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')),
  );
  const bom = new Models.Bom({ metadata: new Models.Metadata({ component: kymo }) });
  for (const one of packages) {
    const bundled = component(Enums.ComponentType.Library, one);
    bom.components.add(bundled);
    kymo.dependencies.add(bundled.bomRef);
  }
  const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6));
  return `${serializer.serialize(bom, { sortLists: true, space: 2 })}\n`;
}

function component(type, { name, version, license }) {
  // https://github.com/package-url/purl-spec/blob/main/types-doc/npm-definition.md
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  const made = new Models.Component(type, name, { version, purl, bomRef: purl });
  made.licenses.add(
    /^[\w.+-]+$/.test(license) ? new Models.SpdxLicense(license) : new Models.LicenseExpression(license),
  );
  return made;
}
