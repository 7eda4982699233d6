import { compileSignNames, compileSigns, type FoundSign } from './automation-signs.ts'
import type { RegistryDocument, RegistryEntry } from './document.ts'
import { isInspectorAgent } from './inspector-agent.ts'
import { anyOf, LEFT_BOUNDARY, tokenSource } from './tokens.ts'

/** A crawler registry ready for use. All functions are pure and synchronous; callers cache by user agent. */
export interface Registry {
  readonly version: string
  /** Its document, from which a thread compiles its own. */
  readonly document: RegistryDocument
  readonly entries: readonly RegistryEntry[]
  readonly entry: (crawlerId: string) => RegistryEntry | undefined
  /**
   * The entry that a user agent matches, or null. Of several, the longest token decides, then the first in the agent.
   * An entry does not match if one of its excludes is in the agent (decisions 3.3). Agents of inspections match no
   * entry (rules 8.3).
   */
  readonly classify: (userAgent: string) => RegistryEntry | null
  /** Whether an agent matches an entry or has a sign of automation; the empty agent and '-' do not (rules 4). */
  readonly isAutomated: (userAgent: string) => boolean
  /** The signs of automation in an agent, in the order of the document. */
  readonly signsOf: (userAgent: string) => FoundSign[]
  /** Whether the requests of an entry are published: all scopes except `ads` (decisions 3.3). */
  readonly counts: (entry: RegistryEntry) => boolean
}

interface TokenMatcher {
  /** Lower case. Only tokens with the same first characters can match at a position. */
  prefix: string
  length: number
  entry: RegistryEntry
  excludes: RegExp
  /** Sticky: tests for the token at lastIndex only. */
  here: RegExp
}

/** Compiles a checked document, which takes about a millisecond, once per registry version. */
export function compileRegistry(document: RegistryDocument): Registry {
  const byId = new Map(document.entries.map((entry) => [entry.crawler_id, entry]))
  const byToken = compileTokens(document.entries)
  const classify = (userAgent: string) => (isInspectorAgent(userAgent) ? null : byToken(userAgent))
  const bearsSign = compileSigns(document.automation_signs)
  // Compiled when it is first used: reading logs needs only the test.
  let signsOf: Registry['signsOf'] | undefined
  return {
    version: document.version,
    document,
    entries: document.entries,
    entry: (crawlerId) => byId.get(crawlerId),
    classify,
    isAutomated: (userAgent) => bearsSign(userAgent) || isInspectorAgent(userAgent) || classify(userAgent) !== null,
    signsOf(userAgent) {
      signsOf ??= compileSignNames(document.automation_signs)
      return signsOf(userAgent)
    },
    counts: (entry) => entry.scope !== 'ads',
  }
}

/** An alternation of all tokens finds positions, at which the tokens with the same first characters are tested. */
function compileTokens(entries: readonly RegistryEntry[]): Registry['classify'] {
  const byPrefix = Map.groupBy(entries.flatMap(tokenMatchers), ({ prefix }) => prefix)
  const places = new RegExp(placesSource(entries), 'gi')
  return (userAgent) => {
    let best: TokenMatcher | null = null
    places.lastIndex = 0
    for (let place = places.exec(userAgent); place !== null; place = places.exec(userAgent)) {
      for (const candidate of byPrefix.get(prefixAt(userAgent, place.index)) ?? []) {
        if (best !== null && candidate.length <= best.length) continue
        if (matchesAt(candidate, userAgent, place.index)) best = candidate
      }
      // TRICKY: a longer token may begin inside this one; the test on overlapping tokens proves it.
      places.lastIndex = place.index + 1
    }
    return best === null ? null : best.entry
  }
}

/** The length of the shortest token that a document may have. */
const PREFIX_LENGTH = 3

function prefixAt(text: string, index: number): string {
  return text.slice(index, index + PREFIX_LENGTH).toLowerCase()
}

function tokenMatchers(entry: RegistryEntry): TokenMatcher[] {
  const excludes = new RegExp(anyOf(entry.user_agent_excludes.map((text) => RegExp.escape(text))), 'i')
  return entry.user_agent_tokens.map((token) => ({
    prefix: prefixAt(token, 0),
    length: token.length,
    entry,
    excludes,
    here: new RegExp(entry.match === 'token' ? `${LEFT_BOUNDARY}${tokenSource(token)}` : RegExp.escape(token), 'iy'),
  }))
}

function placesSource(entries: readonly RegistryEntry[]): string {
  const bounded = entries.filter(({ match }) => match === 'token').flatMap(({ user_agent_tokens }) => user_agent_tokens)
  const loose = entries
    .filter(({ match }) => match === 'substring')
    .flatMap(({ user_agent_tokens }) => user_agent_tokens)
  return anyOf([
    `${LEFT_BOUNDARY}${anyOf(bounded.map(tokenSource))}`,
    anyOf(loose.map((token) => RegExp.escape(token))),
  ])
}

function matchesAt(matcher: TokenMatcher, userAgent: string, index: number): boolean {
  matcher.here.lastIndex = index
  return matcher.here.test(userAgent) && !matcher.excludes.test(userAgent)
}
