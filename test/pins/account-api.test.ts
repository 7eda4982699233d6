import { expect, test } from 'vitest'
import { deprecatedOperations } from '#contract/account-api/deprecated.ts'
import { accountApiOperations } from '#contract/account-api/index.ts'
import { PARAMETER_CODES, ROUTE_PARAMETERS } from '#contract/account-api/parameters.ts'
import type { HttpOperation } from '#contract/operation.ts'
import { ACCOUNT_ERRORS, FIELD_ERROR_CODES } from '#contract/vocabulary.ts'
import { TOOLS } from '#surfaces/mcp/tools.ts'

const pinned = (operation: HttpOperation) =>
  [
    ...[operation.id, operation.method, operation.path, operation.success ?? 200],
    ...[Object.keys(operation.query.properties).join(' '), operation.refusals.join(' ')],
  ].join(' · ')

/** Frozen: what clients of the account API rely on (account API 1, spec 7.2). */
test('the operations of the account API are exactly these', () => {
  const plain = '400 401 403 404 429 500'
  const brand = '/api/v1/brands/{brandId}'
  expect((accountApiOperations as readonly HttpOperation[]).map(pinned)).toEqual([
    `getAccount · GET · /api/v1/account · 200 ·  · ${plain}`,
    `listBrands · GET · /api/v1/brands · 200 · limit offset · ${plain}`,
    `getBrand · GET · ${brand} · 200 ·  · ${plain}`,
    `getBrandReport · GET · ${brand}/report · 200 · from to interval compare engines country question_id branded · ${plain}`,
    `getUrlReport · GET · ${brand}/urls · 200 · from to dimension source page engines country question_id limit offset · ${plain}`,
    `listQuestions · GET · ${brand}/questions · 200 · kind status country limit offset · ${plain}`,
    `addQuestions · POST · ${brand}/questions · 201 ·  · ${plain} 409`,
    `archiveQuestion · POST · ${brand}/questions/{id}/archive · 200 ·  · ${plain}`,
    `restoreQuestion · POST · ${brand}/questions/{id}/restore · 200 ·  · ${plain} 409`,
    `listAnswers · GET · ${brand}/answers · 200 · from to engines country question_id status mentioned cited branded limit cursor · ${plain}`,
    `getAnswer · GET · ${brand}/answers/{answerId} · 200 ·  · ${plain}`,
    `listFixes · GET · ${brand}/fixes · 200 · kind status limit offset · ${plain}`,
    `getFix · GET · ${brand}/fixes/{id} · 200 ·  · ${plain}`,
    `acceptFix · POST · ${brand}/fixes/{id}/accept · 200 ·  · ${plain} 409`,
    `dismissFix · POST · ${brand}/fixes/{id}/dismiss · 200 ·  · ${plain} 409`,
    `completeFix · POST · ${brand}/fixes/{id}/complete · 200 ·  · ${plain} 409`,
  ])
})

/** They answer until an operator turns them off (spec 9.6). */
test('the deprecated operations are exactly these', () => {
  const plain = '400 401 403 404 429 500'
  const brand = '/api/v1/brands/{brandId}'
  const filters = 'from to engines country question_id'
  expect((deprecatedOperations as readonly HttpOperation[]).map(pinned)).toEqual([
    `listVisibility · GET · ${brand}/visibility · 200 · ${filters} · ${plain}`,
    `listSentiment · GET · ${brand}/sentiment · 200 · ${filters} · ${plain}`,
    `listMentions · GET · ${brand}/mentions · 200 · ${filters} · ${plain}`,
    `listCitations · GET · ${brand}/citations · 200 · ${filters} · ${plain}`,
    `listPages · GET · ${brand}/pages · 200 · ${filters} · ${plain}`,
    `changeFixInBody · PATCH · ${brand}/fixes · 200 ·  · ${plain} 409`,
    `changeFixInPath · PATCH · ${brand}/fixes/{id} · 200 ·  · ${plain} 409`,
  ])
  expect(deprecatedOperations.map(({ deprecated }) => deprecated.sunset)).toEqual(
    Array.from({ length: 7 }, () => 'Sat, 26 Dec 2026 00:00:00 GMT'),
  )
})

test('the nine codes with their statuses', () => {
  expect(ACCOUNT_ERRORS).toEqual({
    invalid_request: 400,
    engine_not_in_plan: 400,
    unauthorized: 401,
    forbidden: 403,
    not_found: 404,
    conflict: 409,
    limit_reached: 409,
    rate_limited: 429,
    server_error: 500,
  })
})

test('the codes of fields, and the parameters of every route', () => {
  expect(FIELD_ERROR_CODES).toEqual([
    ...['invalid_date', 'future_date', 'invalid_range', 'range_too_long', 'too_much_data', 'unknown_engine'],
    ...['invalid_country', 'invalid_dimension', 'query_needs_page', 'invalid_limit', 'invalid_offset'],
    ...['invalid_cursor', 'invalid_uuid', 'invalid_status', 'invalid_kind', 'invalid_source', 'invalid_boolean'],
    ...['required', 'invalid', 'engine_not_in_plan'],
  ])
  const routes = Object.entries(ROUTE_PARAMETERS).map(([route, taken]) => `${route}: ${Object.keys(taken).join(' ')}`)
  expect(routes).toEqual([
    'report: from to interval compare engines country question_id branded',
    'answers: from to engines country question_id status mentioned cited branded limit cursor',
    'urls: from to dimension source page engines country question_id limit offset',
    'questions: kind status country limit offset',
    'fixes: kind status limit offset',
    'brands: limit offset',
  ])
  expect(Object.keys(PARAMETER_CODES)).toHaveLength(18)
})

/** Agents know them by name (decisions 6). */
test('the tools of MCP are exactly these', () => {
  expect(TOOLS.map(({ name }) => name)).toEqual([
    ...['get_account', 'list_brands', 'get_brand_report', 'get_url_report', 'list_questions', 'add_questions'],
    ...['archive_question', 'restore_question', 'list_answers', 'get_answer', 'list_fixes', 'accept_fix'],
    ...['dismiss_fix', 'complete_fix', 'list_sites', 'get_performance', 'get_crawlers', 'get_top_pages', 'get_issues'],
    ...['get_sources', 'get_overview', 'get_analytics_sources', 'get_pages', 'get_conversions', 'get_funnels'],
    ...['get_funnel', 'get_journeys', 'get_revenue', 'run_access_check'],
  ])
})
