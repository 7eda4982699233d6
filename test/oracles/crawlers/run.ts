/**
 * Plays a history on the real service: deliveries through its endpoints, its owner's commands, and questions to its
 * API.
 */
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { assignAuthority } from '#crawlers/authority/assign-hosts.ts'
import { markSilentSources } from '#intake/batches/silent-sources.ts'
import { importLog } from '#intake/import/import-log.ts'
import type { Site } from '#sites/site.ts'
import { setPrimary } from '#sources/change-source.ts'
import { disconnectSource, reconnectSource } from '#sources/disconnect-source.ts'
import { retireSender } from '#sources/senders.ts'
import { addIntakeSource, listSources } from '#sources/sources.ts'
import { createToken, revokeToken } from '#sources/tokens.ts'
import { runOperation } from '#surfaces/operator/operations.ts'
import { openTestService, type TestService } from '../../support/service.ts'
import { LIST } from './agents.ts'
import { type Ask, type Batch, type Event, type Upload, uploadsOf } from './events.ts'
import { batchText, logText, SITE } from './render.ts'
import { START } from './story.ts'
import { DAY, instant } from './time.ts'

/** By operation, as the API said it. */
export type Answers = Record<string, unknown>

interface Play {
  service: TestService
  site: Site
  /** By the name of the source. */
  ids: Map<string, string>
  tokens: Map<string, { id: string; secret: string }>
}

/**
 * A service for any number of histories. The list comes before them, because it speaks from the day of its import on.
 */
export async function openStage(): Promise<TestService> {
  const service = await openTestService(instant(START))
  const document = Buffer.from(`${LIST.network}0/24`).toString('base64')
  // A list that is not confirmed for 7 days judges no more.
  for (const days of [0, 6, 12, 18, 24, 30]) {
    service.clock.set(instant(START + days * DAY))
    await runOperation(service.installation.operator, 'registry.lists.import', {
      list: LIST.crawler_id,
      document,
      is_whole_as: false,
    })
  }
  // A key sees the sites of its member, later ones too, but there must be one.
  await service.addSite(SITE)
  await service.createKey()
  return service
}

let plays = 0

/**
 * The answers to each `ask` of the history, in its order, on a site of its own, with hosts and sources under the names
 * of the history.
 */
export async function play(service: TestService, events: readonly Event[]): Promise<Answers[]> {
  // Before shop and www, as the domain of the history is, because hosts are sorted.
  const site = await service.addSite(`a${++plays}.example`)
  const playing: Play = { service, site, ids: new Map(), tokens: new Map() }
  const answers: Answers[] = []
  for (const event of events) {
    if (event.do === 'ask') answers.push(await ask(playing, event))
    else await happen(playing, event)
  }
  return answers
}

async function happen(playing: Play, event: Exclude<Event, Ask>): Promise<void> {
  const { service, site } = playing
  const owner = service.installation.operator
  const source = 'source' in event ? (playing.ids.get(event.source) ?? '') : ''
  switch (event.do) {
    case 'clock':
      service.clock.set(event.to * 60_000)
      return
    case 'connect': {
      const added = await addIntakeSource(owner, { site_id: site.id, name: event.source })
      playing.ids.set(event.source, added.source.id)
      playing.tokens.set(event.source, added.token)
      return
    }
    case 'batch':
      return deliver(playing, event)
    case 'refused':
      return deliverBadly(playing, event)
    case 'upload':
      return upload(playing, event)
    case 'primary':
      await setPrimary(owner, { source, is_primary: event.is_primary })
      return
    case 'disconnect':
      await disconnectSource(owner, source)
      return
    case 'reconnect':
      await reconnectSource(owner, source)
      return
    case 'revoke':
      await revokeToken(owner, playing.tokens.get(event.source)?.id ?? '')
      return
    case 'token':
      playing.tokens.set(event.source, await createToken(owner, { source, name: 'another' }))
      return
    case 'gate':
      await runOperation(owner, 'gate.set', {
        site: site.id,
        gate: 'crawler_authority_v2',
        is_open: event.is_open,
      })
      return
    case 'assign': {
      const hostname = event.host.replace(SITE, site.root_domain)
      await assignAuthority(owner, { site, hostname, source, from: event.from })
      return
    }
    case 'retire_sender':
      await retireSender(owner, { source, sender: event.sender })
      return
  }
}

