/**
 * The budget of queries of a token: Cloudflare allows a user 300 in 5 minutes (registry notes 6.2). Queries are counted
 * in the control store, for all processes of an installation together (decisions 8.2).
 */
import { createHash, randomUUID } from 'node:crypto'
import { MINUTE_MS } from '#clock.ts'
import type { ControlContext } from '#control/context.ts'
import type { ControlDb } from '#control/store.ts'

export interface QueryBudget {
  /** Takes one query out of the budget; false: the budget is used up. */
  take(): Promise<boolean>
  /** The instant of the next possible query. */
  nextAt(): Promise<number>
}

const SPAN_MS = 5 * MINUTE_MS
/** Less than 300, for the owner's own dashboards. */
const MAX_QUERIES = 250

/** The budget of a token, shared by all of its zones. */
export function queryBudget({ control, clock }: ControlContext, token: string): QueryBudget {
  const token_sha256 = createHash('sha256').update(token).digest('hex')
  /** The instant of the oldest query in a full budget; null: it is not full. */
  const oldestOfAll = async (db: ControlDb): Promise<number | null> => {
    const row = await db
      .selectFrom('cloudflare_questions')
      .select('asked_at')
      .where('token_sha256', '=', token_sha256)
      .where('asked_at', '>', clock.now() - SPAN_MS)
      .orderBy('asked_at', 'desc')
      .offset(MAX_QUERIES - 1)
      .limit(1)
      .executeTakeFirst()
    return row === undefined ? null : row.asked_at
  }
  return {
    take: () =>
      control.transaction(async (tx) => {
        const now = clock.now()
        await tx
          .deleteFrom('cloudflare_questions')
          .where('asked_at', '<=', now - SPAN_MS)
          .execute()
        if ((await oldestOfAll(tx)) !== null) return false
        await tx.insertInto('cloudflare_questions').values({ id: randomUUID(), token_sha256, asked_at: now }).execute()
        return true
      }),
    async nextAt() {
      const oldest = await oldestOfAll(control.db)
      return oldest === null ? clock.now() : oldest + SPAN_MS
    },
  }
}
