/** Operations on the tracker of a site, its keys, and the settings of its answers (rules 7). */
import { instantOrNull, instantText } from '#clock.ts'
import type { ManagementOperationOf } from '#contract/management-api/index.ts'
import type { CalledOnSite, Implementations } from '#implementation.ts'
import { addDevelopmentOrigin, listDevelopmentOrigins, removeDevelopmentOrigin } from '../development/origins.ts'
import { readTrackerSettings, setHonoursOptOut, setPrivacyFloor } from '../privacy-settings.ts'
import { createTrackerKey, listTrackerKeys, revokeTrackerKey, type TrackerKey } from './keys.ts'
import {
  disableTracker,
  enableTracker,
  findPublicId,
  readTracker,
  snippetOf,
  type Tracker,
  type TrackerKeyContext,
} from './trackers.ts'

interface Services extends TrackerKeyContext {
  /** The origin at which browsers reach the service, without a trailing slash. */
  origin(): string
}

export const manageTracker: Implementations<
  ManagementOperationOf<`tracker.${string}` | 'site.privacy_floor'>,
  Services
> = {
  async 'tracker.enable'(ctx) {
    return describeTracker(ctx, await enableTracker(ctx, { site_id: ctx.site.id }))
  },

  async 'tracker.disable'(ctx) {
    return describeTracker(ctx, await disableTracker(ctx, { site_id: ctx.site.id }))
  },

  async 'tracker.show'(ctx) {
    return describeTracker(ctx, await readTracker(ctx, { site_id: ctx.site.id }))
  },

  async 'tracker.key_create'(ctx, { kind }) {
    const { secret, ...key } = await createTrackerKey(ctx, { site_id: ctx.site.id, kind })
    const snippet = kind === 'public' ? { snippet: snippetOf(ctx.origin(), secret) } : {}
    return { ...describeKey(key), root_domain: ctx.site.root_domain, secret, ...snippet }
  },

  async 'tracker.key_list'(ctx) {
    return { keys: (await listTrackerKeys(ctx.control.db, ctx.site.id)).map(describeKey) }
  },

  async 'tracker.key_revoke'(ctx, { key }) {
    return describeKey(await revokeTrackerKey(ctx, { site_id: ctx.site.id, key }))
  },

  async 'tracker.origin_add'(ctx, { origin }) {
    return describeOrigins(ctx, await addDevelopmentOrigin(ctx, { site: ctx.site, origin }))
  },

  async 'tracker.origin_list'(ctx) {
    return describeOrigins(ctx)
  },

  async 'tracker.origin_remove'(ctx, { origin }) {
    return describeOrigins(ctx, await removeDevelopmentOrigin(ctx, { site: ctx.site, origin }))
  },

  async 'tracker.opt_out'(ctx, { honours_opt_out }) {
    const { id, root_domain } = ctx.site
    if (honours_opt_out !== undefined) await setHonoursOptOut(ctx, { site_id: id, honours_opt_out })
    const settings = await readTrackerSettings(ctx.control.db, id)
    return { id, root_domain, honours_opt_out: settings.honours_opt_out }
  },

  async 'site.privacy_floor'(ctx, { privacy_floor }) {
    const { id, root_domain } = ctx.site
    if (privacy_floor !== undefined) await setPrivacyFloor(ctx, { site_id: id, privacy_floor })
    const settings = await readTrackerSettings(ctx.control.db, id)
    return { id, root_domain, privacy_floor: settings.privacy_floor }
  },
}

async function describeOrigins(ctx: Services & CalledOnSite, origin?: string) {
  const { id, root_domain } = ctx.site
  const origins = await listDevelopmentOrigins(ctx.control.db, id)
  const public_id = findPublicId(await listTrackerKeys(ctx.control.db, id))
  return {
    id,
    root_domain,
    ...(origin === undefined ? {} : { origin }),
    snippet: public_id === null ? null : snippetOf(ctx.origin(), public_id, 'data-local'),
    origins: origins.map((row) => ({ origin: row.origin, added_at: instantText(row.added_at) })),
  }
}

function describeTracker(ctx: Services & CalledOnSite, tracker: Tracker) {
  const { public_id } = tracker
  return {
    site_id: tracker.site_id,
    root_domain: ctx.site.root_domain,
    state: tracker.disabled_at === null ? ('enabled' as const) : ('disabled' as const),
    enabled_at: instantText(tracker.enabled_at),
    disabled_at: instantOrNull(tracker.disabled_at),
    first_event_at: instantOrNull(tracker.first_event_at),
    last_event_at: instantOrNull(tracker.last_event_at),
    public_id,
    snippet: public_id === null ? null : snippetOf(ctx.origin(), public_id),
    keys: tracker.keys.map(describeKey),
  }
}

function describeKey({ created_at, revoked_at, ...key }: TrackerKey) {
  return { ...key, created_at: instantText(created_at), revoked_at: instantOrNull(revoked_at) }
}