async function deliver(playing: Play, batch: Batch): Promise<void> {
  for (let time = 0; time < (batch.is_repeated ? 2 : 1); time++) {
    const { status, text } = await post(playing, batch.source, batchText(batch), batch.sender)
    if (status !== 200) throw new Error(`The intake answered ${status}: ${text}`)
  }
}

async function deliverBadly(playing: Play, { source, why, seen }: Extract<Event, { do: 'refused' }>): Promise<void> {
  const text = batchText({ ...seen, heartbeats: [] })
  const packed = gzipSync(text.replaceAll(SITE, playing.site.root_domain))
  const bodies = { truncated: packed.subarray(0, packed.length - 12), no_json: 'no record\n'.repeat(3), no_token: text }
  const { status } = await post(playing, source, bodies[why], null, why === 'no_token' ? 'spoor_src_none' : undefined)
  if (status !== (why === 'no_token' ? 401 : 400)) throw new Error(`The intake answered ${status} to a bad batch.`)
}

function post(
  { service, site, tokens }: Play,
  source: string,
  body: string | Buffer,
  sender: string | null,
  token?: string,
) {
  return service.ask('/intake/logs', {
    method: 'POST',
    body: typeof body === 'string' ? body.replaceAll(SITE, site.root_domain) : body,
    key: token ?? tokens.get(source)?.secret ?? null,
    headers: sender === null ? {} : { 'x-spoor-sender': sender },
  })
}

async function upload({ service, site, ids }: Play, asked: Upload): Promise<void> {
  const { server, host, covers, is_partial } = asked
  await importLog(
    service.crawlers,
    {
      site,
      host: host === null ? null : host.replace(SITE, site.root_domain),
      label: 'access.log',
      partial: is_partial,
      ...(server === '' ? {} : { server }),
      ...(covers === null ? {} : { covers }),
    },
    Readable.from([Buffer.from(logText(asked).replaceAll(SITE, site.root_domain))]),
  )
  const sources = await listSources(service.installation.operator, site.id)
  const made = sources.find((source) => source.source_type === 'log_upload' && source.name === server)
  if (made === undefined) throw new Error(`The upload made no source of ${server}.`)
  ids.set(uploadsOf(server), made.id)
}

/** What jobs would have noticed since, then the questions. */
async function ask({ service, site, ids }: Play, asked: Ask): Promise<Answers> {
  await markSilentSources(service.crawlers)
  const purpose = asked.purposes === null ? '' : `&purpose=${asked.purposes.join(',')}`
  const limit = asked.limit === null ? '' : `&limit=${asked.limit}`
  const queries = {
    performance: `?window=${asked.window}${purpose}`,
    crawlers: `?window=${asked.window}${purpose}`,
    'top-pages': `?window=${asked.window}${purpose}${limit}`,
    sources: '',
  }
  const names = new Map([...ids].map(([name, id]) => [id, name]))
  const answers: Answers = {}
  for (const [operation, query] of Object.entries(queries)) {
    const answer = await service.ask(`/v1/sites/${site.id}/${operation}${query}`)
    if (answer.status !== 200) throw new Error(`${operation} answered ${answer.status}: ${answer.text}`)
    answers[operation] = JSON.parse(answer.text.replaceAll(site.root_domain, SITE), (key, value) =>
      isId(key, value) ? (names.get(value) ?? value) : value,
    )
  }
  return answers
}

const isId = (key: string, value: unknown): value is string =>
  (key === 'id' || key === 'source_connection_id') && typeof value === 'string'
