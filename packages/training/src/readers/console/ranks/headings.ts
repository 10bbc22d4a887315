// Where a launcher or a person put what several ranks said below each other, under a heading for each: "[Rank 5 Error Snippet]:",
// "----- rank 5 -----", "==> logs/rank5.log <==". What stands below names no rank and is of that one.
import { rankOfPath } from '../../../ranks/present/path-rank.js';

const longest = 120;
const ofFile = /^==> (\S+) <==$/;
/** Nothing but the rank and a few words, set off from what follows. */
const ofRank =
  /^(?=[[(<=#*>~-]|.*:$)[^\w\n]{0,40}(?:[A-Za-z]+ ){0,3}(?:global[ _])?rank[ :=#_-]{0,2}(\d{1,5})(?: ?\([^()]*\)| on [\w.-]+)?(?:[ '][A-Za-z]+){0,4}[^\w\n]{1,40}$/i;

interface Said {
  readonly text: string;
  readonly rank: number | null;
  readonly process?: { readonly pid: number };
}

/** Before what launchers put there is taken off. */
export function mayBeHeading(text: string): boolean {
  return /rank[ :=#_-]{0,2}\d{1,5}\D{0,60}$/i.test(text) && /[\]:=#*<>~)-]\s*$/.test(text);
}

/** Sets what follows apart from what stands before. */
export function isHeading(text: string): boolean {
  return text.length <= longest && (ofRank.test(text) || ofFile.test(text));
}

export class Headings {
  private rank: number | null = null;
  private speaker: number | null = null;

  /** Whose heading stands above. */
  get above(): number | null {
    return this.rank;
  }

  /** The rank that a line without one stands under. */
  under(bare: Said): number | null {
    const speaker = bare.process?.pid ?? null;
    const text = bare.text.trim();
    if (text.length <= longest && text.length > 5) {
      const file = ofFile.exec(text)?.[1];
      const digits = ofRank.exec(text)?.[1];
      if (file !== undefined || digits !== undefined) {
        this.rank = file === undefined ? Number(digits) : rankOfPath(file);
        this.speaker = speaker;
        return null;
      }
    }
    // Whoever speaks then put no heading there.
    if (bare.rank !== null || speaker !== this.speaker) this.rank = null;
    return this.rank;
  }
}
