import { DatabaseSync } from 'node:sqlite'
import { beforeEach, expect, test } from 'vitest'
import { PreparedStatements } from '#control/prepared-statements.ts'

let sqlite: DatabaseSync
let statements: PreparedStatements
beforeEach(() => {
  sqlite = new DatabaseSync(':memory:')
  sqlite.exec("CREATE TABLE sites (id TEXT); INSERT INTO sites VALUES ('a')")
  statements = new PreparedStatements(sqlite)
  return () => sqlite.close()
})

const all = (sql: string, ...values: string[]) => statements.prepare(sql).statement.all(...values)

test('a text is prepared once, and run with the values of each time', () => {
  const find = 'SELECT id FROM sites WHERE id = ?'
  expect(statements.prepare(find)).toBe(statements.prepare(find))
  expect([all(find, 'a'), all(find, 'b'), all(find, 'a')]).toEqual([[{ id: 'a' }], [], [{ id: 'a' }]])
  expect(statements.prepare(find).has_rows).toBe(true)
  expect(statements.prepare('DELETE FROM sites').has_rows).toBe(false)
  expect(statements.prepare('DELETE FROM sites RETURNING id').has_rows).toBe(true)
})

test('a statement that failed works the next time', () => {
  sqlite.exec('CREATE UNIQUE INDEX one ON sites (id)')
  const insert = 'INSERT INTO sites VALUES (?)'
  const add = (id: string) => statements.prepare(insert).statement.run(id).changes
  expect(() => add('a')).toThrow(/UNIQUE/)
  expect([add('b'), add('c')]).toEqual([1, 1])
})

test('after a change of the layout every column is answered', () => {
  const read = 'SELECT * FROM sites'
  expect(all(read)).toEqual([{ id: 'a' }])
  statements.prepare("ALTER TABLE sites ADD COLUMN name TEXT DEFAULT 'A'").statement.run()
  expect(all(read)).toEqual([{ id: 'a', name: 'A' }])
})

test('of many statements the last used are cached, and long ones are not', () => {
  const nth = (at: number) => statements.prepare(`SELECT ${at} AS n`)
  const [first, second] = [nth(0), nth(1)]
  for (let at = 2; at < 300; at++) nth(at)
  expect(nth(0)).toBe(first)
  nth(300)
  expect(nth(0)).toBe(first)
  expect(nth(1)).not.toBe(second)
  const long = `SELECT '${'x'.repeat(5_000)}' AS text`
  expect(statements.prepare(long)).not.toBe(statements.prepare(long))
})
