/** Actions of the edge in front of a site, in the words of each vendor (rules 4). */

/** `none`: the source says that the edge let the request pass. Null, in place of an action: the source does not say. */
export type EdgeAction = 'none' | 'block' | 'challenge'

/** An action in any vendor's spelling (`jschallenge`, `js_challenge`, `JSChallenge`); null for an unknown word. */
export function edgeActionOf(word: string): EdgeAction | null {
  const plain = word.slice(0, MAX_WORD_LENGTH).toLowerCase().replace(/[-_ ]/g, '')
  if (BLOCKED.has(plain)) return 'block'
  if (CHALLENGED.has(plain)) return 'challenge'
  return PASSED.has(plain) ? 'none' : null
}

/** The strictest of several actions on a request: a block, else a challenge; null if no word is known. */
export function strictestAction(words: readonly string[]): EdgeAction | null {
  const actions = words.map(edgeActionOf)
  return (['block', 'challenge', 'none'] as const).find((action) => actions.includes(action)) ?? null
}

const MAX_WORD_LENGTH = 64

/** Cloudflare (SecurityActions), AWS WAF, Vercel, Google Cloud Armor and words that operators log. */
const BLOCKED: ReadonlySet<string> = new Set([
  'block',
  'blocked',
  'deny',
  'denied',
  'drop',
  'dropped',
  'reject',
  'rejected',
  'customresponse',
  'connectionclose',
  'forceconnectionclose',
  'challengefailed',
  'jschallengefailed',
  'managedchallengefailed',
])
const CHALLENGED: ReadonlySet<string> = new Set([
  'challenge',
  'challenged',
  'jschallenge',
  'managedchallenge',
  'captcha',
  'recaptcha',
])
/** `count` and `log` only record. A challenge that was solved or not needed let the request pass. */
const PASSED: ReadonlySet<string> = new Set([
  'none',
  'unknown',
  'allow',
  'allowed',
  'pass',
  'passed',
  'accept',
  'accepted',
  'log',
  'logged',
  'simulate',
  'count',
  'bypass',
  'skip',
  'rewrite',
  'exempt',
  'linkmazeinjected',
  'challengesolved',
  'jschallengesolved',
  'challengebypassed',
  'jschallengebypassed',
  'managedchallengebypassed',
  'managedchallengenoninteractivesolved',
  'managedchallengeinteractivesolved',
])
