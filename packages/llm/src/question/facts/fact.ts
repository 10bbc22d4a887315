// One fact of a snapshot on its way into a question: what it is about, its category, and how much it matters.

/** The study's three categories of runtime information; each can be left out, to measure what it is worth. */
export const categories = ['structural', 'representation', 'values'] as const;
export type Category = (typeof categories)[number];

export interface Fact {
  readonly subject: string;
  readonly category: Category;
  readonly text: string;
  /** The lower, the sooner it is wanted. */
  readonly rank: number;
}

/** A part of the facts of one object, before it is known how far the object is from the cell. */
export interface Part {
  readonly category: Category;
  readonly text: string;
  readonly rank: number;
}

export function part(category: Category, rank: number, text: string): Part {
  return { category, rank, text };
}
