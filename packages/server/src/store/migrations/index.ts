// Every step from nothing to the tables of today, in order. A step that was published is never changed: the next one mends it. A step only
// adds, so that servers of the version before work on while it runs.
import { begin } from './001-begin.js';
import { recurrences } from './002-recurrences.js';
import { lists } from './003-lists.js';
import { feedback } from './004-feedback.js';
import { warnings } from './005-warnings.js';
import { notifications } from './006-notifications.js';
import { failures } from './007-failures.js';
import { checks } from './008-checks.js';
import { sessions } from './009-sessions.js';
import { people } from './010-people.js';
import { words } from './011-words.js';

export interface Migration {
  readonly name: string;
  readonly sql: string;
}

export const migrations: readonly Migration[] = [
  { name: '001-begin', sql: begin },
  { name: '002-recurrences', sql: recurrences },
  { name: '003-lists', sql: lists },
  { name: '004-feedback', sql: feedback },
  { name: '005-warnings', sql: warnings },
  { name: '006-notifications', sql: notifications },
  { name: '007-failures', sql: failures },
  { name: '008-checks', sql: checks },
  { name: '009-sessions', sql: sessions },
  { name: '010-people', sql: people },
  { name: '011-words', sql: words },
];
