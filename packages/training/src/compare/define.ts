// What a comparison of two runs says. Field names are those others script against.
import type { Series, SettingValue } from '../record/run-record.js';
import type { Diagnosis } from '../rules/diagnosis.js';
import type { Lever } from './levers.js';

/** Where a difference lies. */
export type Aspect = 'setting' | 'data' | 'environment' | 'hardware';

export interface Difference {
  readonly aspect: Aspect;
  /** As the newer run writes it: "trainer.lr", "torch", "GPU". */
  readonly name: string;
  /** Null where the run does not have it. */
  readonly before: SettingValue;
  readonly after: SettingValue;
  /** What of the training it acts on; null for names, places, seeds and how often something is logged. */
  readonly lever: Lever | null;
  /** How well it explains that the runs ended differently, from 0 to 1; 0 where it cannot. */
  readonly weight: number;
  /** Whether it was not stated but measured while training went on: then what was stated may have brought it about. */
  readonly measured: boolean;
  /** In words: "30 times as large". */
  readonly change: string;
}

/** From where on the two curves of a metric are apart for good. */
export interface Parting {
  readonly metric: string;
  readonly step: number;
  readonly counts: Series['counts'];
}

/** How a run ended, as far as it is compared. */
export interface ComparedRun
  extends Pick<Diagnosis, 'path' | 'outcome' | 'category' | 'subcause' | 'confidence'> {
  readonly headline: string;
  /** The level at its end of the metric that both runs have. */
  readonly metric: string | null;
  readonly level: number | null;
  /** How far it went by that metric's own count. */
  readonly reached: number | null;
  readonly counts: Series['counts'] | null;
}

/**
 * `alike`: they ended in the same way, and there is nothing to explain. `apart`: one did worse. `shorter`: one ended worse only
 * because it trained less. `unclear`: neither can be called worse, because they failed for different reasons, or did not fail
 * and have no metric in common.
 */
export type Contrast = 'alike' | 'apart' | 'shorter' | 'unclear';

export interface RunComparison {
  readonly before: ComparedRun;
  readonly after: ComparedRun;
  readonly endings: Contrast;
  /** The path of the run that did worse; null unless they are apart. */
  readonly worse: string | null;
  readonly parting: Parting | null;
  /** Those that explain most first, those that cannot matter last. */
  readonly differences: readonly Difference[];
  /** What most likely made the difference; null where nothing that is recorded can have. */
  readonly explanation: Explanation | null;
  /** What one of the runs does not record, so that it was not compared. */
  readonly not_compared: readonly string[];
}

export interface Explanation {
  readonly difference: Difference;
  /** Other differences that explain it nearly as well. */
  readonly rivals: readonly string[];
  readonly text: string;
}
