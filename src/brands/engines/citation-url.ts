/** URLs that answers cite, in the form in which they are stored (account API 3). */
import { domainToASCII } from 'node:url'

/** How a cited page is known: by its own URL, from a resolved redirect, or only by an unresolved redirect. */
export type Resolution = 'direct' | 'redirect_followed' | 'redirect_opaque'

export interface CitedPage {
  /** http or https, without tracking parameters of engines. */
  url: string
  /** The host; of an opaque redirect the host that it leads to, where the engine names it. */
  domain: string
  title: string | null
  resolved: Resolution
}

/** A redirect of an engine, which hides the cited page. */
interface Redirector {
  host: string
  path: string
  /** Whether it may be requested only after Google's terms are accepted. */
  needs_google_terms: boolean
}

const REDIRECTORS: readonly Redirector[] = [
  { host: 'vertexaisearch.cloud.google.com', path: '/grounding-api-redirect/', needs_google_terms: true },
  { host: 'www.bing.com', path: '/ck/a', needs_google_terms: false },
]

/** Values of `utm_source` by which engines mark visits; other values are the site's own. */
const ENGINE_SOURCES = new Set([
  'openai',
  'chatgpt.com',
  'chatgpt',
  'perplexity',
  'perplexity.ai',
  'claude',
  'claude.ai',
  'gemini',
  'gemini.google.com',
  'grok',
  'grok.com',
  'x.ai',
  'copilot',
  'copilot.com',
  'copilot.microsoft.com',
])
/** The text fragment that Google's engines add; the rest of a fragment belongs to the page. */
const TEXT_DIRECTIVE = /:~:.*$/s
const MAX_URL_LENGTH = 4_096

/** The page of a cited URL, or null when it is not an http(s) URL. `title` may name the host behind a redirect. */
export function citedPage(cited: string, title: string | null): CitedPage | null {
  const url = readCitedUrl(cited)
  if (url === null) return null
  const redirector = redirectorOf(url)
  if (redirector === null) return { url: url.href, domain: url.hostname, title, resolved: 'direct' }
  const named = title === null ? null : hostIn(title)
  return { url: url.href, domain: named === null ? url.hostname : named, title, resolved: 'redirect_opaque' }
}

/** The page behind a redirect whose target is known. */
export function followedPage(page: CitedPage, target: string): CitedPage {
  const url = readCitedUrl(target)
  if (url === null || redirectorOf(url) !== null) return page
  return { ...page, url: url.href, domain: url.hostname, resolved: 'redirect_followed' }
}

/** The redirect service of a URL, or null. */
export function redirectorOf({ hostname, pathname }: URL): Redirector | null {
  const found = REDIRECTORS.find(({ host, path }) => hostname === host && pathname.startsWith(path))
  return found === undefined ? null : found
}

function readCitedUrl(text: string): URL | null {
  if (text.length > MAX_URL_LENGTH || !URL.canParse(text)) return null
  const url = new URL(text)
  if (!['http:', 'https:'].includes(url.protocol) || url.hostname === '') return null
  url.username = ''
  url.password = ''
  // `example.com.` is the same host.
  url.hostname = url.hostname.replace(/\.$/, '')
  dropTracking(url)
  const hash = url.hash.replace(TEXT_DIRECTIVE, '')
  url.hash = hash === '#' ? '' : hash
  return url
}

/** Removes parameters from the text of the query, so that the others do not change. */
function dropTracking(url: URL): void {
  if (!url.search.includes('utm_source')) return
  const kept = url.search
    .slice(1)
    .split('&')
    .filter((pair) => {
      const [name, value = ''] = pair.split('=')
      return name !== 'utm_source' || !ENGINE_SOURCES.has(decodeLoosely(value).toLowerCase())
    })
  url.search = kept.join('&')
}

function decodeLoosely(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // An invalid percent-encoding matches none of the values.
    return text
  }
}

/** A host name that stands alone in a text, in lower case and punycode. */
function hostIn(text: string): string | null {
  const host = domainToASCII(text.trim().toLowerCase()).replace(/\.$/, '')
  return /^(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/.test(host) ? host : null
}
