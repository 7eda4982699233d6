/** Finds the questions of imported answers, and creates those that the brand does not have. */

import { randomUUID } from 'node:crypto'
import { MAX_TAGS } from '#contract/account-api/questions.ts'
import type { QuestionCreation } from '#contract/vocabulary.ts'
import type { ControlContext } from '#control/context.ts'
import type { QuestionRow } from '#control/tables.ts'
import type { FoundBrand } from '../find-brand.ts'
import { isNamedIn } from '../names-in-text.ts'
import { readCapacity } from '../questions/capacity.ts'
import { identifyQuestion } from '../questions/question-forms.ts'
import type { AnswerRecord } from './answer-record.ts'

export interface ImportedQuestions {
  /** Ids by identity. */
  ids: ReadonlyMap<string, string>
  created_active: number
  created_archived: number
  /** Tags of created questions beyond the first that a question may have. */
  tags_left_out: number
}

export const identityOf = ({ question, country }: AnswerRecord): string => identifyQuestion({ text: question, country })

/** With `active` they are active while the account has room, and archived after that. */
export async function findImportedQuestions(
  { control, clock }: ControlContext,
  brand: FoundBrand,
  records: readonly AnswerRecord[],
  create: QuestionCreation,
): Promise<ImportedQuestions> {
  return control.transaction(async (trx) => {
    const known = await trx
      .selectFrom('questions')
      .select(['id', 'identity'])
      .where('brand_id', '=', brand.id)
      .execute()
    const ids = new Map(known.map(({ id, identity }) => [identity, id]))
    if (create === 'none') return { ids, created_active: 0, created_archived: 0, tags_left_out: 0 }
    const { active, limit } = await readCapacity(trx, brand.account_id)
    let room = create === 'active' ? Math.max(0, limit - active) : 0
    const created: QuestionRow[] = []
    let tags_left_out = 0
    for (const record of records) {
      const identity = identityOf(record)
      if (ids.has(identity)) continue
      const tags = [...new Set(record.tags)]
      tags_left_out += Math.max(0, tags.length - MAX_TAGS)
      const row = questionRow(brand, { ...record, tags: tags.slice(0, MAX_TAGS) }, identity, clock.now(), room-- > 0)
      ids.set(identity, row.id)
      created.push(row)
    }
    for (let at = 0; at < created.length; at += ROWS_AT_ONCE) {
      await trx
        .insertInto('questions')
        .values(created.slice(at, at + ROWS_AT_ONCE))
        .execute()
    }
    const archived = created.filter(({ archived_at }) => archived_at !== null).length
    return { ids, created_active: created.length - archived, created_archived: archived, tags_left_out }
  })
}

/** Databases take a limited number of parameters in one statement. */
const ROWS_AT_ONCE = 500

const questionRow = (
  brand: FoundBrand,
  { question, country, tags }: AnswerRecord,
  identity: string,
  now: number,
  is_active: boolean,
): QuestionRow => ({
  id: randomUUID(),
  brand_id: brand.id,
  text: question,
  identity,
  country,
  tags: JSON.stringify(tags),
  is_branded: isNamedIn(question, brand) ? 1 : 0,
  created_at: now,
  archived_at: is_active ? null : now,
})
