// What there is to tell: the kinds of events, and what a message can say of one.

export const events = ['failure', 'recurrence', 'warning'] as const;
export type NotifyEvent = (typeof events)[number];

/** Everything that a template may name, as text; what is not known is empty. */
export interface Facts {
  readonly event: NotifyEvent;
  readonly project: string;
  readonly run: string;
  readonly run_id: string;
  readonly outcome: string;
  readonly headline: string;
  readonly category: string;
  readonly subcause: string;
  readonly node: string;
  readonly person: string;
  readonly evidence: string;
  readonly remedy: string;
  /** How often the same failure came before, in words. */
  readonly again: string;
}

export type Placeholder = keyof Facts | 'link';

const named: Readonly<Record<Placeholder, true>> = {
  event: true,
  project: true,
  run: true,
  run_id: true,
  outcome: true,
  headline: true,
  category: true,
  subcause: true,
  node: true,
  person: true,
  evidence: true,
  remedy: true,
  again: true,
  link: true,
};
export const placeholders = Object.keys(named) as Placeholder[];
