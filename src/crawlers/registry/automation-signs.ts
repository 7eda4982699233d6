import type { AgentSign } from '#contract/vocabulary.ts'
import type { AutomationSigns } from './document.ts'
import { anyOf, LEFT_BOUNDARY, tokenSource } from './tokens.ts'

/** A URL with its scheme or a leading www., or an e-mail address, in the comment or after it; crawlers write both. */
const LINKS = {
  url: 'https?://[a-z0-9]|(?<![a-z0-9.])www\\.[a-z0-9]',
  email: '[a-z0-9]@(?:[a-z0-9-]+\\.)+[a-z]{2,}(?![a-z0-9_])',
}

/**
 * Builds the test for the signs of automation (rules 4): `words` anywhere, `links` anywhere, `programs` as tokens with
 * boundaries, `whole_agents` if they are the whole agent. `people` are names of phones and browsers that contain a sign
 * by coincidence; they are removed first, wherever they begin a word.
 */
export function compileSigns(signs: AutomationSigns): (userAgent: string) => boolean {
  const sign = new RegExp(anyOf(signSources(signs)), 'i')
  const people = new RegExp(`${LEFT_BOUNDARY}${anyOf(signs.people.map((name) => RegExp.escape(name)))}`, 'gi')
  return (userAgent) => sign.test(userAgent) && sign.test(userAgent.replace(people, ' '))
}

/** A sign of automation in an agent; `text` is the word of the registry, null for links. */
export interface FoundSign {
  sign: AgentSign
  text: string | null
}

/**
 * Builds a function that returns the signs in an agent, in the order of the registry; none if it is not automated.
 */
export function compileSignNames(signs: AutomationSigns): (userAgent: string) => FoundSign[] {
  const people = new RegExp(`${LEFT_BOUNDARY}${anyOf(signs.people.map((name) => RegExp.escape(name)))}`, 'gi')
  const each: (readonly [RegExp, FoundSign])[] = [
    ...signs.words.map((text) => named(RegExp.escape(text), { sign: 'word', text })),
    ...signs.links.map((sign) => named(LINKS[sign], { sign, text: null })),
    ...signs.programs.map((text) => named(`${LEFT_BOUNDARY}${tokenSource(text)}`, { sign: 'program', text })),
    ...signs.whole_agents.map((text) => named(`^\\s*${RegExp.escape(text)}\\s*$`, { sign: 'whole_agent', text })),
  ]
  return (userAgent) => {
    const agent = userAgent.replace(people, ' ')
    return each.filter(([pattern]) => pattern.test(agent)).map(([, found]) => found)
  }
}

const named = (source: string, found: FoundSign) => [new RegExp(source, 'i'), found] as const

function signSources(signs: AutomationSigns): string[] {
  return [
    ...signs.words.map((word) => RegExp.escape(word)),
    ...signs.links.map((link) => LINKS[link]),
    `${LEFT_BOUNDARY}${anyOf(signs.programs.map(tokenSource))}`,
    `^\\s*${anyOf(signs.whole_agents.map((agent) => RegExp.escape(agent)))}\\s*$`,
  ]
}
