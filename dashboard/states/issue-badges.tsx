import type { Issue } from '../../src/contract/site-api/index.ts'
import type { LifeState } from '../../src/contract/vocabulary.ts'
import { Badge } from '../controls/badge.tsx'
import { CAUSE_WORDS, CONFIDENCE_WORDS, FIX_CONFIRMED, ISSUE_STATE_TONES, ISSUE_STATE_WORDS } from '../words/issues.ts'

/** The state of an issue. A request of the crawler itself confirms a fix. */
export const IssueStateBadge = ({ state, is_confirmed = false }: { state: LifeState; is_confirmed?: boolean }) =>
  is_confirmed && state === 'fix_detected' ? (
    <Badge tone="ok">{FIX_CONFIRMED}</Badge>
  ) : (
    <Badge tone={ISSUE_STATE_TONES[state]}>{ISSUE_STATE_WORDS[state] ?? state}</Badge>
  )

export const IssueReason = ({ issue }: { issue: Pick<Issue, 'cause' | 'confidence'> }) => (
  <>
    <Badge>{CAUSE_WORDS[issue.cause] ?? issue.cause}</Badge>
    <Badge>{CONFIDENCE_WORDS[issue.confidence] ?? issue.confidence}</Badge>
  </>
)
