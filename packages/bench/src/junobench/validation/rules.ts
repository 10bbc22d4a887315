// The ways to count recorded votes among which the hybrid's rule was chosen, so that the choice can be repeated inside a
// fold: how many answers must be sure of a crash, and which words of doubt disqualify one.
import { hedges, readAnswer } from '@grus/llm';

export interface VotingRule {
  readonly name: string;
  /** Whether these answers commit to a crash. */
  readonly crashes: (answers: readonly unknown[]) => boolean;
}

const doubts: Readonly<Record<string, (cause: string) => boolean>> = {
  'doubt counts': () => false,
  'no "may", "might", "could"': (cause) => /\b(?:may|might|could)\b/i.test(cause),
  'no word of doubt': hedges,
};

export const votingRules: readonly VotingRule[] = [1, 2, 3, 4, 5].flatMap((agreement) =>
  Object.entries(doubts).map(([doubt, doubted]) => ({
    name: `${agreement} of 5, ${doubt}`,
    crashes: (answers) =>
      answers.filter((recorded) => {
        const { answer } = readAnswer(typeof recorded === 'string' ? recorded : JSON.stringify(recorded));
        return answer?.detection && !doubted(answer.cause);
      }).length >= agreement,
  })),
);

/** The rule of the product: the LLM rung's defaults. */
export const productRule = votingRules.find(({ name }) => name === '4 of 5, no word of doubt')!;
