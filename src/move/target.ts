/** The target stores of a move: opens, checks and marks them, and hands the installation over to them. */
import { createHash, randomUUID } from 'node:crypto'
import Type, { type Static } from 'typebox'
import { Value } from 'typebox/value'
import type { ClickHouseConfig } from '#config.ts'
import { EVIDENCE_ID, readSetting, writeSetting } from '#control/settings.ts'
import type { ControlStore } from '#control/store.ts'
import { count, rows, sql, text, uuid } from '#evidence/sql.ts'
import type { ServerEvidence } from '#evidence/store.ts'
import { evidenceIdentity } from '#evidence/store-identity.ts'
import { openServers } from '#nodes/open-servers.ts'
import { formatSize } from '#quantities.ts'
import { Refusal } from '#refusal.ts'
import { emptyControl, MOVING_FROM } from './copy-control.ts'
import type { MoveState } from './move-state.ts'
import { MOVED_TABLES } from './moved-tables.ts'
import { checkNamed, namesOf } from './named-targets.ts'
import { storedParts } from './pieces.sql.ts'
import { totalOf } from './report.ts'

const orNull = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const SettingsForm = Type.Object({
  database_url: orNull(Type.String()),
  clickhouse: orNull(Type.Object({ urls: Type.Array(Type.String(), { minItems: 1 }), cluster: orNull(Type.String()) })),
  /** The public name of the key in SPOOR_SECRET_KEY; null: it is not set. */
  secret_key_name: orNull(Type.String()),
  /** The check value of that key, with which the moved installation compares the key of each process. */
  secret_key_check: orNull(Type.String()),
})
/** The settings that the moved installation will have. */
export interface TargetSettings extends Omit<Static<typeof SettingsForm>, 'clickhouse'> {
  clickhouse: ClickHouseConfig | null
}

/** Reads the settings from the body of a request to the operator's socket. @throws Refusal invalid_input. */
export function readTargetSettings(body: Uint8Array): TargetSettings {
  const given: unknown = JSON.parse(Buffer.from(body).toString('utf8'))
  if (Value.Check(SettingsForm, given)) return given
  throw new Refusal(
    'invalid_input',
    'the targets of the move are malformed: does this command have another version than the service?',
  )
}

/** The target stores; null: that store is not moved. */
export interface MoveTarget {
  control: ControlStore | null
  evidence: ServerEvidence | null
  /** Each server has a part of the evidence. */
  is_cluster: boolean
  close(): Promise<void>
}

interface Moves {
  moves_control: boolean
  moves_evidence: boolean
}

/** Older servers are not tested, and lack settings that Spoor sends. */
const OLDEST_SERVER = [25, 8] as const

/** Opens the targets with the newest layout. It neither reads nor changes data of another installation. */
export async function openTarget(
  settings: TargetSettings,
  moves: Moves,
  current: ControlStore | null,
): Promise<MoveTarget> {
  const { openPostgresControl } = await import('#control/postgres.ts')
  const control = moves.moves_control ? await openPostgresControl(settings.database_url as string) : null
  const turns = control ?? current
  try {
    const evidence =
      moves.moves_evidence && turns !== null ? await openServers(settings.clickhouse as ClickHouseConfig, turns) : null
    return {
      control,
      evidence,
      is_cluster: (settings.clickhouse?.cluster ?? null) !== null,
      async close() {
        await evidence?.close()
        await control?.close()
      },
    }
  } catch (error) {
    await control?.close()
    throw error
  }
}

/** Opens the targets of an interrupted move without its sources. @throws Refusal invalid_input. */
export async function openTargetAgain(settings: TargetSettings, state: MoveState): Promise<MoveTarget> {
  checkNamed(settings, state)
  if (state.moves_control) return openTarget(settings, state, null)
  // The control store was on its server before the move, and has the turns.
  const { openPostgresControl } = await import('#control/postgres.ts')
  const current = await openPostgresControl(settings.database_url as string)
  try {
    const target = await openTarget(settings, state, current)
    return {
      ...target,
      async close() {
        await target.close()
        await current.close()
      },
    }
  } catch (error) {
    await current.close()
    throw error
  }
}

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
  if (control !== null) await claimControl(control, evidence_id)
  if (evidence === null) return
  await checkVersion(evidence)
  await claimServers(evidence, evidence_id)
  await checkRights(evidence)
  // In a cluster, one server does not show the free space of the others.
  if (!is_cluster) await checkRoom(evidence, bytes)
}

