// Runs that came before are found by the parts of their names, too.

export const words = `
update runs set search = coalesce(search, '') || to_tsvector('simple', translate(name, '/\\:', '   '));
`;
