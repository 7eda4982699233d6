/**
 * A site with receivers of alerts on a real control store, webhooks on loopback, and changes of issues as detection
 * hands them over.
 */
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, onTestFinished } from 'vitest'
import { ensureInstallation } from '#accounts/ensure-installation.ts'
import { type DeliverContext, deliverDue } from '#alerts/deliver.ts'
import { enqueueAlerts } from '#alerts/enqueue.ts'
import type { AlertedIssue, IssueChange } from '#alerts/issue-change.ts'
import type { AlertedSite } from '#alerts/outbox.ts'
import { addWebhook } from '#alerts/receivers.ts'
import { instantText } from '#clock.ts'
import { readConfig } from '#config.ts'
import type { AlertEventType, IssueChangeKind } from '#contract/vocabulary.ts'
import type { AlertReceiverRow } from '#control/tables.ts'
import { openSecretBox } from '#secrets/secret-box.ts'
import { addSite } from '#sites/sites.ts'
import { type FakeClock, fakeClock } from './clock.ts'
import { openTestControl, type TestControl } from './control.ts'

export interface AlertWorld {
  store: TestControl
  clock: FakeClock
  site: AlertedSite
  ctx: DeliverContext & { clock: FakeClock; outgoing: NonNullable<DeliverContext['outgoing']> }
  addSite(domain: string): Promise<AlertedSite>
  /** Adds a receiver of this URL. */
  add(url: string, event_types?: AlertEventType[]): Promise<{ receiver: AlertReceiverRow; secret: string }>
  /** Records changes in a transaction of their own; returns how many alerts they became. */
  enqueue(...changes: IssueChange[]): Promise<number>
  /** One round of deliveries with no wait for another; returns when something else is due. */
  deliver(): Promise<number | null>
  /** Moves the clock to just after what is due next, and delivers. */
  deliverNext(): Promise<number | null>
  deliveries(): Promise<
    { type: string; state: string; attempts: number; error_code: string | null; status: number | null }[]
  >
}

const KEY = '0f'.repeat(32)

/** To be called once at the top of a file: one store for all its tests, and a site without alerts for each. */
export function alertWorldOfFile(): (now: string) => Promise<AlertWorld> {
  let store: TestControl | null = null
  afterAll(async () => {
    await store?.remove()
    store = null
  })
  return async (now) => {
    store ??= await openTestControl()
    // Everything else goes with the sites.
    for (const table of ['sites', 'jobs'] as const) await store.control.db.deleteFrom(table).execute()
    return openAlertWorld(store, now)
  }
}

async function openAlertWorld(store: TestControl, now: string): Promise<AlertWorld> {
  const { control } = store
  const clock = fakeClock(now)
  const installation = await ensureInstallation(control, clock)
  const add = async (domain: string) => {
    const { id, root_domain } = await addSite({ control, clock }, { ...installation, domain })
    return { id, root_domain }
  }
  const site = await add('example.com')
  const { allow_networks } = readConfig({ SPOOR_ALLOW_NETWORKS: '127.0.0.0/8' })
  const ctx = {
    control,
    clock,
    mailer: null,
    origin: () => 'https://spoor.example.com',
    secrets: openSecretBox(store.folder, { secret_key: KEY }),
    outgoing: { allow_networks, allow_ports: ANY_PORT, resolve: async () => ['127.0.0.1'], own_endpoints: () => [] },
    timeout_ms: 5_000,
    // Without jitter.
    random: () => 0.5,
  }
  let next_at: number | null = null
  const deliver = async () => {
    next_at = await deliverDue(ctx, new AbortController().signal, async () => {})
    return next_at
  }
  return {
    store,
    clock,
    site,
    ctx,
    deliver,
    addSite: add,
    add: (url, event_types) =>
      addWebhook(ctx, { site_id: site.id, url, ...(event_types === undefined ? {} : { event_types }) }),
    enqueue: (...changes) =>
      control.transaction((trx) => enqueueAlerts(trx, site, changes, { now: clock.now(), is_clock_simulated: false })),
    async deliverNext() {
      if (next_at === null) throw new Error('nothing is due')
      clock.set(Math.max(next_at, clock.now()))
      return deliver()
    },
    deliveries: () =>
      control.db
        .selectFrom('alert_deliveries as delivery')
        .innerJoin('alerts', 'alerts.id', 'delivery.alert_id')
        .select(['alerts.type', 'delivery.state', 'delivery.attempts', 'delivery.error_code', 'delivery.status'])
        .orderBy('alerts.position')
        .execute(),
  }
}

/** Servers of tests listen where there is room. */
const ANY_PORT: ReadonlySet<number> = Object.assign(new Set<number>(), { has: () => true })

export interface ReceivedWebhook {
  headers: IncomingHttpHeaders
  body: string
  json: { type: string; timestamp: string; data: Record<string, unknown> }
}

export interface WebhookStandIn {
  url: string
  received: ReceivedWebhook[]
  /** What it does from now on; 204 unless set. */
  answer: (response: ServerResponse) => void
}

/** A receiver on loopback that keeps what it gets. */
export async function webhookStandIn(): Promise<WebhookStandIn> {
  const standIn: WebhookStandIn = { url: '', received: [], answer: (response) => response.writeHead(204).end() }
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const part of request) body += part
    standIn.received.push({ headers: request.headers, body, json: JSON.parse(body) })
    standIn.answer(response)
  })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  standIn.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks/secret-part`
  return standIn
}

/** A change of an issue; the same `number` is the same issue. */
export function issueChange(
  clock: FakeClock,
  kind: IssueChangeKind,
  number: number,
  more: Partial<Omit<IssueChange, 'issue'>> & { issue?: Partial<AlertedIssue> & { fix_prompt?: string } } = {},
): IssueChange {
  const id = `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
  const path = `/directory-${number}/page`
  return {
    kind,
    changed_at: clock.now(),
    harm: 'server_error',
    unverified_harm: null,
    ...more,
    issue: {
      id,
      path,
      crawler_id: 'claudebot',
      state: 'open',
      cause: 'origin_error',
      confidence: 'high',
      title: `ClaudeBot got 503 on 9 of 9 observed requests to example.com${path}, 10 Mar 2026`,
      detected_at: instantText(clock.now()),
      fix_confirmed_at: null,
      evidence_refs: [{ kind: 'inspection', id: randomUUID() }],
      ...more.issue,
    },
  }
}
