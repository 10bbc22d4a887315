// The hand-written rules of the library models, one by one: a rule is whatever a model answers with under a name of its own
// (`pandas methods.dataframe.merge`); its group is what stands in front of the last name (`pandas methods.dataframe`).
import type { LibraryModel } from '@grus/notebook';

export interface Rule {
  readonly name: string;
  readonly group: string;
}

/** What decides nothing: what a model is made of, without which nothing of the library is understood, and its advice. */
const noRules = new Set(['name', 'kinds', 'live', 'publicName', 'successors', 'adviceOnMissing']);

/** The models with every rule replaced by what `change` makes of it; undefined leaves it out. */
export function mapRules(
  models: readonly LibraryModel[],
  change: (rule: Rule, value: unknown) => unknown,
): LibraryModel[] {
  return models.map((model) => {
    const { transfers = [], ...others } = model;
    const parts = Object.entries(others).map(([section, value]) => [
      section,
      noRules.has(section) ? value : mapped(value, [section], model.name, change),
    ]);
    return {
      ...Object.fromEntries(parts.filter(([, value]) => value !== undefined)),
      transfers: transfers.map((table) => mapped(table, [], model.name, change)),
    } as LibraryModel;
  });
}

function mapped(
  value: unknown,
  path: readonly string[],
  library: string,
  change: (rule: Rule, value: unknown) => unknown,
): unknown {
  if (typeof value === 'boolean') return value;
  if (!isTable(value))
    return change(
      {
        name: `${library} ${path.join('.')}`,
        group: `${library} ${path.slice(0, groupDepth(path)).join('.')}`,
      },
      value,
    );
  const entries = Object.entries(value).map(([key, part]) => [
    key,
    mapped(part, [...path, key], library, change),
  ]);
  return Object.fromEntries(entries.filter(([, part]) => part !== undefined));
}

/** Functions of a library are one group, methods and attributes are one for each kind of object. */
function groupDepth([section]: readonly string[]): number {
  return section === 'methods' || section === 'attributes' ? 2 : 1;
}

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** The models, telling of every rule that answered. */
export function observed(models: readonly LibraryModel[], tell: (rule: Rule) => void): LibraryModel[] {
  return mapRules(models, (rule, value) => watched(value, () => tell(rule)));
}

export function without(models: readonly LibraryModel[], isOff: (rule: Rule) => boolean): LibraryModel[] {
  return mapRules(models, (rule, value) => (isOff(rule) ? undefined : value));
}

type Asked = (this: unknown, ...args: unknown[]) => unknown;

/** The same rule; `tell` is called whenever it answers something. */
function watched(value: unknown, tell: () => void): unknown {
  const telling = (ask: Asked): Asked =>
    function (...args) {
      const answer = ask.apply(this, args);
      if (answer !== undefined && answer !== false && answer !== null) tell();
      return answer;
    };
  if (typeof value === 'function') return telling(value as Asked);
  if (value instanceof RegExp)
    return over(
      value,
      'test',
      telling((text) => value.test(String(text))),
    );
  if (value instanceof Set)
    return over(
      value,
      'has',
      telling((item) => value.has(item)),
    );
  if (Array.isArray(value))
    return over(
      value,
      'includes',
      telling((item) => value.includes(item)),
    );
  return value;
}

/** A look-alike with one method replaced. */
function over(value: object, method: string, replacement: Asked): object {
  return Object.create(value, { [method]: { value: replacement } }) as object;
}
