/** Brands with a competitor, and answers about them. */
import { type AnswerImportInput, type AnswerImportReceipt, importAnswers } from '#brands/answers/import-answers.ts'
import type { AnswersContext } from '#brands/answers/store-answers.ts'
import { addBrand } from '#brands/brands.ts'
import { addCompetitor } from '#brands/competitors.ts'
import type { FoundBrand } from '#brands/find-brand.ts'
import type { ControlContext } from '#control/context.ts'

interface TestNames {
  name: string
  aliases?: string[]
  domains: string[]
}

interface BrandWithRival {
  account_id: string
  /** By default the brand has no site. */
  site_id?: string | null
  brand: TestNames
  rival: TestNames
}

/** Adds a brand and one competitor of it. */
export async function addBrandWithRival(
  ctx: ControlContext,
  { account_id, site_id = null, brand: names, rival }: BrandWithRival,
): Promise<{ brand: FoundBrand; rival_id: string }> {
  const brand = await addBrand(ctx, { account_id, site_id, aliases: [], ...names })
  const { id } = await addCompetitor(ctx, { account_id, brand: brand.id, aliases: [], ...rival })
  return { brand, rival_id: id }
}

/** Imports records of answers in Spoor's own form, and their questions as active ones. */
export const importRecords = (
  ctx: AnswersContext,
  brand: FoundBrand,
  records: readonly object[],
  more: Partial<AnswerImportInput> = {},
): Promise<AnswerImportReceipt> =>
  importAnswers(ctx, {
    brand,
    format: 'ndjson',
    exporter: null,
    replaces: false,
    create_questions: 'active',
    bytes: Buffer.from(records.map((record) => JSON.stringify(record)).join('\n')),
    ...more,
  })
