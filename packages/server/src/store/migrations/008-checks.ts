// Notebooks that somebody asked workers to judge. They lie where the workers see them: here are their paths, and what was said of them.

export const checks = `
create table checks (
  id uuid primary key default gen_random_uuid(),
  project_id uuid not null references projects (id) on delete cascade,
  path text not null,
  digest text not null,
  rehearse boolean not null,
  state text not null default 'waiting' check (state in ('waiting', 'judged', 'unreadable')),
  report jsonb,
  trouble text,
  created timestamptz not null default now()
);
`;
