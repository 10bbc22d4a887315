// The first tables: projects, tokens, runs with what was said of them, and who did what.

export const begin = `
create table projects (
  id uuid primary key default gen_random_uuid(),
  name text not null unique,
  created timestamptz not null default now()
);

create table tokens (
  id uuid primary key default gen_random_uuid(),
  -- Null: every project.
  project_id uuid references projects (id) on delete cascade,
  name text not null,
  role text not null check (role in ('read', 'write', 'admin')),
  hash text not null unique,
  created timestamptz not null default now(),
  revoked timestamptz
);

create table runs (
  id uuid primary key default gen_random_uuid(),
  project_id uuid not null references projects (id) on delete cascade,
  name text not null,
  -- Of the files as they are now: what the verdict must be about.
  digest text not null,
  files jsonb not null,
  bytes bigint not null,
  running boolean not null default false,
  state text not null default 'waiting' check (state in ('waiting', 'judged', 'unreadable')),
  trouble text,
  node text,
  person text,
  created timestamptz not null default now(),
  updated timestamptz not null default now(),
  -- From the verdict, for lists and counts.
  judged_digest text,
  outcome text,
  category text,
  subcause text,
  confidence real,
  onset_step double precision,
  headline text,
  spark jsonb,
  framework text,
  gpu_hours double precision,
  fingerprint text,
  search tsvector,
  unique (project_id, name)
);
create index runs_by_time on runs (project_id, updated desc, id desc);
create index runs_by_digest on runs (project_id, digest);
create index runs_by_fingerprint on runs (project_id, fingerprint);
create index runs_by_cause on runs (project_id, subcause, updated desc);
create index runs_by_word on runs using gin (search);

create table verdicts (
  run_id uuid not null references runs (id) on delete cascade,
  digest text not null,
  verdict jsonb not null,
  shown jsonb not null,
  made timestamptz not null default now(),
  primary key (run_id, digest)
);

create table audit (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  project_id uuid references projects (id) on delete cascade,
  token_id uuid references tokens (id) on delete set null,
  token_name text not null,
  action text not null,
  subject text not null
);
create index audit_by_time on audit (project_id, at desc);
`;
