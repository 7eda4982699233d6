import type { FunnelRevision } from '../definitions/definitions.ts'

/** The revisions of each funnel, by number. */
export function funnelsOf(revisions: readonly FunnelRevision[]): FunnelRevision[][] {
  return [...Map.groupBy(revisions, ({ funnel_id }) => funnel_id).values()].map((own) =>
    own.toSorted((a, b) => a.revision - b.revision),
  )
}

/** The newest revision is current unless its funnel is archived; superseded ones are archived (spec 3). */
export function currentOf(own: readonly FunnelRevision[]): { revision: FunnelRevision; is_current: boolean } {
  const revision = own.at(-1) as FunnelRevision
  return { revision, is_current: revision.archived_at === null }
}

/** A site is configured as soon as it has a funnel, archived ones included, because they keep their results. */
export function configurationOf(funnels: readonly (readonly FunnelRevision[])[]) {
  return {
    state: funnels.length === 0 ? ('not_configured' as const) : ('configured' as const),
    active_count: funnels.filter((own) => currentOf(own).is_current).length,
  }
}
