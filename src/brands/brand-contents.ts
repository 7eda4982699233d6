/** What belongs to a brand, counted before it is deleted (decisions 7.6). */
import type { Caller } from '#accounts/caller.ts'
import type { ControlStore } from '#control/store.ts'
import type { EvidenceStore } from '#evidence/store.ts'
import { countContents, findBrandOfAccount } from './brands.ts'
import { storedAnswers } from './stored-answers.sql.ts'

/** @throws Refusal not_found. */
export async function readBrandContents(
  { control, evidence, caller: { account_id } }: { control: ControlStore; evidence: EvidenceStore; caller: Caller },
  { brand: named }: { brand: string },
) {
  const { id, name } = await findBrandOfAccount(control.db, { account_id, brand: named })
  const contents = await countContents(control.db, id)
  const { fixes } = await control.db
    .selectFrom('fixes')
    .select(({ fn }) => fn.countAll().as('fixes'))
    .where('brand_id', '=', id)
    .executeTakeFirstOrThrow()
  const [stored] = await evidence.all(storedAnswers(account_id, id))
  if (stored === undefined) throw new Error('a count without groups has one row')
  return { id, name, ...contents, fixes: Number(fixes), ...stored }
}
