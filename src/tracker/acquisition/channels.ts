/**
 * The channel of a session, by its first pageview. It is decided at read, so newer lists apply to old sessions (rules
 * 6).
 */
import type { Channel } from '#contract/vocabulary.ts'
import { aiPlatformOfReferrer, aiPlatformOfUtmSource } from './ai-platforms.ts'
import { hostTable } from './host-table.ts'
import { OWN_REFERRER } from './own-referrer.ts'

/** The stored origin of a session: what its first pageview says about where the visitor came from. */
export interface Origin {
  /** False for a session without a pageview, whose origin is unknown. */
  has_pageview: boolean
  /** Lower case; empty if the browser sent none, OWN_REFERRER for the site itself. */
  referrer_host: string
  has_click_id: boolean
  utm_source: string
  utm_medium: string
  /** Whether any of the five UTM values is present. */
  has_utm: boolean
}

type Kind = 'organic_search' | 'social' | 'email' | 'referral'

const SEARCH = [
  ...['google', 'bing', 'yahoo', 'yandex', 'ecosia', 'startpage'].map((name) => `${name}.com`),
  'duckduckgo.com',
  'search.brave.com',
  'qwant.com',
  'baidu.com',
  'sogou.com',
  'so.com',
  'naver.com',
  'daum.net',
  'seznam.cz',
  'ecosia.org',
  'yandex.ru',
  'ya.ru',
  'mojeek.com',
  'kagi.com',
  'swisscows.com',
  'metager.org',
  'search.yahoo.co.jp',
  'ask.com',
  'aol.com',
  'presearch.com',
  'lite.qwant.com',
  'sm.cn',
  'search.marginalia.nu',
  'com.google.android.googlequicksearchbox',
]

const SOCIAL = [
  'facebook.com',
  'fb.com',
  'fb.me',
  'instagram.com',
  'threads.net',
  'threads.com',
  'x.com',
  'twitter.com',
  't.co',
  'linkedin.com',
  'lnkd.in',
  'reddit.com',
  'redd.it',
  'out.reddit.com',
  'youtube.com',
  'youtu.be',
  'tiktok.com',
  'pinterest.com',
  'pin.it',
  'snapchat.com',
  'tumblr.com',
  'quora.com',
  'vk.com',
  'ok.ru',
  'weibo.com',
  'xing.com',
  'bsky.app',
  'mastodon.social',
  'mastodon.online',
  'fosstodon.org',
  'news.ycombinator.com',
  'lobste.rs',
  'telegram.org',
  't.me',
  'web.telegram.org',
  'whatsapp.com',
  'wa.me',
  'discord.com',
  'discord.gg',
  'line.me',
  'com.linkedin.android',
  'org.telegram.messenger',
  'com.reddit.frontpage',
  'com.facebook.katana',
]

const EMAIL = [
  'mail.google.com',
  'outlook.live.com',
  'outlook.office.com',
  'outlook.office365.com',
  'outlook.com',
  'mail.yahoo.com',
  'mail.yahoo.co.jp',
  'mail.proton.me',
  'mail.aol.com',
  'mail.yandex.ru',
  'mail.yandex.com',
  'e.mail.ru',
  'mail.zoho.com',
  'app.fastmail.com',
  'mail.163.com',
  'mail.qq.com',
  'webmail.freenet.de',
  'navigator-lxa.mail.com',
  'deref-gmx.net',
  'deref-web.de',
  'com.google.android.gm',
  'icloud.com',
]

/** Hosts of a search engine that are not search: their pages belong to users or publishers. */
const NO_SEARCH = ['docs', 'drive', 'sites', 'groups', 'classroom', 'calendar', 'accounts', 'news', 'meet', 'chat'].map(
  (name) => `${name}.google.com`,
)

/** Country domains of search engines; it does not match other hosts such as google.example.com. */
const COUNTRY_SEARCH = /^(?:www\.|m\.)?(?:google|yahoo|bing)\.(?:[a-z]{2}|com?\.[a-z]{2})$/

const kindOfHost = hostTable<Kind>([
  [EMAIL, 'email'],
  [SOCIAL, 'social'],
  [SEARCH, 'organic_search'],
  [NO_SEARCH, 'referral'],
])

const kindOf = (host: string): Kind | undefined =>
  kindOfHost(host) ?? (COUNTRY_SEARCH.test(host) ? 'organic_search' : undefined)

const PAID_MEDIUM = /^(?:cpc|ppc|paid.*)$/
const EMAIL_MEDIUM = /^(?:e-?mail|newsletter)$/
const SOCIAL_MEDIUM = /^social(?:[ _-]?(?:media|network))?$/

/** The kind that a utm_source names, as a word or as a host with or without `.com`. */
const kindOfSource = (source: string): Kind | undefined => {
  if (EMAIL_MEDIUM.test(source)) return 'email'
  return kindOf(source) ?? kindOf(`${source}.com`)
}

/**
 * The first channel that fits, in the order of rules 6: paid, email, assistant, search, social, referral, direct,
 * unknown. `site_domain` is the site's domain: a visit that continues from its own pages, after a pause or over
 * midnight, has no external origin.
 */
export function channelOf(origin: Origin, site_domain: string): Channel {
  if (!origin.has_pageview) return 'unknown'
  const medium = origin.utm_medium.trim().toLowerCase()
  const source = origin.utm_source.trim().toLowerCase()
  const host = isOwnReferrer(origin.referrer_host, site_domain) ? '' : origin.referrer_host
  if (origin.has_click_id || PAID_MEDIUM.test(medium)) return 'paid_search'
  const kinds = [kindOf(host), kindOfSource(source)]
  if (EMAIL_MEDIUM.test(medium) || kinds.includes('email')) return 'email'
  if (aiPlatformOfReferrer(host) !== undefined || aiPlatformOfUtmSource(source) !== undefined) return 'ai_assistant'
  if (medium === 'organic' || kinds.includes('organic_search')) return 'organic_search'
  if (SOCIAL_MEDIUM.test(medium) || kinds.includes('social')) return 'social'
  if (host !== '' || medium === 'referral') return 'referral'
  return origin.referrer_host === '' && !origin.has_utm ? 'direct' : 'unknown'
}

/** The evidence that an assistant sent the session: its referrer, a tag in the link, or both (decisions 5). */
export type AiEvidence = 'referrer' | 'utm' | 'both'

/** The assistant that a session came from; null for none. If referrer and tag contradict, the referrer counts. */
export function aiReferralOf(
  origin: Pick<Origin, 'has_pageview' | 'referrer_host' | 'utm_source'>,
): { platform: string; evidence: AiEvidence } | null {
  if (!origin.has_pageview) return null
  const linked = aiPlatformOfReferrer(origin.referrer_host)
  const tagged = aiPlatformOfUtmSource(origin.utm_source)
  if (linked !== undefined) return { platform: linked, evidence: linked === tagged ? 'both' : 'referrer' }
  return tagged === undefined ? null : { platform: tagged, evidence: 'utm' }
}

/** Whether a referrer is a page of the site itself. */
export const isOwnReferrer = (host: string, site_domain: string): boolean =>
  host === OWN_REFERRER || host === site_domain || host.endsWith(`.${site_domain}`)
