/** Brands and their competitors as operations of the account's admins (account API 1). */

import { instantOrNull } from '#clock.ts'
import type { ManagementOperationOf, ManagementOutput } from '#contract/management-api/index.ts'
import type { ControlContext } from '#control/context.ts'
import type { EvidenceStore } from '#evidence/store.ts'
import { quoted } from '#foreign-text.ts'
import type { Implementations } from '#implementation.ts'
import { Refusal } from '#refusal.ts'
import { findAnySite } from '#sites/find-site.ts'
import { readBrandContents } from './brand-contents.ts'
import * as brands from './brands.ts'
import { addCompetitor, removeCompetitor } from './competitors.ts'
import { describeCompetitor, describeNamedBrands } from './describe-brand.ts'
import type { FoundBrand } from './find-brand.ts'

type BrandOperation =
  | 'brand.add'
  | 'brand.list'
  | 'brand.show'
  | 'brand.edit'
  | 'brand.archive'
  | 'brand.restore'
  | 'brand.contents'
  | 'brand.remove'
  | 'brand.competitor_add'
  | 'brand.competitor_remove'

interface Services extends ControlContext {
  /** Opens the evidence store when it is first needed. */
  crawlers(): Promise<{ evidence: EvidenceStore }>
}

export const manageBrands: Implementations<ManagementOperationOf<BrandOperation>, Services> = {
  async 'brand.add'(ctx, { site, ...names }) {
    const { account_id } = ctx.caller
    const site_id = site === undefined ? null : (await findSiteOfAccount(ctx, site)).id
    return describe(ctx, await brands.addBrand(ctx, { account_id, site_id, ...names }))
  },

  async 'brand.list'(ctx, { with_archived }) {
    const { account_id } = ctx.caller
    const found = await brands.listAllBrands(ctx.control.db, { account_id, with_archived })
    return { brands: await describeAll(ctx, found) }
  },

  async 'brand.show'(ctx, { brand }) {
    const { db } = ctx.control
    const found = await brands.findBrandOfAccount(db, { account_id: ctx.caller.account_id, brand })
    const { questions } = await brands.countContents(db, found.id)
    return { ...(await describe(ctx, found)), questions }
  },

  async 'brand.edit'(ctx, { site, ...edit }) {
    const { account_id } = ctx.caller
    const moved = site === undefined ? {} : { site_id: site === null ? null : (await findSiteOfAccount(ctx, site)).id }
    return describe(ctx, await brands.editBrand(ctx, { account_id, ...edit, ...moved }))
  },

  async 'brand.archive'(ctx, { brand }) {
    return describe(ctx, await brands.archiveBrand(ctx, { account_id: ctx.caller.account_id, brand }))
  },

  async 'brand.restore'(ctx, { brand }) {
    return describe(ctx, await brands.restoreBrand(ctx, { account_id: ctx.caller.account_id, brand }))
  },

  async 'brand.contents'({ control, caller, crawlers }, input) {
    const { evidence } = await crawlers()
    return readBrandContents({ control, evidence, caller }, input)
  },

  async 'brand.remove'(ctx, input) {
    const { brand, contents } = await brands.removeBrand(ctx, { account_id: ctx.caller.account_id, ...input })
    return { id: brand.id, name: brand.name, ...contents }
  },

  async 'brand.competitor_add'(ctx, input) {
    return describeCompetitor(await addCompetitor(ctx, { account_id: ctx.caller.account_id, ...input }))
  },

  async 'brand.competitor_remove'(ctx, input) {
    return describeCompetitor(await removeCompetitor(ctx, { account_id: ctx.caller.account_id, ...input }))
  },
}

/**
 * A site of the account by id or domain; one of another account reads like a missing one. @throws Refusal
 * site_not_found.
 */
async function findSiteOfAccount(ctx: ControlContext & { caller: { account_id: string } }, text: string) {
  const site = await findAnySite(ctx, text)
  if (site.account_id === ctx.caller.account_id) return site
  throw new Refusal('site_not_found', `No site has the id or domain ${quoted(text)}: {next} shows all of them.`, {
    next: { step: 'site.list' },
  })
}

async function describeAll(
  ctx: ControlContext,
  found: readonly FoundBrand[],
): Promise<ManagementOutput<'brand.add'>[]> {
  const described = await describeNamedBrands(ctx.control.db, found)
  return described.map((brand, at) => ({ ...brand, archived_at: instantOrNull(found[at]?.archived_at ?? null) }))
}

async function describe(ctx: ControlContext, found: FoundBrand): Promise<ManagementOutput<'brand.add'>> {
  const [brand] = await describeAll(ctx, [found])
  if (brand === undefined) throw new Error('a brand that was found is described')
  return brand
}
