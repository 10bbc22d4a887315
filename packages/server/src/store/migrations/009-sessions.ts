// People who signed in with the issuer of their team, and those who are about to. Neither is in a backup.

export const sessions = `
create table sign_ins (
  -- Of what the browser that began it was given.
  hash text primary key,
  state text not null,
  nonce text not null,
  verifier text not null,
  next text not null,
  expires timestamptz not null
);

create table sessions (
  hash text primary key,
  subject text not null,
  name text not null,
  groups text[] not null,
  -- For signing out at the issuer.
  id_token text not null,
  expires timestamptz not null
);
`;
