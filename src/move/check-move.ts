/** Checks whether a move is possible, before anything is copied. */
import { EVIDENCE_ID, readSetting } from '#control/settings.ts'
import type { ControlStore } from '#control/store.ts'
import { evidenceIdentity } from '#evidence/store-identity.ts'
import { Refusal } from '#refusal.ts'
import type { MoveSource } from './move-source.ts'
import { needsDatabase } from './named-targets.ts'
import { storedParts } from './pieces.sql.ts'
import type { TargetSettings } from './target.ts'

/** Which stores the settings move. @throws Refusal: none, or a move that Spoor does not support. */
export function movesOf(source: MoveSource, { database_url, clickhouse }: TargetSettings) {
  const moves = {
    moves_control: source.has_embedded_control && database_url !== null,
    moves_evidence: clickhouse !== null,
  }
  if (moves.moves_evidence && source.evidence === null) {
    throw new Refusal(
      'not_built',
      'The evidence is on ClickHouse servers already; between servers it is moved with their BACKUP.',
    )
  }
  if (moves.moves_evidence && database_url === null) throw needsDatabase()
  if (moves.moves_control || moves.moves_evidence) return moves
  throw nothingToMove()
}

/** The refusal of a move without a new target. */
export const nothingToMove = () =>
  new Refusal(
    'invalid_input',
    'no target is named, or only stores that the installation uses already: set SPOOR_DATABASE_URL, or both it and SPOOR_CLICKHOUSE_URL, as the service will use them afterwards',
  )

/** Checks that SPOOR_SECRET_KEY is the key that sealed the stored secrets: all processes need it (decisions 8.2). */
export function checkKey(
  { folder, secretKey }: MoveSource,
  { secret_key_name: given }: TargetSettings,
  { moves_evidence }: { moves_evidence: boolean },
): void {
  const { name, is_configured } = secretKey()
  if (given === null && !moves_evidence && (name === null || !is_configured)) return
  if (given !== null && (name === null || name === given)) return
  const keep = is_configured ? 'set it to the same as for the service' : `set it to what is in ${folder}/secret.key`
  const remedy = name === null ? 'make one with openssl rand -base64 32, and set it' : keep
  throw new Refusal(
    'conflict',
    given === null
      ? `SPOOR_SECRET_KEY is not set, and the moved installation needs it: ${remedy}, for this command and for the service afterwards.`
      : `SPOOR_SECRET_KEY is another key than the one that stored secrets are sealed with: ${remedy}.`,
  )
}

/** @throws Refusal conflict: SPOOR_DATABASE_URL is not the control store in use. */
export async function checkCurrentControl(source: MoveSource, settings: TargetSettings): Promise<void> {
  const { openPostgresControl } = await import('#control/postgres.ts')
  const named = await openPostgresControl(settings.database_url as string)
  try {
    const [ours, theirs] = [await accountsOf(source.control), await accountsOf(named)]
    if (ours === theirs) return
  } finally {
    await named.close()
  }
  throw new Refusal(
    'conflict',
    'SPOOR_DATABASE_URL names another database than the service uses. A control store stays where it is; between databases it is moved with pg_dump.',
  )
}

async function accountsOf(control: ControlStore): Promise<string> {
  const accounts = await control.db.selectFrom('accounts').select('id').orderBy('id').execute()
  return JSON.stringify([await readSetting(control.db, EVIDENCE_ID), accounts])
}

/** The identity and the parts of the evidence to move; no parts if it is already on servers. */
export async function inspectSource({ evidence, control }: MoveSource) {
  if (evidence !== null)
    return { evidence_id: await evidenceIdentity(evidence), parts: await evidence.all(storedParts) }
  const evidence_id = await readSetting(control.db, EVIDENCE_ID)
  if (evidence_id === null) throw new Refusal('conflict', 'The control store belongs to no evidence store yet.')
  return { evidence_id, parts: [] }
}
