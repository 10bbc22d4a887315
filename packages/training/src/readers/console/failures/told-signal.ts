// How a program says itself that a signal ends it: `caught signal 15 (SIGTERM), exiting`, `SIGINT received: shutting down`.
import { messageIn } from '../parts/logger-front.js';
import { type Ending, signalNames } from './ending.js';

const name = String.raw`(?:Signals\.)?(SIG(?!NAL)[A-Z]+[12]?)`;
const signal = String.raw`(?:signal[ :#=]*)?${name}|signal[ :#=]*(\d{1,2})\b`;
const met = '(?:caught|received|got)';
/** Who is told of before the verb is no other process. */
const told = new RegExp(
  String.raw`^\W*(?:(?:(?:the|main|trainer|training|process|program|script|job|run|we|i)[ :]+){0,2}${met} (?:(?:an?|the) )?(?:${signal})|${name}(?: signal)?(?= ${met}|:)(?: ${met})?)(.*)$`,
  'i',
);
const code = /^[ :]*\(?(?:\d{1,2}|SIG[A-Z]+[12]?)\)?(?=\W|$)/i;
const ends =
  /\b(?:exit(?:s|ing)?|quit(?:s|ting)?|abort(?:s|ing)?|terminating|shut(?:s|ting)? down|shutdown)\b(?! \w+ers?\b)/i;
/** Said of what is done in its stead, or of what would be. */
const goesOn =
  /\b(?:profil|worker|ignor|continu|dump|reload|resum|skip|forward|handler|requeu|if |when |not )/i;
/** Signals that a program which says nothing more of them ends with. */
const fatal: ReadonlySet<string> = new Set(
  'SIGHUP SIGINT SIGQUIT SIGTERM SIGUSR1 SIGUSR2 SIGXCPU'.split(' '),
);

/** Null where the line tells of something else. */
export function signalTold(text: string): Ending | null {
  if (text.length > longest || !/sig/i.test(text)) return null;
  const found = told.exec(messageIn(text));
  if (found === null) return null;
  const [, one, number, third, more = ''] = found;
  const named = (one ?? third)?.toUpperCase() ?? signalNames[Number(number)];
  const rest = more.replace(code, '');
  // Programs are told of much else by the signals that have no meaning of their own.
  const isBare = /^\W*$/.test(rest) && third === undefined && !/^SIG(?:HUP|USR)/.test(named ?? '');
  if (named === undefined || !fatal.has(named) || goesOn.test(rest) || !(isBare || ends.test(rest)))
    return null;
  return { source: 'python', reason: 'signal', signal: named, spoken: true };
}

const longest = 300;
