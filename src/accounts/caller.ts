/** Whose sites a request may see: a member, on all of their sites or on named ones. */
export interface Viewer {
  readonly user_id: string
  /** Null: every site of the member. A list: those of them that the member still has. */
  readonly site_ids: readonly string[] | null
}

/** Who asks on surface A, as one request's key says; never kept for the next request (decisions 2). */
export interface Caller extends Viewer {
  readonly key_id: string
  readonly account_id: string
}
