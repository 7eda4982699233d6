import type { AutomationSigns } from './document.ts'
import { anyOf, LEFT_BOUNDARY, tokenSource } from './tokens.ts'

/** A URL with its scheme or a leading www., or an e-mail address, in the comment or behind it: crawlers write both. */
const LINKS = {
  url: 'https?://[a-z0-9]|(?<![a-z0-9.])www\\.[a-z0-9]',
  email: '[a-z0-9]@(?:[a-z0-9-]+\\.)+[a-z]{2,}(?![a-z0-9_])',
}

/**
 * Builds the test for the signs of automation (rules 4): `words` anywhere, `links` anywhere, `programs` as tokens with
 * boundaries, `whole_agents` when they are all of the agent. `people` are names of phones and browsers that hold a sign
 * by accident; they are taken out first, wherever they begin a word.
 */
export function compileSigns(signs: AutomationSigns): (userAgent: string) => boolean {
  const sign = new RegExp(anyOf(signSources(signs)), 'i')
  const people = new RegExp(`${LEFT_BOUNDARY}${anyOf(signs.people.map((name) => RegExp.escape(name)))}`, 'gi')
  return (userAgent) => sign.test(userAgent) && sign.test(userAgent.replace(people, ' '))
}

function signSources(signs: AutomationSigns): string[] {
  return [
    ...signs.words.map((word) => RegExp.escape(word)),
    ...signs.links.map((link) => LINKS[link]),
    `${LEFT_BOUNDARY}${anyOf(signs.programs.map(tokenSource))}`,
    `^\\s*${anyOf(signs.whole_agents.map((agent) => RegExp.escape(agent)))}\\s*$`,
  ]
}
