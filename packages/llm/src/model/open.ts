// Opens the configured model with everything around it: retries, limits, cache, and a recorder when one is wanted.

import type { LlmSettings } from '../settings/settings.js';
import { modelName } from '../settings/spec.js';
import { cached } from './cached.js';
import { Ledger } from './ledger.js';
import { limited } from './limited.js';
import { llamaModel } from './llama/model.js';
import { metered } from './metered.js';
import type { Model } from './model.js';
import { priceOf } from './prices.js';
import { languageModel } from './providers.js';
import { recordedModel } from './recorded.js';
import { recording } from './recorder.js';
import { retrying } from './retrying.js';
import { sdkModel } from './sdk.js';

export interface OpenOptions {
  /** Folder that every answer is written to. */
  readonly record?: string;
  readonly fetch?: typeof globalThis.fetch;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** The model of one check: its spending limit counts from here. */
export type OpenModel = () => Model;

export async function openModel(settings: LlmSettings, options: OpenOptions = {}): Promise<OpenModel> {
  const { spec } = settings;
  const recorded = (model: Model) =>
    options.record === undefined ? model : recording(model, options.record);
  if (spec.kind === 'recorded') {
    const replay = recorded(recordedModel(spec.folder));
    return () => replay;
  }
  const source = await sourceOf(settings, options);
  const steady = limited(retrying(source, settings), settings.concurrency);
  const ledger = new Ledger(settings.state);
  const price = settings.price ?? priceOf(spec);
  return () => {
    const counted = metered(steady, { ...settings, price, ledger });
    return recorded(settings.cache === null ? counted : cached(counted, settings.cache));
  };
}

async function sourceOf(settings: LlmSettings, { fetch, env = process.env }: OpenOptions): Promise<Model> {
  const { spec } = settings;
  const options = { ...settings, name: modelName(spec) };
  if (spec.kind === 'llama') return llamaModel(spec.file, { ...options, env });
  return sdkModel(await languageModel(settings, fetch, env), options);
}
