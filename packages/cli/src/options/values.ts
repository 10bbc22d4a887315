// Parsers of option values: a wrong value is told in one line, before anything is started.
import { GrusError } from '@grus/core';

/** Seconds on the command line, milliseconds inside. */
export function secondsOption(flag: string): (text: string) => number {
  return (text) => positive(flag, text, 'seconds') * 1000;
}

export function millisecondsOption(flag: string): (text: string) => number {
  return (text) => positive(flag, text, 'milliseconds');
}

export function countOption(flag: string, least = 1): (text: string) => number {
  return (text) => {
    const value = text.trim() === '' ? Number.NaN : Number(text);
    if (Number.isSafeInteger(value) && value >= least) return value;
    throw new GrusError(`${flag} ${text} is not a whole number from ${least} on`, {
      advice: `Give one, such as ${flag} 5.`,
    });
  };
}

function positive(flag: string, text: string, unit: string): number {
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  throw new GrusError(`${flag} ${text} is not a number of ${unit}`, {
    advice: `Give a positive number, such as ${flag} 60.`,
  });
}

/** The names of a type as a list; the compiler sees to it that none is missing. */
export function choicesOf<Choice extends string>(named: Readonly<Record<Choice, true>>): readonly Choice[] {
  return Object.keys(named) as Choice[];
}

export function choiceOption<Choice extends string>(
  flag: string,
  choices: readonly Choice[],
): (text: string) => Choice {
  return (text) => {
    const choice = choices.find((candidate) => candidate === text);
    if (choice) return choice;
    throw new GrusError(`${flag} ${text} is not known`, { advice: `Choose one of ${choices.join(', ')}.` });
  };
}
