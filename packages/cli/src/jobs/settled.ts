// The options of a check as they hold: what the command line says, completed by the settings of the project.
import type { SettingsOptions } from '../options/settings.js';
import { type SettableFlags, withSettings } from '../settings/apply.js';
import { checkSettings } from '../settings/checks.js';
import { settingsFor } from '../settings/find.js';

export interface Settled {
  /** The file that completed the options; null without one. */
  readonly settingsFile?: string | null;
  readonly silenced?: readonly string[];
}

/** For a notebook, or for code on a kernel that somebody else started: then the folder is the current one. */
export async function settled<Flags extends SettingsOptions & SettableFlags>(
  notebook: string | null,
  flags: Flags,
): Promise<Flags & Settled> {
  const settings = await settingsFor(notebook ?? process.cwd(), flags.settings);
  return {
    ...withSettings(flags, settings),
    ...checkSettings(settings, notebook),
    settingsFile: settings.file,
  };
}
