/**
 * The HTTP requests: every operation with each of its parameters, valid and invalid, and every other path of the
 * service.
 */
export interface RecordedRequest {
  method: string
  /** As it is sent, with its query. */
  path: string
  headers?: Record<string, string>
  body?: string
  /** What is special about it. */
  note?: string
}

const CRAWLERS = ['performance', 'crawlers', 'top-pages']
const ANALYTICS = ['overview', 'analytics-sources', 'pages', 'conversions', 'revenue']
const SHORT = ['funnels', 'funnels/way-in', 'journeys']
const WINDOWS = ['today', '7d', '30d', '90d', '365d']
const SITES = ['example.com', 'second.example']
const READS = ['', ...[...CRAWLERS, 'issues', 'sources', ...ANALYTICS, ...SHORT].map((name) => `/{site}/${name}`)]

export function requests({ key, token }: { key: string; token: string }): RecordedRequest[] {
  const bearer = { authorization: `Bearer ${key}` }
  const get = (path: string, note?: string): RecordedRequest => ({
    method: 'GET',
    path: `/v1/sites${path}`,
    headers: bearer,
    ...(note === undefined ? {} : { note }),
  })
  const onSite = (path: string, site = 'example.com') => path.replace('{site}', site)
  return [
    ...SITES.flatMap((site) =>
      [...CRAWLERS, ...ANALYTICS, ...SHORT].flatMap((name) =>
        WINDOWS.map((window) => get(`/${site}/${name}?window=${window}`)),
      ),
    ),
    ...READS.map((path) => get(onSite(path))),
    ...SITES.flatMap((site) => [
      ...CRAWLERS.flatMap((name) =>
        ['training', 'ai_search,user_action', 'training,search', 'all', 'training,,'].map((purpose) =>
          get(`/${site}/${name}?purpose=${purpose}&window=30d`),
        ),
      ),
      ...[...ANALYTICS, ...SHORT].flatMap((name) =>
        ['csv', 'json', 'xml'].map((format) => get(`/${site}/${name}?format=${format}&window=30d`)),
      ),
      ...['top-pages', 'issues', 'pages', 'conversions', 'funnels', 'journeys'].flatMap((name) =>
        ['1', '5', '0', '1e1', '100000', '-1', '%31'].map((limit) => get(`/${site}/${name}?limit=${limit}`)),
      ),
    ]),
    ...['1', '2', 'x'].map((revision) => get(`/example.com/funnels/way-in?revision=${revision}`)),
    ...READS.flatMap((path) => [
      get(`${onSite(path)}?window=1y`),
      get(`${onSite(path)}?window=7d&window=30d`),
      get(`${onSite(path)}?window=`),
      get(`${onSite(path)}?unknown=1`),
      get(`${onSite(path)}?window=%ff`),
      get(onSite(path, 'missing.example')),
      { method: 'GET', path: `/v1/sites${onSite(path)}`, note: 'no key' },
      { method: 'GET', path: `/v1/sites${onSite(path)}`, headers: { authorization: 'Bearer spoor_site_wrong' } },
      { ...get(onSite(path)), method: 'DELETE' },
      { ...get(onSite(path)), method: 'POST' },
      { ...get(onSite(path)), method: 'OPTIONS' },
      { ...get(onSite(path)), method: 'HEAD' },
    ]),
    ...['/example.com/funnels/none', '/example.com/funnels/%41', '/EXAMPLE.com./performance', '/%00/performance'].map(
      (path) => get(path),
    ),
    ...accessChecks(bearer),
    ...others(bearer, token),
  ]
}

function accessChecks(bearer: Record<string, string>): RecordedRequest[] {
  const path = '/v1/sites/example.com/access-checks'
  const bodies = ['{"url":"https://example.com/"}', '{"url":"https://other.example/"}', '{}', '{', '[]', '', 'null']
  return [
    ...bodies.map((body) => ({
      method: 'POST',
      path,
      body,
      headers: { ...bearer, 'content-type': 'application/json' },
    })),
    { method: 'POST', path, headers: { ...bearer, 'content-type': 'text/html' }, body: '{}' },
    { method: 'GET', path, headers: bearer },
  ]
}

function others(bearer: Record<string, string>, token: string): RecordedRequest[] {
  const intake = { authorization: `Bearer ${token}`, 'x-spoor-sender': 'edge-1' }
  const record = '{"timestamp":"2026-03-20T11:30:00Z","path":"/a","status":200,"user_agent":"GPTBot/1.2","id":"r-1"}'
  const json = { 'content-type': 'application/json' }
  const own = { ...json, host: 'spoor.example.net', origin: 'https://spoor.example.net' }
  return [
    ...['/healthz', '/readyz', '/v1/openapi.json', '/welcome', '/spoor.js', '/none', '/v1', '/%zz', '/v1/sites/'].map(
      (path) => ({ method: 'GET', path, headers: bearer }),
    ),
    ...[record, '{}', 'text', '[]', '', `${record}\n{"timestamp":"x"}`].map((body) => ({
      method: 'POST',
      path: '/intake/logs',
      headers: intake,
      body,
    })),
    { method: 'POST', path: '/intake/logs', body: record, note: 'no token' },
    { method: 'POST', path: '/intake/logs?dialect=none', headers: intake, body: record },
    { method: 'PUT', path: '/intake/logs', headers: intake, body: record },
    ...['{}', '[]', 'x', '[{"v":1,"type":"pageview","id":"00000001","url":"https://example.com/"}]'].map((body) => ({
      method: 'POST',
      path: '/collect',
      headers: { ...json, origin: 'https://example.com' },
      body,
    })),
    ...['{}', 'x'].map((body) => ({ method: 'POST', path: '/collect/server', headers: json, body })),
    ...['{"token":"x"}', '{}', 'x'].map((body) => ({
      method: 'POST',
      path: '/dashboard-api/findLink',
      headers: own,
      body,
    })),
    ...['{"token":"x","password":"123456789012"}', '{"token":"x","password":"short"}', '{}'].map((body) => ({
      method: 'POST',
      path: '/dashboard-api/choosePassword',
      headers: own,
      body,
    })),
    { method: 'POST', path: '/dashboard-api/findLink', headers: json, body: '{"token":"x"}', note: 'foreign origin' },
    { method: 'GET', path: '/dashboard-api/findLink', headers: own },
  ]
}
