/** Issues without the evidence that would open them. */
import { randomUUID } from 'node:crypto'
import type { ControlStore } from '#control/store.ts'
import type { IssueRow } from '#control/tables.ts'
import type { InspectionResult, Visit } from '#inspections/inspection.ts'
import type { Site } from '#sites/site.ts'

/** An open issue of a site, with one piece of evidence and one path; `given` says what differs. */
export async function addIssue(
  { db }: ControlStore,
  site: Pick<Site, 'id' | 'root_domain'>,
  given: Partial<IssueRow> = {},
): Promise<IssueRow> {
  const at = given.detected_at ?? Date.parse('2026-03-10T10:00:00Z')
  const row: IssueRow = {
    id: randomUUID(),
    site_id: site.id,
    unit: null,
    host: site.root_domain,
    path_key: '/pricing',
    crawler_id: 'claudebot',
    harm: 'refused',
    vantage: 'origin',
    state: 'open',
    opened_at: at,
    last_harm_at: at,
    baseline: null,
    clean_since: null,
    fix_detected_at: null,
    fix_confirmed_at: null,
    detected_at: at,
    ended_at: null,
    cause: 'http_status',
    confidence: 'low',
    description: null,
    fix_prompt: null,
    title: `Requests naming ClaudeBot got 403 on 5 of 5 observed requests to ${site.root_domain}/pricing, 10 Mar 2026`,
    evidence_from: '2026-03-10',
    evidence_to: '2026-03-10',
    member_count: 1,
    weakest_identity: 1,
    recent_harm_count: 5,
    previous_id: null,
    revision: 1,
    ...given,
  }
  await db.insertInto('issues').values(row).execute()
  const ref = { kind: 'rollup_daily', host: row.host, path_key: row.path_key, status: 403, count: 5 }
  await db
    .insertInto('issue_evidence')
    .values({ issue_id: row.id, position: 0, ref: JSON.stringify({ ...ref, window: '2026-03-10/2026-03-10' }) })
    .execute()
  return row
}

/** Ends every inspection of a site that is due, as if it had found this; returns how many. */
export async function endInspections(
  { control, clock }: { control: ControlStore; clock: { now(): number } },
  site: Pick<Site, 'id'>,
  found: 'clean' | 'harmed' | 'served_to_us_only' | 'not_possible',
  result: Partial<InspectionResult> = {},
): Promise<number> {
  const ended_at = clock.now()
  const { numUpdatedRows } = await control.db
    .updateTable('inspections')
    .set({
      ...(found === 'not_possible'
        ? { state: 'not_made', obstacle: 'not_possible' }
        : { state: 'done', obstacle: null }),
      started_at: ended_at,
      ended_at,
      is_clean: found === 'clean' ? 1 : 0,
      reproduced: REPRODUCED[found],
      result:
        found === 'not_possible'
          ? null
          : JSON.stringify({ ...NOTHING_FOUND, reproduced: REPRODUCED[found], ...result }),
    })
    .where('site_id', '=', site.id)
    .where('state', '=', 'queued')
    .where('due_at', '<=', ended_at)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

const REPRODUCED = { clean: 'no', harmed: 'yes', served_to_us_only: 'unknown', not_possible: null } as const

export const visit = (given: Partial<Visit> = {}): Visit => ({
  agent: 'SpoorInspector/1',
  state: 'answered',
  code: null,
  hops: [],
  final_status: 200,
  content_type: 'text/html',
  body_bytes: 100,
  body_truncated: false,
  page_directives: null,
  is_served: true,
  challenge: { state: 'not_detected', vendor: null, signals: [] },
  ...given,
})

const NOTHING_FOUND: Omit<InspectionResult, 'reproduced'> = {
  scheme: 'https',
  robots: {
    url: 'https://example.com/robots.txt',
    fetched_status: 404,
    code: null,
    fetched_at: '2026-03-10T12:00:00.000Z',
    sha256: null,
    size_bytes: null,
    truncated: false,
    verdict: null,
  },
  dns: { state: 'resolved', code: null, addresses: [] },
  tls: null,
  as_crawler: visit(),
  as_ourselves: visit(),
  unreachable: null,
  is_clean: true,
}
