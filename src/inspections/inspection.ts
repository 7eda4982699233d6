/** What an inspection finds out (rules 8.3). Rows of `inspections` hold it as JSON; it holds no page body. */
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
  /** The issue that asks for it; null for the daily inspections of home pages. */
  issue_id: string | null
  /** The same for the members of one prefix, which are clean only together; a round of its own unless given. */
  round_id?: string
  /** Of inspections that share a budget, those of higher weight are made first: harmful requests, for example. */
  weight?: number
  /** Epoch milliseconds; at once unless given. */
  due_at?: number
}

/** One request of an inspection with its redirects. */
export interface Visit {
  /** The whole user agent that was sent. */
  agent: string
  state: VisitState
  /** Why there was no answer, as Node or the safe fetch names it; null when there was one. */
  code: string | null
  /** In their order; the last one is the final response where `state` is `answered`. */
  hops: Hop[]
  final_status: number | null
  content_type: string | null
  /** As received, decoded; at most 2 MiB. */
  body_bytes: number
  body_truncated: boolean
  challenge: ChallengeFinding
  page_directives: PageDirectives | null
  /** A final 2xx of the site, after at most 3 hops and without a decisive challenge signal, robots.txt aside. */
  is_served: boolean
}

/**
 * `refused_destination`: a hop leads where the service does not go (rules 7). `broken_off`: the connection was reset or
 * the answer is not no HTTP. `not_connected` covers refused connections and TLS failures, which `code` distinguishes.
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
  /** From the beginning of the request to the end of the headers. */
  ms: number
  /** Headers of interest, lower case, as sent; several lines of one name are several values. */
  headers: Record<string, string[]>
}

export interface ChallengeFinding {
  /** `unknown`: there was no answer to look at. */
  state: 'detected' | 'not_detected' | 'unknown'
  /** The vendor of the first decisive signal whose certainty allows naming it. */
  vendor: string | null
  /** Decisive and supporting ones; products that are merely present are not listed. */
  signals: ChallengeSignal[]
  /** Code of an error that a CDN states beside the status; rows of before it was read have none. */
  error_code?: number | null
}

export interface ChallengeSignal {
  /** As in the table of signals, such as `cloudflare.01`. */
  id: string
  vendor: string
  role: 'decisive' | 'supporting'
  /** `vendor_documented` and `vendor_source_code` are what a vendor documents or ships. */
  certainty: 'vendor_documented' | 'vendor_source_code' | 'open_detectors' | 'field_reports' | 'unverified'
  meaning: string
}

export interface PageDirectives {
  /** Of `<meta name="robots">` and its crawler-specific forms, inside `<head>`. */
  meta_robots: string[]
  x_robots_tag: { agent: string | null; directives: string[] }[]
  content_signal: string | null
  content_usage: string | null
}

export interface DnsFinding {
  state: 'resolved' | 'failed'
  /** As c-ares names it (`ENOTFOUND`, `ESERVFAIL`, `ETIMEOUT`); `ENODATA` where the name has no address. */
  code: string | null
  addresses: string[]
}

export interface TlsFinding {
  /** `none`: the server speaks no TLS that this service speaks. */
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
   * For the crawler of the inspection; null for one without a crawler. The decision is that of the layer above (rules
   * 8.4).
   */
  verdict: RobotsVerdict | null
}

export interface RobotsVerdict {
  decision: 'allowed' | 'disallowed' | 'unknown'
  /** The product token that the deciding group names, `*` included; null where no group applies. */
  group: string | null
  /** The pattern of the deciding rule as written; null where no rule matches. */
  rule: string | null
  /** Line of the rule, from 1. */
  line: number | null
  /** The vendor's documented departure from RFC 9309 that made the difference, or why the decision is unknown. */
  deviation: string | null
}

/** Where a host could not be reached at all; `code` as of Visit, DnsFinding or TlsFinding. */
export interface UnreachableFinding {
  stage: 'name' | 'certificate' | 'connection'
  code: string
  /** A control name resolved and another site answered at the same time, so that the fault is not on this side. */
  is_outside_reached: boolean
}

/** Result of kind `page`. */
export interface InspectionResult {
  /** https is tried first, http where https cannot be connected to. */
  scheme: 'https' | 'http'
  robots: RobotsFinding
  dns: DnsFinding
  /** Null over http and where the name did not resolve. */
  tls: TlsFinding | null
  /** Null for an inspection without a crawler, and where the host was unreachable. */
  as_crawler: Visit | null
  /** Null where the host was unreachable. */
  as_ourselves: Visit | null
  unreachable: UnreachableFinding | null
  /**
   * Whether the harm was met: `yes` when both visits failed, or that of a crawler without published proof; `unknown`
   * when only that of a crawler with published proof did, which a site may rightly refuse, when the page could not be
   * asked for, or when the crawler's was led to another site, which got Spoor's own agent; `no` when the crawler's was
   * served. Robots rules do not count here.
   */
  reproduced: 'yes' | 'no' | 'unknown'
  /**
   * The crawler's visit was served and robots.txt allows it; without a crawler, Spoor's own visit was served.
   */
  is_clean: boolean
}

/** Result of kind `snippet`: `found`, `not_found`, or why the page could not be looked at. */
export interface SnippetResult {
  outcome: string
}
