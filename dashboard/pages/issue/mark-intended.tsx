import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ISSUE_STATES } from '../../../src/contract/vocabulary.ts'
import { Button } from '../../controls/button.tsx'
import { ConfirmByTyping } from '../../forms/confirm-by-typing.tsx'
import { change } from '../../read/client.ts'
import { useCrawlerNames } from '../../read/use-crawler-names.ts'
import { useSiteId } from '../../read/use-report.ts'
import { announce } from '../../shell/announce.tsx'
import { useSite } from '../../shell/use-site.ts'
import { shortText } from '../../words/foreign-text.ts'
import { HARM_WORDS } from '../../words/issues.ts'
import { OWNERS_ONLY } from '../../words/refusals.ts'
import type { ShownIssue } from './page.tsx'

/** For harm that the owner intends: no further issue is opened for it, and the mark is listed below the issues. */
export function MarkIntended({ shown: { issue } }: { shown: ShownIssue }) {
  const site = useSiteId()
  const role = useSite()?.role
  const queries = useQueryClient()
  const [is_open, setOpen] = useState(false)
  const nameOf = useCrawlerNames()
  const { host, harm, crawler_id } = issue
  const ref = issue.evidence_refs.find((one) => one.kind !== 'inspection')
  const path = issue.path ?? ref?.path_key
  const is_current = (ISSUE_STATES as readonly string[]).includes(issue.state)
  if (!is_current || host === undefined || harm === undefined || path === undefined) return null
  const mark = async () => {
    await change('issue.intended', { site, host, path, harm, ...(crawler_id === null ? {} : { crawler: crawler_id }) })
    announce('Marked as intended.')
    await queries.invalidateQueries()
  }
  return (
    <>
      <Button onClick={() => setOpen(true)} forbidden={role === 'owner' ? undefined : OWNERS_ONLY}>
        Mark as intended
      </Button>
      <ConfirmByTyping
        title="Mark as intended"
        expected={null}
        action="Mark as intended"
        is_open={is_open}
        onClose={() => setOpen(false)}
        onConfirm={mark}
      >
        <p>
          The harm of this issue ({HARM_WORDS[harm]},{' '}
          {crawler_id === null ? 'every crawler' : shortText(nameOf(crawler_id))},{' '}
          <code className="font-mono text-code">{shortText(`${host}${path}`)}</code>) opens no further issues, and this
          issue leaves the list. You can revoke the mark below the issues.
        </p>
      </ConfirmByTyping>
    </>
  )
}
