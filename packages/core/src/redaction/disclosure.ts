// What may be told in one request. Everything that was written by people or read from live objects passes through here on
// its way out: what is plain is told as it is, everything else by its kind or under a name of Grus's own. The same thing has
// the same stand-in throughout the request, so that structure survives.
import type { RedactionLevel } from './level.js';
import { isPlainLabel, isPlainName, isSensitiveName, isVocabulary } from './names.js';
import { removeSecrets } from './secrets.js';

export class Disclosure {
  readonly #identifiers = new Set<string>();
  readonly #labels = new Set<string>();
  readonly #standIns = new Map<string, string>();

  constructor(readonly level: RedactionLevel) {}

  /** Whether values may be told at all. */
  get values(): boolean {
    return this.level === 'values';
  }

  /** Identifiers that stand in the code. */
  addIdentifiers(names: Iterable<string>): void {
    for (const name of names) this.#identifiers.add(name);
  }

  /** Labels of live tables, which literals of the code may repeat. */
  addLabels(labels: Iterable<string>): void {
    for (const label of labels) this.#labels.add(label);
  }

  isLabel(text: string): boolean {
    return this.#labels.has(text);
  }

  /** An identifier of the code. */
  name(identifier: string): string {
    return isPlainName(identifier) ? identifier : this.#standIn('name_', identifier, '');
  }

  /** A name that may not be told, whatever it looks like. */
  hiddenName(identifier: string): string {
    return this.#standIn('name_', identifier, '');
  }

  /** A name that only the live objects know: an attribute, a parameter, a layer. */
  liveName(name: string): string {
    return this.#plain(name) ? name : this.hiddenName(name);
  }

  /** A class with its module, part by part. What a module of a library names is typed code; the notebook makes up the rest. */
  className(name: string): string {
    if (!/^[\w.<>]{1,200}$/.test(name)) return this.hiddenName(name);
    const parts = name.split('.');
    const imported = parts.length > 1 && parts[0] !== '__main__';
    // Several words that stand nowhere in the code may be a sentence.
    const madeUp = parts.filter(
      (part) => part !== '__main__' && part !== '<locals>' && !this.#identifiers.has(part),
    );
    const shown = (part: string): string =>
      imported
        ? this.name(part)
        : madeUp.length > 1 && madeUp.includes(part)
          ? this.hiddenName(part)
          : this.liveName(part);
    return parts.map((part) => (part === '<locals>' ? part : shown(part))).join('.');
  }

  /** A column, an index, a series. */
  label(label: string): string {
    if (this.values) {
      const clean = removeSecrets(label);
      if (clean === label) return label;
    } else if (this.#plain(label)) return label;
    return this.#standIn('<label ', label, '>');
  }

  /** Whether the word may be told wherever it stands. */
  isPublic(word: string): boolean {
    return (this.#identifiers.has(word) && isPlainName(word)) || isVocabulary(word);
  }

  #plain(text: string): boolean {
    return text === '' || (this.#identifiers.has(text) ? isPlainName(text) : isPlainLabel(text));
  }

  #standIn(before: string, text: string, after: string): string {
    const key = `${before}${text}`;
    const known = this.#standIns.get(key);
    if (known !== undefined) return known;
    const fresh = `${before}${this.#standIns.size + 1}${after}`;
    this.#standIns.set(key, fresh);
    return fresh;
  }
}

/** Whether a text may be told at the level of values, under a name that does not speak of a secret. */
export function isHarmlessText(text: string, under: string | null = null): boolean {
  return (under === null || !isSensitiveName(under)) && removeSecrets(text) === text;
}
