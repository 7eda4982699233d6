/** The harm of a response to a crawler, by its status and the action of the edge (rules 8.1). */
import { type Fragment, list, sql, uint } from '#evidence/sql.ts'
import { GONE_STATUSES, REFUSING_STATUSES, STATUS_HARMS, type StatusHarm } from '../harms.ts'

/** The harm of a request's response; status 0 means that no response was observed. */
const harmOf = (written: (harm: StatusHarm | null) => Fragment): Fragment => sql`multiIf(
        status = 0, ${written(null)},
        ifNull(edge_action IN ('block', 'challenge'), 0), ${written('refused')},
        status BETWEEN 500 AND 599, ${written('server_error')},
        status = 429, ${written('rate_limited')},
        status IN ${list('UInt16', REFUSING_STATUSES)} OR (status = 405 AND method_class = 'get'), ${written('refused')},
        status IN ${list('UInt16', GONE_STATUSES)}, ${written('gone')},
        status BETWEEN 300 AND 399 AND status != 304, ${written('redirects')},
        ${written(null)})`

const NAMES: Readonly<Record<StatusHarm | 'none', Fragment>> = {
  server_error: sql`'server_error'`,
  rate_limited: sql`'rate_limited'`,
  refused: sql`'refused'`,
  gone: sql`'gone'`,
  redirects: sql`'redirects'`,
  none: sql`''`,
}

/** The name of the harm, or an empty text. */
export const HARM = harmOf((harm) => NAMES[harm ?? 'none'])

/** Its position in `STATUS_HARMS`, from 1 on, or 0: grouping by a number takes half the time of grouping by a name. */
export const HARM_NUMBER = harmOf((harm) => sql`toUInt32(${uint(harm === null ? 0 : STATUS_HARMS.indexOf(harm) + 1)})`)
