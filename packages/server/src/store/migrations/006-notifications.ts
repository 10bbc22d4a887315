// What is to be told to whom. A key is told once to a channel, for good; the addresses are in the configuration alone.

export const notifications = `
create table channels (
  name text primary key,
  events text[] not null,
  -- Null: every project.
  projects text[]
);

create table notifications (
  id uuid primary key default gen_random_uuid(),
  project_id uuid not null references projects (id) on delete cascade,
  run_id uuid not null references runs (id) on delete cascade,
  channel text not null,
  key text not null,
  facts jsonb not null,
  state text not null default 'waiting' check (state in ('waiting', 'sending', 'sent', 'refused', 'unclear')),
  tries integer not null default 0,
  trouble text,
  created timestamptz not null default now(),
  changed timestamptz not null default now(),
  unique (channel, key)
);
create index notifications_by_time on notifications (project_id, created desc);
`;
