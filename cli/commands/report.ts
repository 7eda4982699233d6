/** `spoor report`: what crawlers did on a site, on a terminal and without a key, right after an import. */

import { InvalidArgumentError, Option } from 'commander'
import type {
  AnalyticsEvents,
  CrawlerAnswer,
  Crawlers,
  Performance,
  TopPages,
  UnregisteredAgents,
} from '#contract/site-api/index.ts'
import { DEFAULT_WINDOW, PURPOSES, type Purpose, WINDOWS, type Window } from '#contract/vocabulary.ts'
import { BadUsage } from '../bad-usage.ts'
import { type CommandContext, procedure } from '../command.ts'
import type { RunOperation } from '../folder/client.ts'
import { commandHost } from '../host/command-host.ts'
import { flag, option, optional, type Values } from '../input/parameters.ts'
import { siteArgument as site } from '../input/site-argument.ts'
import { note, printJson, printLine } from '../output.ts'
import { outputStyle } from '../page-style.ts'
import { crawlerReportText } from '../report/report-crawler-text.ts'
import { crawlerCsv, leftOutOfCrawler, leftOutOfSite, siteCsv } from '../report/report-csv.ts'
import { siteReportText } from '../report/report-text.ts'

/** The answers from which the report of a site is made. */
export interface SiteReport {
  performance: Performance
  crawlers: Crawlers
  top_pages: TopPages
  unregistered_agents: UnregisteredAgents
  /** About visitors; only if requested. */
  events?: AnalyticsEvents
}

/** The most that the answers list. */
const MAX_PAGES = 50
const MAX_AGENTS = 100

const parameters = {
  site,
  crawler: optional('--crawler <id>', 'only this crawler, with the statuses of its pages; for example gptbot', (text) =>
    text.toLowerCase(),
  ),
  window: option<Window>(
    new Option('--window <window>', 'days that end today').choices([...WINDOWS]).default(DEFAULT_WINDOW),
  ),
  purpose: optional(
    '--purpose <purposes>',
    `one or more of ${PURPOSES.join(', ')}, separated by commas, or all (default: all)`,
    readPurposes,
  ),
  events: flag('--events', 'also show what visitors did: events by name, outbound links, downloads'),
  csv: flag('--csv', 'print one flat table for spreadsheets instead of text'),
}

type ReportInput = Values<typeof parameters>

export const reportCommand = procedure(
  'report',
  'show which crawlers came, to which pages, what they got, and how complete that is',
  parameters,
  printReport,
)

async function printReport(input: ReportInput, { json, run, release }: CommandContext): Promise<void> {
  if (json && input.csv) throw new BadUsage('both --json and --csv are given: give one of them')
  if (input.crawler === undefined) {
    const report = await readSiteReport(run, input)
    const { total_count: issue_count } = await run('issue.list', { site: input.site, limit: 1 })
    await release()
    if (json) printJson(report)
    else if (input.csv) printCsv(siteCsv(report), leftOutOfSite(report))
    else printLine(siteReportText(report, input.site, outputStyle(), issue_count))
  } else {
    const answer = await readCrawlerReport(run, input, input.crawler)
    await release()
    if (json) printJson(answer)
    else if (input.csv) printCsv(crawlerCsv(answer), leftOutOfCrawler(answer))
    else printLine(crawlerReportText(answer, input.site, outputStyle()))
  }
}

/** A table cannot state what it leaves out, so sums over its rows would be too small. */
function printCsv(csv: string, left_out: readonly string[]): void {
  commandHost().stdout.write(csv)
  for (const text of left_out) note(text)
}

async function readSiteReport(run: RunOperation, { site, window, ...input }: ReportInput): Promise<SiteReport> {
  const purpose = input.purpose ?? [...PURPOSES]
  return {
    performance: await run('report.performance', { site, window, purpose }),
    crawlers: await run('report.crawlers', { site, window, purpose }),
    top_pages: await run('report.top_pages', { site, window, purpose, limit: MAX_PAGES }),
    unregistered_agents: await run('report.unregistered_agents', { site, window, limit: MAX_AGENTS }),
    ...(input.events ? { events: await run('report.events', { site, window, include: [] }) } : {}),
  }
}

function readCrawlerReport(
  run: RunOperation,
  { site, window, purpose, events }: ReportInput,
  crawler_id: string,
): Promise<CrawlerAnswer> {
  if (purpose !== undefined) {
    throw new BadUsage('--purpose selects among crawlers and --crawler names one: give one of them')
  }
  if (events) throw new BadUsage('--events is about visitors and --crawler about one crawler: give one of them')
  return run('report.crawler', { site, window, crawler_id, limit: MAX_PAGES })
}

/** In the order of the vocabulary, each once. */
function readPurposes(text: string): Purpose[] {
  if (text === 'all') return [...PURPOSES]
  const given = text.split(',')
  const wrong = given.find((member) => !PURPOSES.some((purpose) => purpose === member))
  if (wrong !== undefined) {
    throw new InvalidArgumentError(
      `${JSON.stringify(wrong)} is not a purpose. Give one or more of ${PURPOSES.join(', ')}, separated by commas, or all.`,
    )
  }
  return PURPOSES.filter((purpose) => given.includes(purpose))
}
