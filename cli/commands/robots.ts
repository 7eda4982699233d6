/** Tests a robots.txt on disk before it is deployed (rules 8.4). */

import { builtInDocument } from '#crawlers/registry/built-in.ts'
import { quoted } from '#foreign-text.ts'
import { Refusal } from '#refusal.ts'
import { availabilityOf } from '#robots/availability.ts'
import { type RobotsDecision, robotsDecider, type UndecidedReason } from '#robots/engine.ts'
import { MAX_ROBOTS_BYTES } from '#robots/parse.ts'
import { robotsTarget } from '#robots/target.ts'
import type { RobotsCrawler, RobotsDeviation } from '#robots/vendor-reading.ts'
import { BadUsage } from '../bad-usage.ts'
import { command, group } from '../command.ts'
import { readWhole } from '../input/input-files.ts'
import { argument, optional } from '../input/parameters.ts'
import { lines } from '../output.ts'

/** `deviation` is present only if a vendor's own reading took part, `reason` only if nothing is decided. */
type RobotsTest = Pick<RobotsDecision, 'decision' | 'group' | 'rule' | 'line'> & {
  deviation?: RobotsDeviation
  reason?: UndecidedReason
}

const ANY_CRAWLER = '*'

const parameters = {
  file: argument('<file>', 'robots.txt, or - for standard input'),
  url: argument('<url>', 'a URL, or its path and query, for example /news?page=2'),
  agent: optional(
    '--agent <token>',
    'product token of the crawler, for example GPTBot (default: one that the file does not name)',
  ),
}

export const robotsCommands = group('robots', 'robots.txt, as crawlers read it', [
  command('test', 'check a URL against a robots.txt file before you deploy it', {
    parameters,
    async run({ file, url, agent = ANY_CRAWLER }): Promise<RobotsTest> {
      const target = robotsTarget(pathAndQueryOf(url))
      const available = availabilityOf({ status: 200, body: await readRobots(file) })
      const { decision, group, rule, line, deviation, reason } = robotsDecider(available, target)(crawlerOf(agent))
      return { decision, group, rule, line, ...(deviation && { deviation }), ...(reason && { reason }) }
    },
    text: ({ decision, group, rule, line, reason }) =>
      rule === null
        ? `${decision}: ${undecidedText(group, reason)}`
        : lines(`${decision} by line ${line}: ${rule}`, `group: ${group}`),
    notes: ({ deviation, group }, { agent = ANY_CRAWLER }) =>
      deviation === undefined ? unnamedNotes(agent, group) : [`${agent} ${deviationText(deviation)}`],
  }),
])

/** @throws Refusal not_readable: the file cannot be read, or is UTF-16, in which crawlers find no rule. */
async function readRobots(file: string): Promise<Buffer> {
  const body = await readWhole(file)
  if (!body.subarray(0, MAX_ROBOTS_BYTES).includes(0)) return body
  throw new Refusal(
    'not_readable',
    `${file} holds NUL bytes, as UTF-16 text does: crawlers read UTF-8 and would find no rule in it. Save it as UTF-8 (iconv -f UTF-16 -t UTF-8)`,
  )
}

/** Vendors' own readings come with the registry of this release, so that no data folder is needed. */
function crawlerOf(agent: string): RobotsCrawler {
  if (!/^(\*|[A-Za-z0-9_ .-]+)$/.test(agent)) {
    throw new BadUsage(
      `${quoted(agent)} is not a product token: give the name alone, without a version, for example GPTBot`,
    )
  }
  const token = agent.toLowerCase()
  const entry = builtInDocument.entries.find(({ robots_token }) => robots_token?.toLowerCase() === token)
  return { token: agent, reading: entry?.robots }
}

/** With a misspelt token, the rules for all crawlers would look like those for the crawler. */
function unnamedNotes(agent: string, group: string | null): string[] {
  if (agent === ANY_CRAWLER || (group !== null && group !== ANY_CRAWLER)) return []
  const rules = group === null ? 'no rules apply to it' : 'the rules for * apply to it'
  const letters = lettersOf(agent)
  const known = TOKENS.find((token) => token.toLowerCase() === agent.toLowerCase())
  const meant = known === undefined ? TOKENS.find((token) => lettersOf(token) === letters) : undefined
  return [
    `no group of the file names ${agent}: ${rules}`,
    ...(known === undefined
      ? [`no crawler of the registry has the token ${agent}${meant === undefined ? '' : `; did you mean ${meant}?`}`]
      : []),
  ]
}

const TOKENS = builtInDocument.entries.flatMap(({ robots_token }) => robots_token ?? [])
const lettersOf = (token: string) => token.toLowerCase().replace(/[^a-z0-9]/g, '')

function pathAndQueryOf(url: string): string {
  if (url.startsWith('/')) return url.replace(/#.*/s, '')
  if (/^https?:\/\//i.test(url) && URL.canParse(url)) {
    const { pathname, search } = new URL(url)
    return pathname + search
  }
  throw new BadUsage(
    `${quoted(url)} is neither an http or https URL nor a path that begins with /: give for example https://example.com/news`,
  )
}

function undecidedText(group: string | null, reason: UndecidedReason | undefined): string {
  if (reason !== undefined) return REASONS[reason]
  return group === null ? 'no group applies' : `no rule of the group ${group} matches`
}

const REASONS: Record<UndecidedReason, string> = {
  no_token: 'the crawler has no documented token',
  rest_of_file: 'the file is over 500 KiB, and crawlers need not read the rest',
  unreachable_over_30_days: 'the file could not be fetched for over 30 days',
  last_copy_may_apply: 'the crawler may use an earlier copy',
}

function deviationText(deviation: RobotsDeviation): string {
  if (deviation.startsWith('group_of:')) {
    return `is not named; its vendor documents that it follows the group of ${deviation.slice('group_of:'.length)}`
  }
  return DEVIATIONS[deviation as keyof typeof DEVIATIONS]
}

const DEVIATIONS: Record<Exclude<RobotsDeviation, `group_of:${string}`>, string> = {
  '429_as_unreachable': 'treats 429 like a server error, as its vendor documents',
  unfetchable_as_absent: 'treats a file that cannot be fetched as absent, as its vendor documents',
  rest_ignored: 'ignores what follows the first 500 KiB, as its vendor documents',
  over_limit_as_absent: 'ignores a file of more than 500 KiB, as its vendor documents',
  may_follow_others: 'is not named and may follow groups of other search crawlers, as its vendor documents',
  may_ignore: 'fetches what a person asks for and may ignore robots.txt, as its vendor documents',
}
