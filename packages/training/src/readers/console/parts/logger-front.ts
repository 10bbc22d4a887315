// What a logger writes before the message: times, levels, the names of modules, files and processes. A word for a part of the data is none of it,
// though a module may be called by one: `app.train.loop`, `train.py:31`.
import { parts } from './part-words.js';

const front =
  /[\s:|>-]*(?:\[[^\]]{1,60}\]|[IWEFD]\d{4}(?= \d\d:)|\d[\d:.,/ T+-]{6,}Z?|(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR)\b|(?:[\w-]+\.)+[\w-]+(?::\d+)?(?=[\s:|\]-])\]?|(?<=INFO|DEBUG|WARNING):[A-Za-z_]\w*(?=:))[\s:|>-]*/y;
/** Before a level stands nothing of the message. */
const level = /^.{0,100}\b(?:DEBUG|INFO|WARNING|WARN)\b/;

/** Without what its logger wrote before it. */
export function messageIn(text: string): string {
  return text.slice(messageStart(text));
}

/** Where the message of a line begins. */
export function messageStart(text: string): number {
  let at = level.exec(text)?.[0].length ?? 0;
  for (;;) {
    front.lastIndex = at;
    const found = front.exec(text)?.[0];
    if (found === undefined || found.search(parts) >= 0) return at;
    at += found.length;
  }
}
