/** Where a session came from as ONE text: planning a statement costs more with every column that it groups by. */
import { type Fragment, sql, text } from '#evidence/sql.ts'
import type { Origin } from './channels.ts'

/** Whether any UTM value of ACQUISITION is there. */
export const hasUtm = sql`(
  utm_source != '' OR utm_medium != '' OR utm_campaign != '' OR utm_term != '' OR utm_content != ''
)`

/** What decides a channel, and nothing else, as a JSON list. It is stored too, so it stays as it is. */
export const originText = (has_utm: Fragment, has_pageview: Fragment): Fragment => sql`
  toJSONString((
    toString(referrer_host), has_click_id, toString(utm_source), toString(utm_medium), ${has_utm} = 1, ${has_pageview} = 1
  ))`

/** The same of a session without a pageview. */
export const NO_PAGEVIEW = text(JSON.stringify(['', false, '', '', 0, 0]))

/** What `originText` wrote. */
export function readOrigin(origin: string): Origin {
  const [referrer_host, has_click_id, utm_source, utm_medium, has_utm, has_pageview] = JSON.parse(origin)
  return {
    referrer_host,
    has_click_id,
    utm_source,
    utm_medium,
    has_utm: has_utm === 1,
    has_pageview: has_pageview === 1,
  }
}
