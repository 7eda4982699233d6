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
import { HARM_WORDS } from '../../words/issues.ts'
import { OWNERS_ONLY } from '../../words/refusals.ts'
import { shortText } from '../../words/strangers-text.ts'
import type { ShownIssue } from './page.tsx'

/** An owner may want what is refused: then nothing opens there, and the mark is listed below the issues. */
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
          Marked so, {HARM_WORDS[harm]} of {crawler_id === null ? 'every crawler' : shortText(nameOf(crawler_id))} on{' '}
          <code className="font-mono text-code">{shortText(`${host}${path}`)}</code> open no issue any more, and this
          one leaves the list. It can be revoked below the issues.
        </p>
      </ConfirmByTyping>
    </>
  )
}
