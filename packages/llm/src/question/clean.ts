// What a model wrote, made fit to be shown: short, on one line, without terminal escapes, hidden characters, secrets, or
// pieces of the instructions.
import { removeSecrets, visible } from '@grus/core';
import { instructions } from './instructions.js';

const longestQuote = 60;

export function cleanText(text: string, longest = 600): string {
  const line = removeSecrets(visible(text.replace(/\u001b\[[0-?]*[ -/]*[@-~]/g, '')))
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line;
}

/** Whether a text repeats a good piece of what the model was told. */
export function quotesInstructions(text: string): boolean {
  const words = plain(text);
  for (let start = 0; start + longestQuote <= plainInstructions.length; start += 20)
    if (words.includes(plainInstructions.slice(start, start + longestQuote))) return true;
  return /<<<\s*(?:CODE|RUNTIME|EARLIER|TARGET)\b|\b(?:CODE|RUNTIME|EARLIER|TARGET)\s*>>>/.test(text);
}

function plain(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]+/g, ' ');
}

const plainInstructions = plain(instructions);

/** A class name as Python prints it, without its module. */
export function cleanException(text: string | null): string | null {
  const name = text?.trim().split('.').at(-1) ?? '';
  return /^[A-Z]\w{2,60}$/.test(name) ? name : null;
}
