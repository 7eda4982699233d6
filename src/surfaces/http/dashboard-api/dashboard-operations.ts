/** The functions behind the operations that only the dashboard has. */
import type { Caller, SessionCaller } from '#accounts/caller.ts'
import { CONFIRMED_MS, findSessions, isConfirmed } from '#accounts/sessions.ts'
import { readableBrands } from '#brands/find-brand.ts'
import { readPlan } from '#brands/read-account.ts'
import { readAliasRules } from '#brands/read-brands.ts'
import { instantOrNull, instantText } from '#clock.ts'
import type { DashboardOperation } from '#contract/dashboard-api/index.ts'
import { readCoverage } from '#crawlers/coverage/calendar.ts'
import { readDailyBreakdown } from '#crawlers/daily-breakdown.ts'
import { readCrawledPage } from '#crawlers/page-detail.ts'
import { readRegistryFacts } from '#crawlers/registry/registry-facts.ts'
import { readTopPages } from '#crawlers/top-pages.ts'
import type { Implementations } from '#implementation.ts'
import { readReceipts } from '#intake/import/stored-receipts.ts'
import { listIssuesByState } from '#issues/list-issues.ts'
import { readSeen } from '#seen/read-seen.ts'
import { inviteMember } from '#sites/invite-member.ts'
import { createKeyOfSite, readKeysOfSite, revokeKeyOfSite } from '#sites/keys-of-site.ts'
import { readSites, readVisibleAliases } from '#sites/list-sites.ts'
import { readSiteContents } from '#sites/site-contents.ts'
import { readTrackerCoverage } from '#tracker/coverage-days.ts'
import { readFunnelPreview } from '#tracker/funnels/preview-funnel.ts'
import { version } from '#version.ts'
import { wordAll, wordsOfDashboard } from '../../step-words.ts'
import type { SiteApiServices } from '../site-api.ts'
import { readSitesOverview } from './sites-overview.ts'

export interface DashboardServices extends SiteApiServices {
  is_clock_simulated: boolean
  public_url: string | null
  /** The address at which a one-time link is opened. */
  welcomeLink(token: string): string
}

export const dashboardImplementations: Implementations<DashboardOperation, DashboardServices> = {
  async getSession(ctx, { theme = 'system' }) {
    const { clock, is_clock_simulated, public_url } = ctx
    const caller = personOf(ctx.caller)
    const confirmed_until = isConfirmed(caller, clock) ? caller.confirmed_at + CONFIRMED_MS : null
    const { user, account, brands, aliases } = await ctx.control.snapshot(async (trx) => ({
      user: await trx.selectFrom('users').selectAll().where('id', '=', caller.user_id).executeTakeFirstOrThrow(),
      account: await trx
        .selectFrom('accounts')
        .selectAll()
        .where('id', '=', caller.account_id)
        .executeTakeFirstOrThrow(),
      brands: await readableBrands(trx, caller).orderBy('brands.name').orderBy('brands.id').execute(),
      aliases: await readVisibleAliases(trx, caller),
    }))
    const { id, email, account_role } = user
    const { name, status, access, access_ends_at } = account
    return {
      user: { id, email, account_role },
      installation_role: user.is_operator === 1 ? 'operator' : null,
      account: { id: account.id, name, status, access, access_ends_at: instantOrNull(access_ends_at) },
      ...(await readSites(ctx, caller)),
      aliases,
      brands: brands.map((brand) => ({ id: brand.id, name: brand.name, site_id: brand.site_id })),
      confirmed_until: instantOrNull(confirmed_until),
      time_zone: 'UTC',
      as_of: instantText(clock.now()),
      is_clock_simulated,
      public_url,
      version,
      theme,
    }
  },

  getAliasRules: readAliasRules,
  getPlan: ({ control, caller }) => control.snapshot((trx) => readPlan(trx, caller.account_id)),

  getCoverage: readCoverage,
  getDailyBreakdown: readDailyBreakdown,
  getPage: readCrawledPage,
  getTopPagesOfClass: readTopPages,
  getRegistryFacts: readRegistryFacts,
  getTrackerCoverage: readTrackerCoverage,
  getSeen: readSeen,
  getSiteContents: readSiteContents,
  previewFunnel: readFunnelPreview,
  getSitesOverview: (ctx, input) => readSitesOverview(ctx, personOf(ctx.caller), input),
  listIssues: listIssuesByState,
  inviteMember,
  async getReceipts(ctx, { limit }) {
    const receipts = await readReceipts(ctx, ctx.site.id, limit)
    return {
      receipts: receipts.map(({ receipt, ...kept }) => ({
        ...kept,
        receipt: { ...receipt, ignored: { ...receipt.ignored }, warnings: wordAll(receipt.warnings, wordsOfDashboard) },
      })),
    }
  },
  listSiteKeys: readKeysOfSite,
  createSiteKey: (ctx, input) => createKeyOfSite(ctx, personOf(ctx.caller), input),
  revokeSiteKey: (ctx, input) => revokeKeyOfSite(ctx, personOf(ctx.caller), input),

  async listSessions(ctx) {
    const { user_id, session_id } = personOf(ctx.caller)
    const sessions = await findSessions(ctx, user_id)
    return {
      sessions: sessions.map(({ created_at, last_used_at, ...session }) => ({
        ...session,
        created_at: instantText(created_at),
        last_used_at: instantText(last_used_at),
        is_current: session.id === session_id,
      })),
    }
  },
}

function personOf(caller: Caller): SessionCaller {
  if (caller.kind === 'session') return caller
  throw new Error('this is answered to people who signed in')
}
