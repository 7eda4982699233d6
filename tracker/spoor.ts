/**
 * The script that a site's pages load: one script tag is one tracker. It stores nothing in the browser, and its errors
 * never reach the page. It sends `POST /collect`; docs/tracker/README.md describes how to use it.
 */

type Track = (...call: unknown[]) => void

/** `window.spoor`: calls go to every tracker on the page, `for(site)` to one. */
interface Spoor extends Track {
  /** Calls from before a tracker runs, or while the page loads; each tracker replays them. */
  q: ArrayLike<unknown>[]
  /** Trackers by site key; other script tags, including those of other versions, add theirs here. */
  t: Record<string, Track>
  for(site: string): Track
}

const BATCH_EVENTS = 20
/** Keeps a batch under the collector's 64 KiB, which is also a browser's limit for keepalive requests. */
const EVENT_BYTES = 3000
const WAITING_EVENTS = 100
const GATHER_MS = 500
/** Doublings of the pause after failures: at most 8 to 17 minutes. */
const MAX_DOUBLINGS = 10
/** The parameters of a query string that are sent: campaign and click. No other part of it leaves the page. */
const CAMPAIGN = /^(utm_.*|.*clk?id|irclickid|[gw]braid|li_fat_id|epik|rdt_cid|sccid)$/i
const DOWNLOAD =
  /\.(7z|avi|csv|dmg|docx?|epub|exe|gz|iso|mov|mp[34]|msi|od[pst]|pdf|pkg|pptx?|rar|rtf|tar|txt|wav|webm|xlsx?|zip)$/i

/** Checked for each event, because a visitor may opt out while a page is open. */
const refuses = () =>
  (navigator as { globalPrivacyControl?: boolean }).globalPrivacyControl || navigator.doNotTrack === '1'

const quietly =
  <A extends unknown[]>(run: (...args: A) => unknown) =>
  (...args: A) => {
    try {
      run(...args)
    } catch {
      // Measuring must never break the page.
    }
  }

const said: Record<string, boolean> = {}
/** Writes to the console, once, why nothing or not everything is sent. */
const say = (text: string) => {
  if (!said[text]) console.info(`Spoor: ${text}`)
  said[text] = true
}
const NOTHING = 'nothing is sent. '
const REFUSES = `${NOTHING}This browser asks not to be tracked.`

function install(): Spoor {
  const present = (window as unknown as { spoor?: Spoor }).spoor
  if (present?.t) return present
  const trackers: Record<string, Track> = {}
  const waiting = present?.q || []
  const spoor = ((...call) => {
    if ((document.readyState !== 'complete' || !Object.keys(trackers)[0]) && waiting.length < WAITING_EVENTS)
      waiting.push(call)
    for (const site in trackers) trackers[site]?.(...call)
  }) as Spoor
  spoor.q = waiting
  spoor.t = trackers
  spoor.for = (site) => trackers[site] || (() => {})
  ;(window as unknown as { spoor: Spoor }).spoor = spoor
  return spoor
}

/**
 * Sends events in order, repeats them with the same ids if they did not arrive, and sends all when the page is left.
 */
function outbox(collect: string) {
  const queue: string[] = []
  let sending = 0
  let failures = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let emptied = 0

  const schedule = () => {
    timer ||= setTimeout(flush, GATHER_MS * (1 + Math.random()) * 2 ** Math.min(failures, MAX_DOUBLINGS))
  }
  const settle = (batch: string[], arrived: boolean, age: number) => {
    sending--
    failures = arrived ? 0 : failures + 1
    if (!arrived && age === emptied) queue.unshift(...batch)
    if (queue[0]) schedule()
  }
  const flush = (leaving?: boolean) => {
    clearTimeout(timer)
    timer = undefined
    // One request at a time keeps events in order; when the page is left, there is no time to wait.
    while (queue[0] && (leaving || !sending)) {
      const batch = queue.splice(0, BATCH_EVENTS)
      const age = emptied
      sending++
      post(collect, `[${batch}]`).then(
        (arrived) => settle(batch, arrived, age),
        () => settle(batch, false, age),
      )
    }
  }
  return {
    put(event: string) {
      if (new Blob([event]).size < EVENT_BYTES && queue.length < WAITING_EVENTS) queue.push(event)
      schedule()
    },
    flush,
    empty() {
      emptied++
      queue.length = 0
    },
  }
}

/** True if it need not be sent again: it was accepted, or refused for good. The text type needs no preflight. */
async function post(collect: string, body: string): Promise<boolean> {
  if (!('keepalive' in Request.prototype)) return navigator.sendBeacon(collect, body)
  const answer = await fetch(collect, { method: 'POST', body, keepalive: true, credentials: 'omit' })
  // An unread answer would keep its request open. Only the status decides, because leaving the page cuts off the rest
  // of the answer.
  explain(await answer.text().catch(() => ''))
  return answer.status < 500 && answer.status !== 429
}

/** Warns why a request, or one of its events, was not accepted; an answer without a reason needs no warning. */
const explain = quietly((answer: string) => {
  const { detail, rejected } = JSON.parse(answer)
  say(detail || rejected[0].message)
})

