// The list of somebody who has few runs is read from an index as well, however many others have.

export const people = `
create index runs_by_person on runs (project_id, person, updated desc, id desc);
`;
