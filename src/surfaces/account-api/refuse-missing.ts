/** What a path names below its brand, looked for before faults of a request are reported (account API 1, check 6). */
import { serveAnswer } from '#brands/answers/serve-answers.ts'
import type { AccountApiContext } from '#brands/context.ts'
import type { FoundBrand } from '#brands/find-brand.ts'
import { findFix } from '#brands/fixes/change-fix.ts'
import { findQuestion } from '#brands/questions/questions.ts'
import type { DeprecatedOperation } from '#contract/account-api/deprecated.ts'
import type { AccountOperation } from '#contract/account-api/index.ts'

type ServedId = (AccountOperation | DeprecatedOperation)['id']
export type FinderContext = Pick<AccountApiContext, 'control' | 'evidence' | 'clock'>
type Finder = (ctx: FinderContext, brand: FoundBrand, path: Readonly<Record<string, string>>) => Promise<unknown>

const question: Finder = ({ control }, brand, { id = '' }) => findQuestion(control.db, { brand, question_id: id })
const fix: Finder = ({ control }, brand, { id = '' }) => findFix(control.db, brand, id)

const FINDERS: Readonly<Partial<Record<ServedId, Finder>>> = {
  archiveQuestion: question,
  restoreQuestion: question,
  getAnswer: (ctx, brand, { answerId = '' }) => serveAnswer({ ...ctx, brand }, { answerId }),
  getFix: fix,
  acceptFix: fix,
  dismissFix: fix,
  completeFix: fix,
  changeFixInPath: fix,
}

/** @throws Refusal not_found. */
export async function refuseMissing(
  ctx: FinderContext,
  id: ServedId,
  brand: FoundBrand | undefined,
  path: Readonly<Record<string, string>>,
): Promise<void> {
  if (brand !== undefined) await FINDERS[id]?.(ctx, brand, path)
}
