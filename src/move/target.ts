/** The target stores of a move: opens, checks and marks them, and hands the installation over to them. */
import Type, { type Static } from 'typebox'
import { Value } from 'typebox/value'
import type { ClickHouseConfig } from '#config.ts'
import { EVIDENCE_ID, MOVING_FROM, readSetting, writeSetting } from '#control/settings.ts'
import type { ControlStore } from '#control/store.ts'
import { sql, uuid } from '#evidence/sql.ts'
import type { EvidenceStore, ServerEvidence } from '#evidence/store.ts'
import { evidenceIdentity } from '#evidence/store-identity.ts'
import { openServers } from '#nodes/open-servers.ts'
import { Refusal } from '#refusal.ts'
import {
  type Copies,
  identityOfCopy,
  isInUse,
  notTheDatabase,
  notTheServers,
  refuseOtherControl,
  refuseOtherEvidence,
} from './claim-target.ts'
import { emptyControl } from './copy-control.ts'
import type { MoveState } from './move-state.ts'
import { MOVED_TABLES } from './moved-tables.ts'
import { checkNamed, namesOf } from './named-targets.ts'

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

/**
 * Opens the targets with the newest layout. Those of another installation keep theirs, which may be of an earlier
 * release.
 * @throws Refusal conflict: they hold something else.
 */
export async function openTarget(
  settings: TargetSettings,
  moves: Moves & Copies,
  current: ControlStore | null,
): Promise<MoveTarget> {
  const { openPostgresControl } = await import('#control/postgres.ts')
  if (moves.moves_control) await refuseOtherControl(settings.database_url as string, moves)
  const control = moves.moves_control ? await openPostgresControl(settings.database_url as string) : null
  const lockStore = control ?? current
  try {
    const beforeUpgrade = (store: EvidenceStore) => refuseOtherEvidence(store, moves)
    const evidence =
      moves.moves_evidence && lockStore !== null
        ? await openServers(settings.clickhouse as ClickHouseConfig, lockStore, { beforeUpgrade })
        : null
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
  // The control store was on its server before the move, and has the locks of its writers.
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
