/** Checks that the target stores of a move are free, before anything of another installation is changed. */
import { createHash, randomUUID } from 'node:crypto'
import Type from 'typebox'
import { inspectPostgresControl } from '#control/inspect.ts'
import { EVIDENCE_ID, MOVING_FROM, readSetting, writeSetting } from '#control/settings.ts'
import type { ControlStore } from '#control/store.ts'
import { count, rows, sql, text, uuid } from '#evidence/sql.ts'
import type { EvidenceStore, ServerEvidence } from '#evidence/store.ts'
import { evidenceIdentity, readIdentity } from '#evidence/store-identity.ts'
import { formatSize } from '#quantities.ts'
import { Refusal } from '#refusal.ts'
import type { MoveState } from './move-state.ts'
import { MOVED_TABLES } from './moved-tables.ts'
import { storedParts } from './pieces.sql.ts'
import { totalOf } from './report.ts'
import type { MoveTarget } from './target.ts'

/** What is moved, and where its copies are; null: not copied yet. */
export type Copies = Pick<MoveState, 'evidence_id' | 'to_evidence' | 'to_control'>

/** Older servers are not tested, and do not have all settings that Spoor sends. */
const OLDEST_SERVER = [25, 8] as const

/**
 * Marks the targets as taken by the installation of this evidence. They must be empty, or hold an interrupted copy of
 * it. `bytes`: the size of the evidence.
 * @throws Refusal conflict: they hold other data; not_readable: too old, or too few rights; store_busy: too little
 * space.
 */
export async function claimTarget(
  { control, evidence, is_cluster }: MoveTarget,
  evidence_id: string,
  bytes: number,
): Promise<void> {
  if (control !== null) await refuseControlInUse(control, evidence_id)
  if (evidence !== null) {
    await checkVersion(evidence)
    await claimServers(evidence, evidence_id)
    await checkRights(evidence)
    // In a cluster, one server does not show the free space of the others.
    if (!is_cluster) await checkRoom(evidence, bytes)
  }
  // The mark is last, because no service starts on a database with it.
  await control?.transaction((tx) => writeSetting(tx, MOVING_FROM, evidence_id))
}

/**
 * The identity of servers with a copy, derived from the one that they will take over, so that a repeated move knows it.
 */
export function identityOfCopy(evidence_id: string): string {
  const hash = createHash('sha256').update(`copy of ${evidence_id}`).digest('hex')
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `a${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ].join('-')
}

/**
 * Before the database is opened, which upgrades its tables. One that was handed over has the identity of the evidence.
 * @throws Refusal conflict: it is the control store of another installation.
 */
export async function refuseOtherControl(url: string, copies: Copies): Promise<void> {
  const { is_installed, moving_from, evidence_id } = await inspectPostgresControl(url)
  if (moving_from === null && !is_installed) return
  if ((moving_from ?? evidence_id) === copies.evidence_id) return
  throw copies.to_control === null ? otherControl() : notTheDatabase(copies)
}

async function refuseControlInUse(control: ControlStore, evidence_id: string): Promise<void> {
  const from = await readSetting(control.db, MOVING_FROM)
  if (from === evidence_id) return
  if (from !== null || (await isInUse(control))) throw otherControl()
}

/** Whether a control store holds an installation. */
export async function isInUse(control: ControlStore): Promise<boolean> {
  if ((await readSetting(control.db, EVIDENCE_ID)) !== null) return true
  return (await control.db.selectFrom('accounts').select('id').limit(1).execute()).length > 0
}

/**
 * Like `refuseOtherControl`, for servers, before their tables are upgraded.
 * @throws Refusal conflict: they hold other evidence.
 */
export async function refuseOtherEvidence(servers: EvidenceStore, copies: Copies): Promise<void> {
  const identity = await readIdentity(servers)
  if (identity === copies.evidence_id || identity === identityOfCopy(copies.evidence_id)) return
  if (totalOf(await storedOfMoved(servers), 'rows') === 0) return
  throw copies.to_evidence === null ? otherEvidence() : notTheServers(copies)
}

async function claimServers(evidence: ServerEvidence, evidence_id: string): Promise<void> {
  const copy = identityOfCopy(evidence_id)
  if ((await evidenceIdentity(evidence)) === copy) return
  if (totalOf(await storedOfMoved(evidence), 'rows') > 0) throw otherEvidence()
  await evidence.run(sql`INSERT INTO spoor.identity (id) SELECT ${uuid(copy)}`)
  await evidence.run(sql`DELETE FROM spoor.identity WHERE id != ${uuid(copy)}`)
}

const serverVersion = rows(Type.Object({ version: Type.String() }))`SELECT version() AS version`

async function checkVersion(evidence: ServerEvidence): Promise<void> {
  const [found] = await evidence.all(serverVersion)
  const [year = 0, month = 0] = (found?.version ?? '').split('.').map(Number)
  if (year > OLDEST_SERVER[0] || (year === OLDEST_SERVER[0] && month >= OLDEST_SERVER[1])) return
  throw new Refusal(
    'not_readable',
    `The ClickHouse servers have version ${found?.version}; ${OLDEST_SERVER.join('.')} or a later one is needed. Update them and repeat.`,
  )
}

/** Inserts and deletes a row. If a crash leaves it, the copy deletes it, because the source does not have it. */
async function checkRights(evidence: ServerEvidence): Promise<void> {
  const id = randomUUID()
  await evidence.run(sql`INSERT INTO spoor.address_proofs (id, suffix) SELECT ${uuid(id)}, ${text('')}`)
  await evidence.run(sql`DELETE FROM spoor.address_proofs WHERE id = ${uuid(id)}`)
}

const freeBytes = rows(Type.Object({ bytes: count() }))`
  SELECT sum(least(free_space, 1125899906842624)) AS bytes FROM system.disks`

/** Checks the free space, less what an interrupted copy has already stored. */
async function checkRoom(evidence: ServerEvidence, bytes: number): Promise<void> {
  const [free] = await evidence.all(freeBytes)
  const needed = bytes - totalOf(await storedOfMoved(evidence), 'bytes')
  if (free === undefined || free.bytes >= needed) return
  throw new Refusal(
    'store_busy',
    `The ClickHouse server has ${formatSize(free.bytes)} free, and the evidence that is still to be copied takes ${formatSize(needed)}. Make room there and repeat.`,
  )
}

async function storedOfMoved(evidence: EvidenceStore) {
  const names = new Set(MOVED_TABLES.map(({ name }) => name))
  return (await evidence.all(storedParts)).filter(({ table }) => names.has(table))
}

const otherControl = () =>
  new Refusal(
    'conflict',
    'The database of SPOOR_DATABASE_URL is the control store of an installation already. Name an empty one.',
  )

const otherEvidence = () =>
  new Refusal(
    'conflict',
    'The ClickHouse servers hold other evidence already (database spoor). Name empty ones, or drop that database there.',
  )

/** The refusal of a database without the copy. */
export const notTheDatabase = ({ to_control }: Copies) =>
  new Refusal(
    'conflict',
    `The database of SPOOR_DATABASE_URL is not the one that holds the copy of this installation. Set SPOOR_DATABASE_URL as before, to ${to_control}.`,
  )

/** The refusal of servers without the copy. */
export const notTheServers = ({ to_evidence }: Copies) =>
  new Refusal(
    'conflict',
    `The ClickHouse servers are not those that hold the copy of this installation. Set SPOOR_CLICKHOUSE_URL as before, to ${to_evidence}.`,
  )
