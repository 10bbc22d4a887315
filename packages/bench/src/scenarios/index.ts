export type { Account } from './account.js';
export { loadCatalogue, loadManifest, type Manifest, type Scenario } from './catalogue.js';
export { scenarioCommand } from './command.js';
export type { ScenarioEntry } from './entry.js';
