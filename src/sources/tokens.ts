/** Source tokens, which only allow delivering logs (decisions 2). */
import { randomUUID } from 'node:crypto'
import { type IssuedSecret, pickIssued, secretKind, withoutHash } from '#accounts/bearer-secret.ts'
import type { ControlContext } from '#control/context.ts'
import type { ControlDb, ControlTransaction } from '#control/store.ts'
import type { SourceTokenRow } from '#control/tables.ts'
import { checkName } from '#names.ts'
import { Refusal } from '#refusal.ts'
import { findSource } from './find-source.ts'

/** A token without its secret. */
export type TokenSummary = Omit<SourceTokenRow, 'secret_sha256'>

export const sourceTokens = secretKind('spoor_src_')

/**
 * Adds a token to an HTTPS intake source. A source whose tokens were all revoked waits for evidence again (rules 3).
 * @throws Refusal not_found, conflict (no intake source), invalid_input (name).
 */
export function createToken(
  { control, clock }: ControlContext,
  { source: text, name }: { source: string; name: string },
): Promise<IssuedSecret & { source_id: string }> {
  const given = checkName(name, 'a token')
  return control.transaction(async (trx) => {
    const source = await findSource(trx, text)
    if (source.source_type !== 'https_intake') {
      throw new Refusal(
        'conflict',
        `Only sources of the type https_intake have tokens; this one is ${source.source_type}.`,
      )
    }
    const token = await insertToken(trx, { source_id: source.id, name: given, now: clock.now() })
    if (source.connection_status === 'revoked') {
      await trx.updateTable('sources').set({ connection_status: 'pending' }).where('id', '=', source.id).execute()
    }
    return { ...token, source_id: source.id }
  })
}

/** The tokens of a source, revoked ones too, oldest first. @throws Refusal not_found. */
export async function listTokens({ control }: Pick<ControlContext, 'control'>, text: string): Promise<TokenSummary[]> {
  const source = await findSource(control.db, text)
  const tokens = await control.db
    .selectFrom('source_tokens')
    .selectAll()
    .where('source_id', '=', source.id)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return tokens.map((token) => withoutHash(token))
}

/**
 * Revokes a token, given by id, prefix or whole secret, from its next request on. Without a token in force the source
 * is revoked, too (rules 3). Repeating it changes nothing.
 * @throws Refusal not_found, conflict (a prefix matches several).
 */
export function revokeToken({ control, clock }: ControlContext, text: string): Promise<TokenSummary> {
  return control.transaction(async (trx) => {
    const found = await findToken(trx, text)
    if (found.revoked_at !== null) return withoutHash(found)
    const revoked_at = clock.now()
    await trx.updateTable('source_tokens').set({ revoked_at }).where('id', '=', found.id).execute()
    if ((await liveTokens(trx, found.source_id)) === 0) {
      await trx
        .updateTable('sources')
        .set({ connection_status: 'revoked' })
        .where('id', '=', found.source_id)
        .where('connection_status', '!=', 'disconnected')
        .execute()
    }
    return withoutHash({ ...found, revoked_at })
  })
}

/** The number of tokens of a source that are in force. */
export async function liveTokens(trx: ControlTransaction, source_id: string): Promise<number> {
  const tokens = await trx
    .selectFrom('source_tokens')
    .select('id')
    .where('source_id', '=', source_id)
    .where('revoked_at', 'is', null)
    .execute()
  return tokens.length
}

/** Creates a token and stores it without its secret. */
export async function insertToken(
  trx: ControlTransaction,
  { source_id, name, now }: { source_id: string; name: string; now: number },
): Promise<IssuedSecret> {
  const { secret, prefix, secret_sha256 } = sourceTokens.draw()
  const id = randomUUID()
  const row = { id, source_id, name, prefix, secret_sha256, created_at: now, revoked_at: null, last_used_at: null }
  await trx.insertInto('source_tokens').values(row).execute()
  return { id, secret, prefix }
}

/** A token by its id, prefix or whole secret. @throws Refusal not_found, conflict (a prefix matches several). */
export async function findToken(db: ControlDb, text: string): Promise<SourceTokenRow> {
  const unknown = new Refusal('not_found', 'No token of a source has that id or prefix: {next} shows both.', {
    next: { step: 'source.token_list' },
  })
  return pickIssued(await db.selectFrom('source_tokens').selectAll().execute(), text, { what: 'token', unknown })
}
