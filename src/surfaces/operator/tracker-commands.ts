import Type from 'typebox'
import { instantText } from '#clock.ts'
import type { Site } from '#sites/site.ts'
import { findAnySite } from '#sites/visible-sites.ts'
import { createTrackerKey, listTrackerKeys, revokeTrackerKey, type TrackerKey } from '#tracker/keys/keys.ts'
import { disableTracker, enableTracker, readTracker, snippetOf, type Tracker } from '#tracker/keys/trackers.ts'
import { readHonoursOptOut, setHonoursOptOut } from '#tracker/opt-out.ts'
import { readPrivacyFloor, setPrivacyFloor } from '#tracker/privacy-floor.ts'
import { command, type OperatorContext } from './command.ts'

const ofSite = Type.Object({ site: Type.String() })

/** The tracker of a site, its keys, and what its owner settled for its answers; site by id or domain (rules 7). */
export const trackerCommands = {
  'tracker.enable': command({
    input: ofSite,
    async run(ctx, { site: text }) {
      const site = await findAnySite(ctx, text)
      return trackerAnswer(ctx, site, await enableTracker(ctx, { site_id: site.id }))
    },
  }),

  'tracker.disable': command({
    input: ofSite,
    async run(ctx, { site: text }) {
      const site = await findAnySite(ctx, text)
      return trackerAnswer(ctx, site, await disableTracker(ctx, { site_id: site.id }))
    },
  }),

  'tracker.show': command({
    input: ofSite,
    async run(ctx, { site: text }) {
      const site = await findAnySite(ctx, text)
      return trackerAnswer(ctx, site, await readTracker(ctx, { site_id: site.id }))
    },
  }),

  'tracker.key_create': command({
    input: Type.Object({ site: Type.String(), kind: Type.Enum(['public', 'server']) }),
    async run(ctx, { site: text, kind }) {
      const site = await findAnySite(ctx, text)
      const { secret, ...key } = await createTrackerKey(ctx, { site_id: site.id, kind })
      const snippet = kind === 'public' ? { snippet: snippetOf(ctx.origin(), secret) } : {}
      return { ...keyAnswer(key), root_domain: site.root_domain, secret, ...snippet }
    },
  }),

  'tracker.key_list': command({
    input: ofSite,
    async run(ctx, { site: text }) {
      const site = await findAnySite(ctx, text)
      return { keys: (await listTrackerKeys(ctx.control.db, site.id)).map(keyAnswer) }
    },
  }),

  'tracker.key_revoke': command({
    input: Type.Object({ site: Type.String(), key: Type.String() }),
    async run(ctx, { site: text, key }) {
      const site = await findAnySite(ctx, text)
      return keyAnswer(await revokeTrackerKey(ctx, { site_id: site.id, key }))
    },
  }),

  'tracker.opt_out': command({
    input: Type.Object({ site: Type.String(), honours_opt_out: Type.Optional(Type.Boolean()) }),
    async run(ctx, { site: text, honours_opt_out }) {
      const { id, root_domain } = await findAnySite(ctx, text)
      if (honours_opt_out !== undefined) await setHonoursOptOut(ctx, { site_id: id, honours_opt_out })
      return { id, root_domain, honours_opt_out: await readHonoursOptOut(ctx.control.db, id) }
    },
  }),

  'site.privacy_floor': command({
    input: Type.Object({ site: Type.String(), privacy_floor: Type.Optional(Type.Number()) }),
    async run(ctx, { site: text, privacy_floor }) {
      const { id, root_domain } = await findAnySite(ctx, text)
      if (privacy_floor !== undefined) await setPrivacyFloor(ctx, { site_id: id, privacy_floor })
      return { id, root_domain, privacy_floor: await readPrivacyFloor(ctx.control.db, id) }
    },
  }),
}

function trackerAnswer(ctx: OperatorContext, { root_domain }: Site, tracker: Tracker) {
  const { public_id } = tracker
  return {
    ...{ site_id: tracker.site_id, root_domain },
    state: tracker.disabled_at === null ? ('enabled' as const) : ('disabled' as const),
    enabled_at: instantText(tracker.enabled_at),
    disabled_at: orNull(tracker.disabled_at),
    first_event_at: orNull(tracker.first_event_at),
    last_event_at: orNull(tracker.last_event_at),
    public_id,
    snippet: public_id === null ? null : snippetOf(ctx.origin(), public_id),
    keys: tracker.keys.map(keyAnswer),
  }
}

function keyAnswer({ created_at, revoked_at, ...key }: TrackerKey) {
  return { ...key, created_at: instantText(created_at), revoked_at: orNull(revoked_at) }
}

const orNull = (at: number | null) => (at === null ? null : instantText(at))
