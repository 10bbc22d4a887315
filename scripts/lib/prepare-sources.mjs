// What is made from other files before anything can be bundled.
import bundlePages from '../../packages/cli/scripts/bundle-pages.mjs';
import bundleAgent from '../../packages/kernel/scripts/bundle-agent.mjs';
import { assertReasons } from '../../packages/kernel/scripts/generate-reasons.mjs';
import bundleRegistry from '../../packages/notebook/scripts/bundle-registry.mjs';

export async function prepareSources() {
  await assertReasons();
  await bundleAgent();
  bundleRegistry();
  bundlePages();
}
