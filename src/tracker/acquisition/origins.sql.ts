/** Writes the origin of a session as ONE text, because each column in GROUP BY adds to the planning time. */
import { type Fragment, sql, text } from '#evidence/sql.ts'
import type { Origin } from './channels.ts'

const hasUtm = sql`(
  utm_source != '' OR utm_medium != '' OR utm_campaign != '' OR utm_term != '' OR utm_content != ''
)`

/** The values that decide a channel, as a JSON list. The text is stored, so its format must not change. */
const originText = (has_pageview: Fragment): Fragment => sql`
  toJSONString((
    toString(referrer_host), has_click_id, toString(utm_source), toString(utm_medium), ${hasUtm} = 1, ${has_pageview} = 1
  ))`

/** The origin text of a session without a pageview. */
export const NO_PAGEVIEW = text(JSON.stringify(['', false, '', '', 0, 0]))

/** The engine's type of a source: a dimension and its value. */
export const SOURCE = sql`Tuple(dimension String, identity String)`

/** The sources of a session: its origin, and its UTM values that are not empty. */
export const sourcesOfSession = (has_pageview: Fragment): Fragment => sql`arrayFilter(source -> source.identity != '', [
        ('origin', ${originText(has_pageview)}), ('utm_source', toString(utm_source)), ('utm_medium', toString(utm_medium)),
        ('utm_campaign', toString(utm_campaign)), ('utm_term', toString(utm_term)), ('utm_content', toString(utm_content))
      ]::Array(${SOURCE}))`

/** The limitation of an answer with too many distinct origins: some sessions have an unknown channel. */
export const RARE_ORIGINS = 'rare_origins_not_labelled'

/**
 * The limitation of an answer with days on which an older version did not store referrers of the site itself, and
 * stored click ids that unpaid links have, too: the channel of some `direct` and `paid_search` sessions is unknown.
 */
export const oldOrigins = (reading: { has_old_origins: boolean }): string[] =>
  reading.has_old_origins ? ['older_channels_less_exact'] : []

/** Reads the text of `originText`. */
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
