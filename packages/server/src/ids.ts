// How runs, projects and tokens are named. What comes from outside is looked at before the database is asked or a path is made of it.
export function isId(text: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
}
