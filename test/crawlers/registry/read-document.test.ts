import { describe, expect, it } from 'vitest'
import type { RegistryEntry } from '#crawlers/registry/document.ts'
import { readRegistry } from '#crawlers/registry/read-document.ts'
import { Refusal } from '#refusal.ts'
import { makeDocument, makeEntry } from './make-registry.ts'

function refusalOf(json: unknown): string {
  try {
    readRegistry(json)
  } catch (error) {
    expect(error).toBeInstanceOf(Refusal)
    expect(error).toMatchObject({ kind: 'invalid_input' })
    return String(error)
  }
  throw new Error('the registry was read')
}

const documentWith = (changes: Partial<RegistryEntry>) =>
  makeDocument([makeEntry('plainbot'), makeEntry('oddbot', changes)])
const page = { url: 'https://crawler.example.com/about', evidence: 'vendor_page', checked_on: null } as const

describe('reading a registry', () => {
  it('returns a valid document as it was', () => {
    const document = documentWith({ purpose: 'search', purpose_source: page })
    expect(readRegistry(structuredClone(document))).toEqual(document)
  })

  it.each([[null], ['registry'], [[]], [{}]])('refuses %j, which has no shape of a registry', (json) => {
    expect(refusalOf(json)).toContain('The document must')
  })

  it('names the entry and the field whose shape is wrong, with what is allowed', () => {
    const document: unknown = { ...makeDocument([]), entries: [{ ...makeEntry('oddbot'), purpose: 'spying' }] }
    expect(refusalOf(document)).toMatch(/Entry oddbot: purpose .*search, assistant, training, unknown/)
  })

  it('names an entry without a readable id by its number, counted from one', () => {
    const document: unknown = {
      ...makeDocument([]),
      entries: [makeEntry('plainbot'), { ...makeEntry('x'), crawler_id: 7 }],
    }
    expect(refusalOf(document)).toContain('Entry number 2: crawler_id')
  })

  it('names a missing field', () => {
    const { first_seen: _, ...entry } = makeEntry('oddbot')
    expect(refusalOf({ ...makeDocument([]), entries: [entry] })).toMatch(/Entry oddbot .*first_seen/)
  })

  it('refuses a field that it does not know, so that a misspelt one is not lost', () => {
    const document: unknown = { ...makeDocument([]), entries: [{ ...makeEntry('oddbot'), porpuse: 'search' }] }
    expect(refusalOf(document)).toContain('Entry oddbot: porpuse is not a field')
  })

  it.each(['2026-11-21', '21.11.2026', '2026-11-21.0', '2026-02-30.1'])('refuses the version %s', (version) => {
    expect(refusalOf(makeDocument([], { version }))).toContain('version')
  })

  it('refuses a crawler_id that occurs twice', () => {
    const twice = [makeEntry('twinbot'), makeEntry('twinbot', { user_agent_tokens: ['OtherBot'] })]
    expect(refusalOf(makeDocument(twice))).toContain('twinbot occurs twice')
  })

  it('refuses a token of two entries, in whatever case, and names both', () => {
    expect(refusalOf(documentWith({ user_agent_tokens: ['PlainBot'] }))).toMatch(
      /PlainBot belongs to plainbot and to oddbot/,
    )
  })

  it('refuses a token that an entry has twice', () => {
    expect(refusalOf(documentWith({ user_agent_tokens: ['OddBot', 'oddbot'] }))).toContain('oddbot belongs to oddbot')
  })

  it('refuses a token of less than three characters', () => {
    expect(refusalOf(documentWith({ user_agent_tokens: ['ab'] }))).toContain('Entry oddbot: user_agent_tokens/0')
  })

  it('refuses tokens on an entry that only robots.txt knows', () => {
    expect(refusalOf(documentWith({ robots_only: true }))).toMatch(/oddbot is robots_only.*user_agent_tokens/)
  })

  it('refuses an entry that only robots.txt knows and that has no robots_token', () => {
    const changes = { robots_only: true, user_agent_tokens: [], robots_token: null }
    expect(refusalOf(documentWith(changes))).toMatch(/oddbot is robots_only.*robots_token/)
  })

  it('refuses an entry that nothing could ever recognise', () => {
    expect(refusalOf(documentWith({ user_agent_tokens: [] }))).toMatch(/oddbot can never be recognised/)
  })

  it('accepts an entry without tokens that signs its requests', () => {
    const verification = {
      ...makeEntry('x').verification,
      web_bot_auth: true,
      signature_agent: 'https://agent.example.com',
    }
    const document = documentWith({ user_agent_tokens: [], verification })
    expect(readRegistry(document)).toEqual(document)
  })

  it('refuses a purpose without the page that declares it', () => {
    expect(refusalOf(documentWith({ purpose: 'training' }))).toMatch(/oddbot has the purpose training.*purpose_source/)
  })

  it("refuses a purpose that only a reviewer's word supports", () => {
    const purpose_source = { ...page, evidence: 'vendor_page_paraphrased_by_reviewer' } as const
    expect(refusalOf(documentWith({ purpose: 'search', purpose_source }))).toMatch(/oddbot.*purpose search/)
    expect(() => readRegistry(documentWith({ purpose: 'unknown', purpose_source }))).not.toThrow()
  })

  it('refuses a purpose whose page has no URL', () => {
    const purpose_source = { ...page, url: '' }
    expect(refusalOf(documentWith({ purpose: 'search', purpose_source }))).toContain('Entry oddbot: purpose_source/url')
  })
})
