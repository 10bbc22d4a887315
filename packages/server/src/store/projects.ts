// Projects: every run belongs to one, and a token of one sees nothing of another.
import type { Connection } from './database.js';
import type { Bearer } from './tokens.js';

export interface Project {
  readonly id: string;
  readonly name: string;
}

export async function findProject(connection: Connection, name: string): Promise<Project | null> {
  const [row] = await connection.query<Project>('select id, name from projects where name = $1', [name]);
  return row ?? null;
}

/** Those that somebody may see. */
export async function listProjects(connection: Connection, { grants }: Bearer): Promise<Project[]> {
  const ids = grants.map(({ project }) => project);
  return connection.query('select id, name from projects where $1 or id = any($2::uuid[]) order by name', [
    ids.includes(null),
    ids.filter((id) => id !== null),
  ]);
}

/** The project of this name, made when there is none. */
export async function ensureProject(connection: Connection, name: string): Promise<Project> {
  await connection.query('insert into projects (name) values ($1) on conflict do nothing', [name]);
  return (await findProject(connection, name))!;
}
