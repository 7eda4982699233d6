/** Where a session came from as ONE text: planning a statement costs more with every column that it groups by. */
import { type Fragment, sql, text } from '#evidence/sql.ts'
import type { Origin } from './channels.ts'

const hasUtm = sql`(
  utm_source != '' OR utm_medium != '' OR utm_campaign != '' OR utm_term != '' OR utm_content != ''
)`

/** What decides a channel, and nothing else, as a JSON list. It is stored too, so it stays as it is. */
const originText = (has_pageview: Fragment): Fragment => sql`
  toJSONString((
    toString(referrer_host), has_click_id, toString(utm_source), toString(utm_medium), ${hasUtm} = 1, ${has_pageview} = 1
  ))`

/** The same of a session without a pageview. */
export const NO_PAGEVIEW = text(JSON.stringify(['', false, '', '', 0, 0]))

/** Engine type of what a session is counted under in one dimension. */
export const SOURCE = sql`Tuple(dimension String, identity String)`

/** All that a session is counted under: a source of each dimension, of the UTM dimensions only with a value. */
export const sourcesOfSession = (has_pageview: Fragment): Fragment => sql`arrayFilter(source -> source.identity != '', [
        ('origin', ${originText(has_pageview)}), ('utm_source', toString(utm_source)), ('utm_medium', toString(utm_medium)),
        ('utm_campaign', toString(utm_campaign)), ('utm_term', toString(utm_term)), ('utm_content', toString(utm_content))
      ]::Array(${SOURCE}))`

/** Limitation of an answer in which sessions of too many different origins are of an unknown channel. */
export const RARE_ORIGINS = 'rare_origins_not_labelled'

/**
 * Limitation of an answer with days on which referrers of the site itself were not stored, and click ids that are not
 * of advertisements alone were: some of their `direct` and `paid_search` sessions are of an unknown channel.
 */
export const oldOrigins = (reading: { has_old_origins: boolean }): string[] =>
  reading.has_old_origins ? ['older_channels_less_exact'] : []

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
