const columns = (names: string): readonly string[] => names.trim().split(/\s+/)

/** The tables that rows are inserted into, and their columns in the order of the values of a row. */
export const INSERT_COLUMNS = {
  requests: columns(`
    site_id day event at precision source_id delivery_id reading requests provider_estimate host path
    path_fidelity path_class status status_raw method edge_action user_agent agent_key received_at
  `),
  import_rows: columns(`
    delivery_id at_ms host path path_fidelity path_class status status_raw method edge_action user_agent
    agent_key line_hash line_number
  `),
  events: columns(`
    site_id day stream id received_at seq request visitor kind name hostname path path_fidelity referrer_host
    has_click_id utm_source utm_medium utm_campaign utm_term utm_content props revenue_kind amount_minor
    currency order_key
  `),
  definition_daily: columns('site_id day build definition_id step dimension identity sessions events ambiguous'),
  answers: columns(`
    account_id brand_id day answer_id revision question_id engine surface provider model language persona run
    asked_at asked_at_precision country country_applied state failure_code failure_message web_search text
    text_truncated cited_spans search_queries citations_observed retrieved reported_mentions cost_micros
    cost_currency cost_basis source_tool external_id content_sha256
  `),
  answer_citations: columns('account_id brand_id day answer_id revision position url domain title resolved span_count'),
  answer_mentions: columns(`
    account_id brand_id day answer_id revision mentions_version tracked_id is_own position offset occurrences
    sentiment
  `),
  counted_answers: columns(`
    account_id brand_id mentions_version day answer_id revision question_id engine surface model asked_at country
    country_applied state web_search citations_observed cited_urls cited_domains cited_opaque own_position
    own_sentiment tracked_ids tracked_positions
  `),
  search_rows: columns(`
    account_id brand_id source property search_type dimensions day last_day page query country device clicks impressions
    position revision
  `),
  search_ai_rows: columns(`
    account_id brand_id kind source from_day to_day page grounding_query citations impressions revision
  `),
  pages: columns('site_id host path path_fidelity path_class'),
  address_proofs: columns('id suffix'),
  agents: columns('agent_key user_agent proof first_seen'),
  agent_labels: columns('registry_version agent_key crawler_id purpose identity scope'),
}

export type InsertTable = keyof typeof INSERT_COLUMNS