type Copies = Pick<MoveState, 'evidence_id' | 'to_evidence' | 'to_control'>

/**
 * After the mark, turns the copies into the stores. Each step may be repeated.
 * @throws Refusal conflict: the settings name other stores than those that hold the copies; nothing is changed then.
 */
export async function handOver({ control, evidence }: MoveTarget, copies: Copies): Promise<void> {
  const { evidence_id } = copies
  if (evidence !== null) {
    const found = await evidenceIdentity(evidence)
    if (found !== evidence_id && found !== identityOfCopy(evidence_id)) throw notTheServers(copies)
  }
  await control?.transaction(async (tx) => {
    const known = [await readSetting(tx, MOVING_FROM), await readSetting(tx, EVIDENCE_ID)]
    if (!known.includes(evidence_id)) throw notTheDatabase(copies)
  })
  if (evidence !== null) {
    await evidence.run(sql`INSERT INTO spoor.identity (id) SELECT ${uuid(evidence_id)}`)
    await evidence.run(sql`DELETE FROM spoor.identity WHERE id != ${uuid(evidence_id)}`)
  }
  await control?.transaction(async (tx) => {
    // Identifies the copy if the process ends before it records the end of the move.
    await writeSetting(tx, EVIDENCE_ID, evidence_id)
    await tx.deleteFrom('settings').where('name', '=', MOVING_FROM).execute()
  })
}

/**
 * Empties the targets of a move that was not handed over; may be repeated.
 * @throws Refusal conflict: the settings name other stores than those that hold the copies.
 */
export async function emptyTarget(
  { control, evidence }: MoveTarget,
  settings: TargetSettings,
  copies: Copies,
): Promise<void> {
  const { evidence_id } = copies
  if (evidence !== null && (await evidenceIdentity(evidence)) !== identityOfCopy(evidence_id)) {
    throw notTheServers(copies)
  }
  if (control !== null) {
    const from = await readSetting(control.db, MOVING_FROM)
    // Without a mark it may have been emptied before: then it is empty and has the recorded name.
    const is_emptied = from === null && namesOf([settings.database_url as string]) === copies.to_control
    if (from !== evidence_id && (!is_emptied || (await isInUse(control)))) throw notTheDatabase(copies)
  }
  if (evidence !== null) for (const { table } of MOVED_TABLES) await evidence.run(sql`TRUNCATE TABLE ${table}`)
  if (control !== null) await emptyControl(control)
}

/** A service on a control store that a move is filling would take the copied part for all of it. @throws Refusal. */
export async function refuseUnfinishedCopy(control: ControlStore): Promise<void> {
  if ((await readSetting(control.db, MOVING_FROM)) === null) return
  throw new Refusal(
    'conflict',
    'The control store is the target of a move that has not ended: nothing may be stored in it before. Finish the move ' +
      'with {next} on the old data folder, or give it up there.',
    { next: { step: 'migrate_to' } },
  )
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

async function claimControl(control: ControlStore, evidence_id: string): Promise<void> {
  const from = await readSetting(control.db, MOVING_FROM)
  if (from === evidence_id) return
  if (from !== null || (await isInUse(control))) throw otherControl()
  await control.transaction((tx) => writeSetting(tx, MOVING_FROM, evidence_id))
}

async function isInUse(control: ControlStore): Promise<boolean> {
  if ((await readSetting(control.db, EVIDENCE_ID)) !== null) return true
  return (await control.db.selectFrom('accounts').select('id').limit(1).execute()).length > 0
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

async function storedOfMoved(evidence: ServerEvidence) {
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

const notTheDatabase = ({ to_control }: Copies) =>
  new Refusal(
    'conflict',
    `The database of SPOOR_DATABASE_URL is not the one that holds the copy of this installation. Set SPOOR_DATABASE_URL as before, to ${to_control}.`,
  )

const notTheServers = ({ to_evidence }: Copies) =>
  new Refusal(
    'conflict',
    `The ClickHouse servers are not those that hold the copy of this installation. Set SPOOR_CLICKHOUSE_URL as before, to ${to_evidence}.`,
  )
