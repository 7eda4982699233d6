/** The results of inspections (rules 8.3). Rows of `inspections` store them as JSON, without page bodies. */
import type { InspectionKind, InspectionReason } from '#control/tables.ts'

/** A page to inspect; one without a crawler is only fetched with Spoor's own agent. */
export interface InspectionTarget {
  site_id: string
  host: string
  /** As stored with requests (path/v1), without a query; `/` for the host itself. */
  path: string
  crawler_id: string | null
}

export interface InspectionInput extends InspectionTarget {
  kind?: InspectionKind
  reason: InspectionReason
  /** The issue that the inspection is for; null for the daily inspections of home pages. */
  issue_id: string | null
  /** The same for the paths of one prefix, which are clean only together; by default a round of its own. */
  round_id?: string
  /**
   * Within a budget, inspections with a higher weight are made first. It is, for example, the number of harmful
   * requests.
   */
  weight?: number
  /** Epoch milliseconds; by default now. */
  due_at?: number
}

/** One request of an inspection with its redirects. */
export interface Visit {
  /** The whole user agent that was sent. */
  agent: string
  state: VisitState
  /** Why there was no response: a code of Node or of the safe fetch; null if there was one. */
  code: string | null
  /** In order; the last one is the final response if `state` is `answered`. */
  hops: Hop[]
  final_status: number | null
  content_type: string | null
  /** Size of the decoded body, at most 2 MiB. */
  body_bytes: number
  body_truncated: boolean
  challenge: ChallengeFinding
  page_directives: PageDirectives | null
  /** A final 2xx of the site, after at most 3 hops and without a decisive challenge signal, robots.txt aside. */
  is_served: boolean
}

/**
 * `refused_destination`: a hop leads to an address that the service does not request (rules 7). `broken_off`: the
 * connection was reset, or the response is not HTTP. `not_connected`: the connection was refused or TLS failed, which
 * `code` distinguishes.
 */
export type VisitState =
  | 'answered'
  | 'timed_out'
  | 'not_connected'
  | 'broken_off'
  | 'too_many_redirects'
  | 'loop'
  | 'refused_destination'

export interface Hop {
  url: string
  status: number
  location: string | null
  /** Milliseconds from the beginning of the request to the end of the headers. */
  ms: number
  /** Headers of interest, lower case, as sent; several lines of one name are several values. */
  headers: Record<string, string[]>
}

export interface ChallengeFinding {
  /** `unknown`: there was no response. */
  state: 'detected' | 'not_detected' | 'unknown'
  /** The vendor of the first decisive signal whose certainty allows naming it. */
  vendor: string | null
  /** Decisive and supporting signals, without products that are only present. */
  signals: ChallengeSignal[]
  /** Error code of a CDN besides the status; older rows do not have it. */
  error_code?: number | null
}

export interface ChallengeSignal {
  /** As in the table of signals, such as `cloudflare.01`. */
  id: string
  vendor: string
  role: 'decisive' | 'supporting'
  /** `vendor_documented` and `vendor_source_code`: the vendor documents the signal, or its code contains it. */
  certainty: 'vendor_documented' | 'vendor_source_code' | 'open_detectors' | 'field_reports' | 'unverified'
  meaning: string
}

export interface PageDirectives {
  /** Contents of `<meta name="robots">` and its crawler-specific forms inside `<head>`. */
  meta_robots: string[]
  x_robots_tag: { agent: string | null; directives: string[] }[]
  content_signal: string | null
  content_usage: string | null
}

export interface DnsFinding {
  state: 'resolved' | 'failed'
  /** A code of c-ares (`ENOTFOUND`, `ESERVFAIL`, `ETIMEOUT`); `ENODATA` if the name has no address. */
  code: string | null
  addresses: string[]
}

export interface TlsFinding {
  /** `none`: the server and this service have no TLS version in common. */
  state: 'valid' | 'invalid' | 'none'
  code: string | null
  protocol: string | null
  issuer: string | null
  /** RFC 3339. */
  expires_at: string | null
  names_match: boolean | null
}

export interface RobotsFinding {
  url: string
  fetched_status: number | null
  /** Why there is no status. */
  code: string | null
  /** RFC 3339. */
  fetched_at: string
  sha256: string | null
  size_bytes: number | null
  truncated: boolean
  /**
   * The verdict for the crawler of the inspection; null without a crawler. It includes the deviations of vendors (rules
   * 8.4).
   */
  verdict: RobotsVerdict | null
}

export interface RobotsVerdict {
  decision: 'allowed' | 'disallowed' | 'unknown'
  /** The product token of the deciding group, or `*`; null if no group applies. */
  group: string | null
  /** The pattern of the deciding rule as written; null if no rule matches. */
  rule: string | null
  /** Line of the rule, from 1. */
  line: number | null
  /** The vendor's documented deviation from RFC 9309 that decided, or why the decision is unknown. */
  deviation: string | null
}

/** The stage at which a host could not be reached; `code` is that of Visit, DnsFinding or TlsFinding. */
export interface UnreachableFinding {
  stage: 'name' | 'certificate' | 'connection'
  code: string
  /** At the same time, a control name resolved and another site answered: the fault is not in this network. */
  is_outside_reached: boolean
}

/** Result of kind `page`. */
export interface InspectionResult {
  /** https is tried first, then http without a connection. If both fail: http if it was reached before. */
  scheme: 'https' | 'http'
  robots: RobotsFinding
  dns: DnsFinding
  /** Null over http, and if the name did not resolve. */
  tls: TlsFinding | null
  /** Null for an inspection without a crawler, and if the host was unreachable. */
  as_crawler: Visit | null
  /** Null if the host was unreachable. */
  as_ourselves: Visit | null
  unreachable: UnreachableFinding | null
  /**
   * Whether the harm was reproduced. `yes`: both visits failed, or that of a crawler without published proof. `no`: the
   * crawler's visit was served. `unknown`: only the visit of a crawler with published proof failed, which a site may
   * rightly refuse; or the page could not be requested; or the crawler's visit was redirected to another site, which
   * got Spoor's own agent. Robots rules do not matter here.
   */
  reproduced: 'yes' | 'no' | 'unknown'
  /**
   * The crawler's visit was served and robots.txt allows it; without a crawler, Spoor's own visit was served.
   */
  is_clean: boolean
}

/** Result of kind `snippet`: `found`, `not_found`, or why the page could not be read. */
export interface SnippetResult {
  outcome: string
}
