import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ISSUE_STATES } from '../../../src/contract/vocabulary.ts'
import { Button } from '../../controls/button.tsx'
import { change } from '../../read/client.ts'
import type { ReadOutput } from '../../read/operations.ts'
import { readQuery } from '../../read/queries.ts'
import { useCrawlerNames } from '../../read/use-crawler-names.ts'
import { useSiteId } from '../../read/use-report.ts'
import { announce } from '../../shell/announce.tsx'
import { useSite } from '../../shell/use-site.ts'
import { errorWords } from '../../states/error-panel.tsx'
import { clockText, instantText } from '../../words/days.ts'
import { shortText } from '../../words/foreign-text.ts'
import { OWNERS_ONLY } from '../../words/refusals.ts'
import type { ShownIssue } from './page.tsx'

/** Requests an inspection. It waits for the result for up to half a minute, so the button shows the progress. */
export function VerifyNow({ shown: { issue } }: { shown: ShownIssue }) {
  const site = useSiteId()
  const role = useSite()?.role
  const queries = useQueryClient()
  const nameOf = useCrawlerNames()
  const [is_running, setRunning] = useState(false)
  if (!(ISSUE_STATES as readonly string[]).includes(issue.state)) return null
  const verify = async () => {
    setRunning(true)
    try {
      const answer = await change('verifyIssue', { site, issue: issue.id })
      await queries.invalidateQueries()
      // The time comes from the service's clock, not from this browser's.
      const { inspections } = await queries.ensureQueryData(readQuery('issue.show', { site, issue: issue.id }))
      const at = inspections.find(({ id }) => id === answer.verification.inspection_id)?.ended_at ?? null
      announce(verifiedWords(answer, at, nameOf))
    } catch (error) {
      announce(errorWords(error instanceof Error ? error : new Error(String(error))))
    } finally {
      setRunning(false)
    }
  }
  return (
    <Button
      kind="primary"
      aria-busy={is_running}
      onClick={() => !is_running && void verify()}
      forbidden={role === 'owner' ? undefined : OWNERS_ONLY}
    >
      {is_running ? 'Inspecting' : 'Verify now'}
    </Button>
  )
}

/** The result of the inspection. Only a successful request of the crawler itself confirms a fix. */
export function verifiedWords(
  { state, crawler_id, verification }: Pick<ReadOutput<'verifyIssue'>, 'state' | 'crawler_id' | 'verification'>,
  at: string | null,
  nameOf: (crawler_id: string) => string,
): string {
  if (verification.state === 'queued') return 'The inspection is queued. This page shows its result.'
  if (verification.state === 'deferred') {
    return verification.next_at === null
      ? 'No inspection was made: the page cannot be requested.'
      : `No inspection was started. The next one can begin at ${instantText(verification.next_at)} UTC.`
  }
  const time = at === null ? '' : ` at ${clockText(at)} UTC`
  if (state === 'fix_detected') {
    const crawler = crawler_id === null ? 'crawlers themselves get' : `${shortText(nameOf(crawler_id))} itself gets`
    return `No harm found${time}. Confirmed only when ${crawler} a 2xx.`
  }
  return `Inspected${time}. The state of the issue did not change.`
}
