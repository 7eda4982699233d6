import { type Fragment, sql } from '#evidence/sql.ts'

/** All rows of these statements. @throws Error for none: ask isEmptyScope() first. */
export function unionAll(parts: readonly Fragment[]): Fragment {
  const [first, ...rest] = parts
  if (first === undefined) throw new Error('an empty scope has no statement: ask isEmptyScope() first')
  return rest.reduce((all, part) => sql`${all} UNION ALL ${part}`, first)
}