function address(): string {
  const url = new URL(location.href)
  for (const key of [...url.searchParams.keys()]) if (!CAMPAIGN.test(key)) url.searchParams.delete(key)
  url.hash = ''
  return url.href
}

function start(spoor: Spoor, site: string, collect: string, options: DOMStringMap) {
  const box = outbox(collect)
  let consent = options.consent !== 'required'
  let referrer = document.referrer
  let path: string

  const send = (event: object) => {
    const id = crypto.getRandomValues(new Uint32Array(4)).join('-')
    if (!consent) say(`${NOTHING}It waits for spoor("consent", true).`)
    else if (refuses()) say(REFUSES)
    else box.put(JSON.stringify({ v: 1, site, url: address(), id, ...event }))
  }
  const pageview = () => {
    path = location.pathname
    send({ type: 'pageview', referrer: referrer || undefined })
    // Later pages of the same document were opened from the site itself.
    if (consent) referrer = location.origin
  }
  const agree = (agreed: boolean) => {
    const before = consent
    consent = agreed
    if (!agreed) box.empty()
    else if (!before) pageview()
  }
  const track = quietly((name?: unknown, first?: unknown, second?: unknown) => {
    if (name === 'consent') agree(!!first)
    else if (name === 'pageview') pageview()
    else if (name === 'revenue') send({ type: name, revenue: first })
    else if (name === 'event' && typeof first === 'string') send({ type: name, name: first, props: second })
    else send({ type: 'event', name, props: first })
  })

  watchNavigation(pageview, () => location.pathname !== path && pageview())
  watchLeaving(() => box.flush(true))
  addEventListener(
    'online',
    quietly(() => box.flush()),
  )
  watchLinks(options, (name, target) => send({ type: 'event', name, target }))
  pageview()
  spoor.t[site] = track
  for (const [name, first, second] of Array.from(spoor.q, (call) => Array.from(call))) track(name, first, second)
}

/** A document from the back/forward cache is viewed again; otherwise only a new path is a new page. */
function watchNavigation(again: () => void, perhaps: () => void) {
  const navigated = quietly(perhaps)
  for (const method of ['pushState', 'replaceState'] as const) {
    const original = history[method]
    history[method] = function (...state) {
      original.apply(this, state)
      navigated()
    }
  }
  addEventListener('popstate', navigated)
  // Routers that use the Navigation API call neither of these two functions.
  ;(window as { navigation?: EventTarget }).navigation?.addEventListener('currententrychange', navigated)
  addEventListener(
    'pageshow',
    quietly((shown) => shown.persisted && again()),
  )
}

/** Not every browser reports both events. */
function watchLeaving(leave: () => void) {
  document.addEventListener(
    'visibilitychange',
    quietly(() => document.visibilityState === 'hidden' && leave()),
  )
  addEventListener('pagehide', quietly(leave))
}

/** Only what is counted of a link leaves the page: the host that it leads to, or the address of the file. */
function watchLinks({ downloads, outbound }: DOMStringMap, count: (name: string, target: string) => void) {
  const clicked = quietly((click: MouseEvent) => {
    // The path of a click also names links inside web components, whose clicks seem to be on the component.
    const link = click.composedPath().find((node) => (node as Element).matches?.('a[*|href]')) as HTMLAnchorElement
    // A right click opens a menu and does not follow the link.
    if (!link || click.button > 1) return
    // The address of a link inside an SVG is an object, or in an attribute of another namespace.
    const to = new URL((link.href as unknown as SVGAnimatedString).baseVal || link.href, document.baseURI)
    if (!/^http/.test(to.protocol)) return
    if (downloads != null && (link.hasAttribute('download') || DOWNLOAD.test(to.pathname)))
      count('file_download', to.origin + to.pathname)
    else if (outbound != null && to.host !== location.host) count('outbound_link', to.origin)
  })
  addEventListener('click', clicked, true)
  addEventListener('auxclick', clicked, true)
}

quietly(() => {
  const script = document.currentScript as HTMLScriptElement
  const options = script.dataset
  const site = options.site || new URL(script.src).searchParams.get('site')
  const collect = options.api ? new URL(options.api, location.href) : new URL('collect', script.src)
  const local = /^(localhost|127(\.\d+){3}|\[::1\])$|\.localhost$/.test(location.hostname)
  const spoor = install()
  const begin = quietly(() => {
    if (site && !spoor.t[site]) start(spoor, site, collect.href, options)
  })
  const why = !site
    ? 'The tag has no data-site.'
    : !location.hostname
      ? 'A page in a file has no address: serve it on localhost.'
      : local && options.local == null
        ? `This is ${location.hostname}: data-local in the tag counts it.`
        : self !== top && options.iframe == null && 'This is a frame: data-iframe in the tag counts it.'
  if (refuses()) say(REFUSES)
  else if (why) say(NOTHING + why)
  else if ((document as { prerendering?: boolean }).prerendering) document.addEventListener('prerenderingchange', begin)
  else begin()
})()
