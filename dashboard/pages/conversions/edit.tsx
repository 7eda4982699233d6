import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { readQuery } from '../../read/queries.ts'
import { useChange } from '../../read/use-change.ts'
import { useSiteId } from '../../read/use-report.ts'
import { announce } from '../../shell/announce.tsx'
import { useSite } from '../../shell/use-site.ts'
import { hasFailed } from '../../states/async.tsx'
import { shortText } from '../../words/foreign-text.ts'
import { counted } from '../../words/numbers.ts'
import { editorsOnly } from '../../words/refusals.ts'
import { ConversionBuilder } from './builder.tsx'
import type { ConversionRow } from './columns.tsx'
import { draftOf } from './draft.ts'

/** Changes a conversion from now on, and names the funnels that get a new revision. */
export function EditConversion({ row: opened, onClose }: { row: ConversionRow; onClose: () => void }) {
  const site = useSiteId()
  // The form holds this revision. A later one, which another person saved meanwhile, must be refused, not replaced.
  const [row] = useState(opened)
  const role = useSite()?.role
  const edit = useChange('conversion.edit', {
    changes: ['getAnalyticsConversions', 'getAnalyticsFunnels', 'conversion.list'],
  })
  const listed = useQuery(readQuery('funnel.list', { site }))
  const following = (listed.data?.funnels ?? []).filter(
    ({ definition_state, steps }) =>
      definition_state === 'active' &&
      steps.some((step) => step.kind === 'conversion' && step.conversion_id === row.conversion_id),
  )
  const follow = hasFailed(listed)
    ? ' Which funnels also get a new revision could not be read.'
    : followingWords(following.map(({ name }) => shortText(name)))
  return (
    <section aria-label="Edit the conversion">
      <ConversionBuilder
        initial={draftOf(row)}
        action={`Save revision ${row.revision + 1}`}
        consequence={`Creates revision ${row.revision + 1} from now on. Revision ${row.revision} keeps its numbers.${follow}`}
        forbidden={editorsOnly(role)}
        error={edit.error}
        is_pending={edit.isPending}
        onCancel={onClose}
        onSave={(definition) =>
          edit.mutate(
            { site, conversion: row.conversion_id, definition, revision: row.revision },
            {
              onSuccess: ({ revision, revised_funnels }) => {
                announce(
                  revision === row.revision
                    ? 'Nothing changed, so there is no new revision.'
                    : `Revision ${revision} counts from now on${followWords(revised_funnels.length)}.`,
                )
                onClose()
              },
            },
          )
        }
      />
    </section>
  )
}

const followingWords = (names: readonly string[]): string =>
  names.length === 0 ? '' : ` Funnels that also get a new revision: ${names.join(', ')}.`

const followWords = (funnels: number): string =>
  funnels === 0 ? '' : `, and ${counted(funnels, 'funnel has', 'funnels have')} a new revision`
