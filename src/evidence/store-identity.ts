/**
 * The identity of an evidence store. It is generated once and stored with the facts, so every copy and backup has it.
 */
import { randomUUID } from 'node:crypto'
import Type from 'typebox'
import { rows, sql, uuid } from './sql.ts'
import type { EvidenceStore } from './store.ts'

/**
 * The uuid of a store. The first call generates it: at the start of the only process of an embedded store, or in the
 * migration of a server, which only one process runs at a time.
 */
export async function evidenceIdentity(store: Pick<EvidenceStore, 'all' | 'run'>): Promise<string> {
  const known = await readIdentity(store)
  if (known !== null) return known
  await store.run(sql`INSERT INTO spoor.identity (id) SELECT ${uuid(randomUUID())}`)
  const created = await readIdentity(store)
  if (created === null) throw new Error('The evidence store has lost its identity.')
  return created
}

/** Null before the first start. */
export async function readIdentity(store: Pick<EvidenceStore, 'all'>): Promise<string | null> {
  const [known] = await store.all(identity)
  return known === undefined ? null : known.id
}

const identity = rows(Type.Object({ id: Type.String() }))`
  SELECT toString(id) AS id FROM spoor.identity ORDER BY id LIMIT 1`
