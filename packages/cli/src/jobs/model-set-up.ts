// Which model is set up, as it may be shown to anybody: never a key, and no address that may hold one.
import { hasKey, type LlmOptions, llmSettings, modelName, staysHere } from '@grus/llm';

export interface ModelAnswer {
  readonly model: string;
  /** Questions to it do not leave the machine. */
  readonly local: boolean;
  readonly redaction: string;
  readonly votes: number;
  readonly usd_per_check: number;
  readonly usd_per_day: number;
  /** Whether a key was given; what it is stays unsaid. Null for models that need none. */
  readonly key: boolean | null;
}

/** Null when no model is asked. */
export function modelSetUp(options: LlmOptions): ModelAnswer | null {
  const settings = llmSettings(options);
  return (
    settings && {
      model: modelName(settings.spec),
      local: staysHere(settings.spec),
      redaction: settings.redaction,
      votes: settings.votes,
      usd_per_check: settings.usdPerCheck,
      usd_per_day: settings.usdPerDay,
      key: hasKey(settings),
    }
  );
}
