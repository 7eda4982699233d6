/** Spoor's own requests to the pages of a site (rules 8.3). */

import { group, operation } from '../command.ts'
import { wholeNumber } from '../input/argument-values.ts'
import { mapped, optional } from '../input/parameters.ts'
import { tableOr, yesOrNo } from '../output.ts'
import { siteArgument as site } from './site.ts'

const DEFAULT_LIMIT = 50
const readLimit = wholeNumber(/^([1-9]\d?|[1-4]\d\d|500)$/, 'Give a number from 1 to 500.')

export const inspectionCommands = group('inspection', 'what Spoor found when it fetched pages itself', [
  operation('inspection.list', 'list the newest inspections, and why some were not made', {
    parameters: {
      site,
      limit: mapped(
        optional('--limit <count>', 'most inspections to list, 1 to 500 (default: 50)', readLimit),
        (given) => given ?? DEFAULT_LIMIT,
      ),
    },
    text: ({ inspections }) =>
      tableOr('No inspection yet.', inspections, {
        QUEUED: (row) => row.queued_at.slice(0, 16),
        HOST: 'host',
        PATH: 'path',
        CRAWLER: ['crawler_id', '-'],
        REASON: 'reason',
        STATE: inspectionState,
        STATUS: (row) => String(row.final_status ?? '-'),
        CLEAN: ({ is_clean }) => yesOrNo(is_clean),
      }),
  }),
])

/** The state of an inspection, with why it was not made. */
export const inspectionState = ({ state, obstacle }: { state: string; obstacle: string | null }): string =>
  obstacle === null ? state : `${state} (${obstacle})`
