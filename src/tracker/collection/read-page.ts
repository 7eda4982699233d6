/** Reads the page, the referrer's host and the campaign of an event. Nothing else of a URL is stored (rules 6). */
import { PageMemory, type PageName } from '#evidence/page-names.ts'
import { pathClass } from '#paths/path-class.ts'
import { pathV1 } from '#paths/path-v1.ts'
import { isSecret } from '#paths/secret-segments.ts'
import { OWN_REFERRER } from '../acquisition/own-referrer.ts'
import { describeValue, EventFault } from './collect-refusal.ts'
import { isHostOfSite, openUrlHosts } from './page-origin.ts'

/** The stored parts of a URL, as they are written into a row. */
export interface EventPage {
  /** Host, path and fidelity, JSON. */
  place: string
  /** Its entry in spoor.pages; null for an event without a URL. */
  name: PageName | null
  has_click_id: boolean
  /** Source, medium, campaign, term and content, JSON. */
  utm: string
}

/** The longest URL and referrer that are accepted. */
const MAX_URL_CHARACTERS = 8_192
const MAX_UTM_CHARACTERS = 64
const MAX_HOST_CHARACTERS = 253
const MAX_REMEMBERED = 10_000
/** Longer URLs are not cached: most have unique query strings, and do not occur again. */
const MAX_REMEMBERED_LENGTH = 256

/**
 * Click ids that vendors add to paid links only. Left out are Facebook's `fbclid`, Yandex' `ysclid` and Google's
 * `srsltid`, which unpaid links have, too. No other part of a query string except `utm_*` is stored.
 */
export const CLICK_IDS: ReadonlySet<string> = new Set(
  'gclid gbraid wbraid dclid msclkid ttclid twclid li_fat_id yclid epik rdt_cid ScCid sccid irclickid'.split(' '),
)
const UTM = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'] as const

/** The page of an event that a server sent without a URL. */
export const NO_PAGE: EventPage = { place: '"","","exact"', name: null, has_click_id: false, utm: '"","","","",""' }

export interface PageReader {
  /** @throws EventFault invalid_url, url_of_another_site. */
  read(url: unknown, site: { site_id: string; root_domain: string }): EventPage
  /** The referrer's host; empty for none, OWN_REFERRER for the site itself. @throws EventFault invalid_referrer. */
  referrerHost(referrer: unknown, root_domain: string): string
}

/** Returns a reader with a bounded cache of URLs. */
export function openPageReader(): PageReader {
  const pages = new Map<string, { site_id: string; root_domain: string; page: EventPage }>()
  const names = new PageMemory()
  const hostOf = openUrlHosts()
  return {
    read(url, site) {
      if (typeof url !== 'string') throw invalidUrl(url)
      const { site_id, root_domain } = site
      const known = pages.get(url)
      // The domain is compared, too, because a site may be renamed. For a URL of several sites, the last one is cached.
      if (known !== undefined && known.site_id === site_id && known.root_domain === root_domain) return known.page
      const page = readUrl(url, site, names)
      if (pages.size >= MAX_REMEMBERED) pages.clear()
      if (url.length <= MAX_REMEMBERED_LENGTH) pages.set(url, { site_id, root_domain, page })
      return page
    },
    referrerHost(referrer, root_domain) {
      if (referrer === undefined || referrer === null || referrer === '') return ''
      if (typeof referrer !== 'string') {
        throw new EventFault(
          'invalid_referrer',
          `referrer is ${describeValue(referrer)}; send document.referrer, or leave it out.`,
        )
      }
      const host = referrer.length > MAX_URL_CHARACTERS ? '' : hostOf(referrer)
      if (host.length > MAX_HOST_CHARACTERS) return ''
      return isHostOfSite(host, root_domain) ? OWN_REFERRER : host
    },
  }
}

function readUrl(text: string, site: { site_id: string; root_domain: string }, names: PageMemory): EventPage {
  if (text.length > MAX_URL_CHARACTERS) {
    throw new EventFault(
      'invalid_url',
      `url has ${text.length} characters; send at most ${MAX_URL_CHARACTERS}: shorten the query string.`,
    )
  }
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) throw invalidUrl(text)
  const host = url.hostname.endsWith('.') ? url.hostname.slice(0, -1) : url.hostname
  // Names are never longer (RFC 1035, 2.3.4), and no definition could name the page (spec 8).
  if (host.length > MAX_HOST_CHARACTERS) throw invalidUrl(text)
  if (!isHostOfSite(host, site.root_domain)) {
    throw new EventFault(
      'url_of_another_site',
      `url is on ${describeValue(host)}; this key accepts pages of ${site.root_domain} and its subdomains.`,
    )
  }
  const { path, fidelity } = pathV1(url.pathname)
  const place = `${JSON.stringify(host)},${JSON.stringify(path)},"${fidelity}"`
  const query = url.search === '' ? null : url.searchParams
  return {
    place,
    name: names.of(site.site_id, `${place},"${pathClass(path)}"`),
    has_click_id: query !== null && [...query].some(([key, value]) => CLICK_IDS.has(key) && value !== ''),
    utm: query === null ? NO_PAGE.utm : UTM.map((key) => JSON.stringify(campaignValue(query.get(key)))).join(','),
  }
}

/** A value with a secret or personal data is redacted, like a segment of a path; others are cut to 64 characters. */
function campaignValue(given: string | null): string {
  if (given === null) return ''
  const value = given.trim()
  if ([value, value.replace(/[\s-]/g, ''), ...value.split(/[\s,;|]+/)].some(isSecret)) return ':redacted'
  const cut = value.slice(0, MAX_UTM_CHARACTERS)
  return cut.isWellFormed() ? cut : cut.slice(0, -1)
}

const invalidUrl = (given: unknown) =>
  new EventFault(
    'invalid_url',
    `url is ${describeValue(given)}; send the page's whole http or https URL (location.href).`,
  )
