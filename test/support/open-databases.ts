/** The databases of PostgreSQL that tests of this process made and did not drop yet. */
export const openDatabases = new Set<string>()
