/** The texts of e-mails about alerts. Subjects have only numbers and the root domain (rules 8.6). */
import { instantText } from '#clock.ts'
import { excerpt, withoutInvisible } from '#foreign-text.ts'
import { type AlertData, type DigestIssue, readAlertData, type StoredAlert } from './payload.ts'

/** The content of an e-mail, before it becomes text and HTML. */
export interface MailContent {
  subject: string
  heading: string
  items: readonly MailItem[]
  /** Sentences and links at the end. */
  closing: readonly (string | { label: string; url: string })[]
}

interface MailItem {
  title: string
  facts: readonly (readonly [label: string, value: string])[]
}

/** Subjects of changes of issues. */
const ISSUE_WORDS: Readonly<Record<string, (count: number) => string>> = {
  'issue.opened': (count) => `${issues(count)} opened`,
  'issue.regressed': (count) => `${issues(count)} regressed`,
  'issue.fix_detected': (count) => `${fixes(count)} detected`,
  'issue.fix_confirmed': (count) => `${fixes(count)} confirmed`,
  'issue.withdrawn': (count) => `${issues(count)} withdrawn`,
}

const OTHER_WORDS: Readonly<Record<string, string>> = {
  'source.silent': '1 source is silent',
  'source.error': '1 source is in error',
  'source.recovered': '1 source recovered',
  'tracker.no_signal': 'no tracker signal for 24 hours',
  'tracker.recovered': 'the tracker signal is back',
  'alert.test': 'test alert',
}

const issues = (count: number) => (count === 1 ? '1 issue' : `${count} issues`)
const fixes = (count: number) => (count === 1 ? '1 fix' : `${count} fixes`)

/** The e-mail about one alert. */
export function alertMail(alert: StoredAlert, unsubscribe_url: string): MailContent {
  const data = readAlertData(alert)
  const words = wordsOf(alert.type, data)
  return {
    subject: `${data.root_domain}: ${words}`,
    heading: `${data.root_domain}: ${words}`,
    items: itemsOf(alert, data),
    closing: [
      `Alert ${alert.id} of ${instantText(alert.occurred_at)}. Paths are quoted as clients requested them.`,
      { label: 'Stop these e-mails', url: unsubscribe_url },
    ],
  }
}

/** Asks the holder of an address whether it may be used. */
export function confirmationMail(root_domain: string, confirm_url: string, hours: number): MailContent {
  return {
    subject: `${root_domain}: confirm 1 address for alerts`,
    heading: `Alerts about ${root_domain}`,
    items: [],
    closing: [
      `An owner of ${root_domain} in Spoor asked to send alerts about this site to your address.`,
      { label: `Agree within ${hours} hours`, url: confirm_url },
      'If you do not agree, do nothing: no alert is sent to you.',
    ],
  }
}

function wordsOf(type: string, { digest }: AlertData): string {
  const counted = ISSUE_WORDS[digest?.event_type ?? type]
  return counted === undefined ? (OTHER_WORDS[type] ?? 'alert') : counted(digest?.issue_count ?? 1)
}

function itemsOf({ type }: StoredAlert, { root_domain, issue, digest, source, tracker }: AlertData): MailItem[] {
  if (issue !== undefined) return [issueItem(issue)]
  if (digest !== undefined) {
    const left_out = digest.issue_count - digest.issues.length
    const more = left_out === 0 ? [] : [{ title: `${left_out} more are not listed here.`, facts: [] }]
    return [...digest.issues.map(issueItem), ...more]
  }
  if (source !== undefined) {
    const { id, source_type, name, connection_status, data_through } = source
    const facts = [
      ['Type', source_type] as const,
      ['Status', connection_status] as const,
      ['Data through', data_through ?? 'none yet'] as const,
      ['Source', id] as const,
    ]
    return [{ title: name === '' ? 'Uploads' : excerpt(withoutInvisible(name)), facts }]
  }
  if (tracker !== undefined)
    return [{ title: `Tracker of ${root_domain}`, facts: [['Last event', tracker.last_event_at ?? 'none yet']] }]
  return [{ title: type === 'alert.test' ? 'This is a test: alerts reach this address.' : type, facts: [] }]
}

function issueItem(issue: DigestIssue): MailItem {
  const { id, title, state, cause, confidence, path, crawler_id, detected_at, fix_confirmed_at } = issue
  return {
    title,
    facts: [
      ['State', state],
      ['Cause', cause],
      ['Confidence', confidence],
      ['Path', path ?? 'the whole host'],
      ['Crawler', crawler_id ?? 'several'],
      ['Detected', detected_at],
      ...(fix_confirmed_at === null ? [] : [['Fix confirmed', fix_confirmed_at] as const]),
      ['Issue', id],
    ],
  }
}
