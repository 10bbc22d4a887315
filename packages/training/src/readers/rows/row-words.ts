// What a row of numbers says in words: of which part of the data it is (`{"split": "val", "loss": 0.3}`), or what its only number measures
// (`step,metric,value` and then `10,val_loss,0.3`).
import { shortSplits, splitWords } from '../../record/metric-words.js';
import { identifyMetric } from '../../record/metrics.js';
import { inKnownWords } from '../../record/spellings.js';
import type { Split } from '../../record/split.js';

export interface RowSays {
  /** Null where it is training's, or nothing says. */
  readonly part: Split | null;
  /** The name of the only number, where a word holds it. */
  readonly measure: string | null;
}

export const saysNothing: RowSays = { part: null, measure: null };

/** A longer cell is a message or a path. */
export const longestWord = 40;

/** Fields that tell the part of the data wherever they do; any other has to name two. The first kind speaks of nothing else. */
const splitFields = /^(?:data_?)?(?:split|sub_?set|part(?:ition)?|set)(?:_?name)?$/i;
const kindFields = /^(?:phase|mode|stage|kind|type|event|tag|name|loader|section|what|group|log_?type)$/i;
const measureFields =
  /^(?:metric|name|tag|key|series|scalar|variable|measure|quantity)(?:_?(?:name|key|id))?$/i;
const valueNames = /^(?:metric_?|scalar_?)?(?:value|val)$|^[vy]$|^scalar$/i;
/** Prefixes that `identifyMetric` reads. */
const prefixes = { eval: 'val', test: 'test', train: 'train', system: 'system' } as const;

function tailOf(field: string): string {
  return field.slice(field.lastIndexOf('/') + 1);
}

/** `{"event": "epoch_end"}`: what is told of a whole epoch. */
export function tellsEpoch(words: ReadonlyMap<string, string>): boolean {
  for (const [field, word] of words) if (kindFields.test(tailOf(field)) && /epoch/i.test(word)) return true;
  return false;
}

/** `validation`, `val_epoch_end`, `te`; null for what names no part, or says more than that. What is held out counts: `training_eval` is told while training. */
export function partNamed(text: string): Split | null {
  const words = inKnownWords(text.toLowerCase()).match(/[a-z]+/g) ?? [];
  if (words.length === 0 || words.length > mostWords) return null;
  const named = new Set(
    words.map((word) => splitWords[word] ?? (words.length === 1 ? shortSplits[word] : null)),
  );
  return (['eval', 'test', 'train'] as const).find((part) => named.has(part)) ?? null;
}

const mostWords = 4;

export class RowWords {
  /** The parts that each field has named. */
  private readonly named = new Map<string, Set<Split>>();
  private readonly renamed = new Map<string, string>();

  of(words: ReadonlyMap<string, string>, values: ReadonlyMap<string, number>): RowSays {
    if (words.size === 0) return saysNothing;
    let part: Split | null = null;
    let isCertain = false;
    let measure: string | null = null;
    const isLong = [...values.keys()].filter((name) => valueNames.test(tailOf(name))).length === 1;
    for (const [field, word] of words) {
      const tail = tailOf(field);
      if (isLong && measureFields.test(tail)) {
        measure ??= word;
        continue;
      }
      const named = partNamed(word);
      if (named === null) continue;
      const all = this.named.get(field) ?? new Set<Split>();
      this.named.set(field, all.add(named));
      const tells = splitFields.test(tail);
      if (!tells && !kindFields.test(tail) && all.size < 2) continue;
      if (tells || !isCertain) part = named;
      isCertain ||= tells;
    }
    return part === null && measure === null
      ? saysNothing
      : { part: part === 'train' ? null : part, measure };
  }

  /** The curve's name for a column of a row that says so. */
  curveName(column: string, { part, measure }: RowSays): string {
    const name = measure !== null && valueNames.test(tailOf(column)) ? measure : column;
    if (part === null) return name;
    const key = `${part}\u0000${name}`;
    const known = this.renamed.get(key);
    if (known !== undefined) return known;
    const isSaid = /train/i.test(name) || identifyMetric(name).split !== 'train';
    const made = isSaid ? name : `${prefixes[part]}/${name}`;
    if (this.renamed.size < mostNames) this.renamed.set(key, made);
    return made;
  }
}

const mostNames = 2000;
