/** The questions of a brand: listed, archived, restored and removed. */
import type { ControlContext } from '#control/context.ts'
import type { ControlDb, ControlStore } from '#control/store.ts'
import type { QuestionRow } from '#control/tables.ts'
import { refuseOtherName } from '#names.ts'
import { Refusal } from '#refusal.ts'
import type { FoundBrand } from '../find-brand.ts'
import { removeFixesOfQuestion } from '../fixes/fixes-of-question.ts'
import { refuseBeyondCapacity } from './capacity.ts'

export interface QuestionFilter {
  status: 'active' | 'archived' | 'all'
  kind: 'branded' | 'unbranded' | null
  /** `none`: questions without a country; null: not filtered. */
  country: string | null
}

/** A piece of the list, oldest first, and how many questions the filter leaves. */
export async function readQuestions(
  db: ControlDb,
  brand_id: string,
  { filter, limit, offset }: { filter: QuestionFilter; limit: number; offset: number },
): Promise<{ questions: QuestionRow[]; total: number }> {
  const matching = () => {
    let query = db.selectFrom('questions').where('brand_id', '=', brand_id)
    if (filter.status !== 'all') query = query.where('archived_at', filter.status === 'active' ? 'is' : 'is not', null)
    if (filter.kind !== null) query = query.where('is_branded', '=', filter.kind === 'branded' ? 1 : 0)
    if (filter.country === 'none') query = query.where('country', 'is', null)
    else if (filter.country !== null) query = query.where('country', '=', filter.country)
    return query
  }
  const { total } = await matching()
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const questions = await matching()
    .selectAll()
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute()
  return { questions, total: Number(total) }
}

interface NamedQuestion {
  brand: FoundBrand
  question_id: string
}

/**
 * Archives a question, which is then not asked; its answers are kept. A repeat keeps the first instant. @throws Refusal
 * not_found.
 */
export async function archiveOneQuestion(
  { control, clock }: ControlContext,
  named: NamedQuestion,
): Promise<QuestionRow> {
  return control.transaction(async (trx) => {
    const found = await findQuestion(trx, named)
    const archived_at = found.archived_at === null ? clock.now() : found.archived_at
    await trx.updateTable('questions').set({ archived_at }).where('id', '=', found.id).execute()
    return { ...found, archived_at }
  })
}

/**
 * Asks a question again; repeating it changes nothing. @throws Refusal not_found; limit_reached when the account has
 * no room.
 */
export async function restoreOneQuestion(
  { control }: { control: ControlStore },
  named: NamedQuestion,
): Promise<QuestionRow> {
  return control.transaction(async (trx) => {
    const found = await findQuestion(trx, named)
    if (found.archived_at === null) return found
    await refuseBeyondCapacity(trx, named.brand.account_id, 1)
    await trx.updateTable('questions').set({ archived_at: null }).where('id', '=', found.id).execute()
    return { ...found, archived_at: null }
  })
}

/** Removes a question for good, with the fixes about it. @throws Refusal not_found. */
export async function removeQuestion(
  { control }: { control: ControlStore },
  { typed_name, ...named }: NamedQuestion & { typed_name?: string | undefined },
): Promise<QuestionRow> {
  return control.transaction(async (trx) => {
    const found = await findQuestion(trx, named)
    refuseOtherName(found.text, typed_name)
    await removeFixesOfQuestion(trx, { brand: named.brand, question_id: found.id })
    await trx.deleteFrom('questions').where('id', '=', found.id).execute()
    return found
  })
}

/** @throws Refusal not_found. */
export async function findQuestion(db: ControlDb, { brand, question_id }: NamedQuestion): Promise<QuestionRow> {
  const found = await db
    .selectFrom('questions')
    .selectAll()
    .where((is) => is.and({ brand_id: brand.id, id: question_id.toLowerCase() }))
    .executeTakeFirst()
  if (found === undefined) throw new Refusal('not_found', 'The brand has no question with this id.')
  return found
}
