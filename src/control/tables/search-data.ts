/** Search data of brands: what is stored, and connections that read it. */
/** A day or a period that search data is stored of. */
export interface SearchDayRow {
  brand_id: string
  source: 'google' | 'bing'
  property: string
  search_type: string
  /** `page`, `page,query` and so on; empty: totals. */
  dimensions: string
  day: string
  last_day: string
  is_weekly: number
  /** 0: the source still changes it. */
  is_final: number
  /** It was read by a connection. */
  is_connected: number
  stored_at: number
}

/** A search engine that is asked daily. */
export interface SearchConnectionRow {
  id: string
  brand_id: string
  source: 'google' | 'bing'
  property: string
  state: 'pending' | 'live' | 'error' | 'revoked' | 'disconnected'
  /** Null: the key was rejected, or forgotten. */
  sealed_key: string | null
  created_at: number
  last_poll_at: number | null
  next_poll_at: number
  failed_polls: number
  error_code: string | null
  /** The oldest day that was read. */
  read_from: string | null
}
