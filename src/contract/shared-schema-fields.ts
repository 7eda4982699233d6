/** What fields of surface A mean that hold a shared schema, beside what `field-descriptions.ts` says of all others. */
export const SHARED_SCHEMA_FIELDS = {
  'AnalyticsEvents.events': 'Events by name, the most frequent first.',
  'AnalyticsOverview.comparison': 'The same numbers in the window before.',
  authority: 'Which source counts each host, where the site assigns them.',
  definition: 'What a session must do to reach the step.',
  downloads: 'Files that were downloaded.',
  funnel: 'The funnel.',
  matcher: 'The event or pageview that counts.',
  outbound_hosts: 'Links that led to other hosts.',
  reconciliation: 'Orders of browser and server compared by order id.',
  'utm.campaign': 'Sessions by `utm_campaign`.',
  'utm.content': 'Sessions by `utm_content`.',
  'utm.medium': 'Sessions by `utm_medium`.',
  'utm.source': 'Sessions by `utm_source`.',
  'utm.term': 'Sessions by `utm_term`.',
} as const satisfies Readonly<Record<string, string>>
