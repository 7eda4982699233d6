/** Closed sets of values of surface B and of brands, in the order in which answers list them. */

/** Engines that people ask, in the order in which answers list them. */
export const ENGINES = [
  'chatgpt',
  'claude',
  'gemini',
  'perplexity',
  'grok',
  'copilot',
  'google_ai_mode',
  'google_ai_overview',
] as const // decisions 6
export type Engine = (typeof ENGINES)[number]
export const PLAN_BASES = ['configured', 'imported', 'both'] as const // account API 2.1
export const ANSWER_STATES = ['answered', 'refused', 'failed'] as const // account API 2.1
export type AnswerState = (typeof ANSWER_STATES)[number]
export const SENTIMENTS = ['positive', 'neutral', 'negative', 'mixed', 'unknown'] as const // account API 2.1
export type Sentiment = (typeof SENTIMENTS)[number]
export const QUESTION_KINDS = ['branded', 'unbranded'] as const // account API 2.1
export const QUESTION_STATUSES = ['active', 'archived'] as const // account API 2.1
export const QUESTION_STATUS_FILTERS = [...QUESTION_STATUSES, 'all'] as const // account API 1
/** Why a classification of stored mentions ended. */
export const CLASSIFICATION_CODES = [
  'done',
  'price_reached',
  'budget_used',
  'engine_off',
  'bad_key',
  'no_credit',
  'model_unknown',
] as const // account API 4
export type ClassificationCode = (typeof CLASSIFICATION_CODES)[number]
export const FIX_KINDS = ['access', 'content', 'citation'] as const // account API 2.1
export const FIX_STATUSES = ['open', 'accepted', 'completed', 'dismissed'] as const // account API 2.1
export const FIX_STATUS_FILTERS = [...FIX_STATUSES, 'all'] as const // account API 1
export const FIX_VERIFICATIONS = [
  'not_started',
  'awaiting_evidence',
  'improved',
  'worsened',
  'within_noise',
  'not_comparable',
] as const // account API 2.1
export const REPORT_INTERVALS = ['day', 'week', 'month'] as const // account API 1
export type ReportInterval = (typeof REPORT_INTERVALS)[number]
export const COMPARISONS = ['none', 'previous'] as const // account API 1
export const URL_DIMENSIONS = ['url', 'domain', 'page', 'query'] as const // account API 1
export const CITATION_SOURCES = ['own', 'competitor', 'other'] as const // account API 2.1
export const SEARCH_SOURCES = ['google', 'bing'] as const // account API 1
export type SearchSource = (typeof SEARCH_SOURCES)[number]

/** The statuses of surface B by their codes (spec 7.2). */
export const ACCOUNT_ERRORS = {
  invalid_request: 400,
  engine_not_in_plan: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  limit_reached: 409,
  rate_limited: 429,
  server_error: 500,
} as const
export type AccountErrorCode = keyof typeof ACCOUNT_ERRORS
export const ACCOUNT_ERROR_CODES = Object.keys(ACCOUNT_ERRORS) as [AccountErrorCode, ...AccountErrorCode[]]

/** What may be wrong with a parameter or a member of a body, an engine outside of the plan included (spec 7.2). */
export const FIELD_ERROR_CODES = [
  'invalid_date',
  'future_date',
  'invalid_range',
  'range_too_long',
  'too_much_data',
  'unknown_engine',
  'invalid_country',
  'invalid_dimension',
  'query_needs_page',
  'invalid_limit',
  'invalid_offset',
  'invalid_cursor',
  'invalid_uuid',
  'invalid_status',
  'invalid_kind',
  'invalid_source',
  'invalid_boolean',
  'required',
  'invalid',
  'engine_not_in_plan',
] as const // spec 7.2
export type FieldErrorCode = (typeof FIELD_ERROR_CODES)[number]

export const ANSWER_FORMATS = ['json', 'ndjson', 'csv'] as const // account API 3
export type AnswerFormat = (typeof ANSWER_FORMATS)[number]
/** Tools whose exports are read besides our own form. */
export const ANSWER_EXPORTERS = ['canonry', 'elmo', 'profound', 'peec', 'otterly', 'scrunch'] as const // account API 3
export type AnswerExporter = (typeof ANSWER_EXPORTERS)[number]
/** Engines that can be asked with a key of the owner; answers of the others are imported (decisions 6). */
export const API_ENGINES = ['chatgpt', 'claude', 'gemini', 'perplexity', 'grok'] as const // decisions 6
export type ApiEngine = (typeof API_ENGINES)[number]
/** Why an engine is not asked. */
export const ENGINE_OBSTACLES = ['off', 'no_key', 'terms', 'unknown'] as const
export const SCAN_STATES = ['running', 'ended', 'cancelled'] as const
export const SCAN_RUN_STATES = ['waiting', 'asking', 'answered', 'refused', 'failed', 'not_run'] as const
export const SEARCH_TYPES = ['web', 'image', 'video', 'news', 'discover', 'googleNews'] as const // account API 3
export type SearchType = (typeof SEARCH_TYPES)[number]
export const AI_REPORT_KINDS = ['ai_citations', 'ai_impressions'] as const // account API 2
export type AiReportKind = (typeof AI_REPORT_KINDS)[number]
export const AI_REPORT_SOURCES = ['google', 'bing', 'clarity'] as const // account API 2
export type AiReportSource = (typeof AI_REPORT_SOURCES)[number]

/** Forms of search data, and what they hold (account API 3). */
export const SEARCH_FILE_FORMS = [
  'spoor',
  'search_console_api',
  'search_console_export',
  'bing_api',
  'ai_report',
] as const
export type SearchFileForm = (typeof SEARCH_FILE_FORMS)[number]
/** Questions to Bing's Webmaster API whose answers are read. */
export const BING_METHODS = ['GetPageStats', 'GetQueryStats', 'GetPageQueryStats'] as const // account API 3
export type BingMethod = (typeof BING_METHODS)[number]
export const SEARCH_DATA_STATES = ['none', 'imported', 'connected'] as const // account API 2
export type SearchDataState = (typeof SEARCH_DATA_STATES)[number]

/** What an import does with questions that the brand does not have. */
export const QUESTION_CREATIONS = ['none', 'active', 'archived'] as const // account API 3
export type QuestionCreation = (typeof QUESTION_CREATIONS)[number]
