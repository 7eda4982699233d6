/**
 * What the demo's owner does about fixes: they are made and judged as the service's job does it, and acted on by the
 * operations of people.
 */

import type { FoundBrand } from '#brands/find-brand.ts'
import type { FixesContext } from '#brands/fixes/candidate.ts'
import { allowsAction, changeFix, type FixAction } from '#brands/fixes/change-fix.ts'
import { makeFixes } from '#brands/fixes/make-fixes.ts'
import { verifyFixes } from '#brands/fixes/verify-fixes.ts'

interface Decision {
  /** Days back from the last one. */
  back: number
  kind: 'access' | 'content' | 'citation'
  /** What the title of the fix names. */
  about: string
  action: FixAction
  reason?: string
}

/** Together with fixes that stay open they leave each status and each effect of a fix behind. */
const DECISIONS: readonly Decision[] = [
  // One question: its effect may be chance, and after a month the same evidence makes another fix.
  { back: 45, kind: 'content', about: 'compares prices', action: 'accept' },
  { back: 40, kind: 'content', about: 'compares prices', action: 'complete' },
  { back: 40, kind: 'content', about: 'counts downloads', action: 'dismiss', reason: 'Exampla does not count those.' },
  // Crawlers come back to the page, and answers cite own pages as often as before.
  { back: 37, kind: 'access', about: '/docs/api/v1', action: 'accept' },
  { back: 37, kind: 'access', about: '/docs/api/v1', action: 'complete' },
  { back: 37, kind: 'citation', about: '/docs/api/v1', action: 'accept' },
  { back: 36, kind: 'citation', about: '/docs/api/v1', action: 'complete' },
  // The rule that was lifted comes back.
  { back: 7, kind: 'access', about: '/docs/api/reference.json', action: 'accept' },
  { back: 5, kind: 'access', about: '/docs/api/reference.json', action: 'complete' },
  { back: 4, kind: 'access', about: '/archive/2024.zip', action: 'dismiss', reason: 'Crawlers need no old archives.' },
  { back: 2, kind: 'access', about: '/pricing', action: 'accept' },
  { back: 3, kind: 'citation', about: 'host myself', action: 'accept' },
  { back: 3, kind: 'citation', about: 'measure visits', action: 'dismiss', reason: 'Another page is being written.' },
  // The crawler has not come back yet.
  { back: 2, kind: 'access', about: '/changelog.xml', action: 'accept' },
  { back: 1, kind: 'access', about: '/changelog.xml', action: 'complete' },
]

/** Completed fixes are judged by answers after two weeks. */
const JUDGED_BACK = [21]

/** On which days back from the last one fixes are looked at. */
export const FIX_DAYS: ReadonlySet<number> = new Set([...JUDGED_BACK, ...DECISIONS.map(({ back }) => back)])

/**
 * Makes and judges fixes, then does what the owner decides on that day. What is not there yet is left alone, and so is
 * a fix that a shorter history never saw accepted.
 */
export async function playFixes(ctx: FixesContext, brand: FoundBrand, back: number): Promise<void> {
  await makeFixes(ctx, brand)
  await verifyFixes(ctx, brand)
  for (const { kind, about, action, reason = null } of DECISIONS.filter((decision) => decision.back === back)) {
    const fix = await ctx.control.db
      .selectFrom('fixes')
      .select(['id', 'status'])
      .where((is) => is.and({ brand_id: brand.id, kind }))
      .where('title', 'like', `%${about}%`)
      .where('newest_of', 'is not', null)
      .orderBy('created_at')
      .orderBy('id')
      .executeTakeFirst()
    if (fix === undefined || !allowsAction(fix.status, action)) continue
    await changeFix(ctx, { brand, fix_id: fix.id, action, version: null, reason })
  }
}
