/**
 * Lines that a stranger could write to stop a reader: whole lines of every layout, with long runs of what patterns
 * stumble over.
 */

const AGENT = 'Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)'
const COMBINED = `192.0.2.7 - - [03/Mar/2026:10:15:30 +0100] "GET /a HTTP/1.1" 200 512 "-" "${AGENT}"`
const W3C_FIELDS = '#Fields: date time c-ip cs-method cs-uri-stem cs-uri-query sc-status cs(User-Agent) time-taken'

/** A line of every layout; a header that it needs is the line before it. */
export const LAYOUTS: Record<string, string> = {
  combined: COMBINED,
  'combined with fields around it': `www.example.com:443 ${COMBINED} 302 0.003 "203.0.113.9, 198.51.100.1"`,
  'time first': `[03/Mar/2026:10:15:30 +0100] 192.0.2.7 200 "GET /a HTTP/1.1" 200 5 7 https://example.com/ ${AGENT}`,
  syslog: `<134>1 2026-03-03T10:15:31Z web1 nginx 99 - [a b="c"] ${COMBINED}`,
  'syslog without version': `<134>Mar  3 10:15:31 web1 nginx[99]: ${COMBINED}`,
  docker: JSON.stringify({ log: `${COMBINED}\r\n`, stream: 'stdout', time: '2026-03-03T09:15:30Z' }),
  'docker compose': `web-1  | ${COMBINED}`,
  'nginx proxy manager': `[03/Mar/2026:10:15:30 +0100] - 200 200 - GET https www.example.com "/a" [Client 192.0.2.7] [Length 512] [Gzip -] [Sent-to 10.0.0.2] "${AGENT}" "-"`,
  envoy: `[2026-03-03T09:15:30.250Z] "GET /a HTTP/1.1" 200 - 0 512 5 4 "192.0.2.7" "${AGENT}" "id" "www.example.com" "10.0.0.2:80"`,
  haproxy: `192.0.2.7:3 [03/Mar/2026:09:15:30.000] web app/1 0/0/0/1/1 200 5 - - ---- 1/1/1/1/0 0/0 {www.example.com|${AGENT}} "GET /a HTTP/1.1"`,
  'haproxy connection': '192.0.2.7:3 [03/Mar/2026:09:15:30.000] web/1: SSL handshake failure',
  'aws load balancer': `https 2026-03-03T09:15:30.250000Z app/lb/1 192.0.2.7:2817 10.0.0.1:80 0.000 0.001 0.000 200 200 34 366 "GET https://www.example.com:443/a HTTP/1.1" "${AGENT}" - - arn "Root=1" "-" "-" 0`,
  zoraxy: `[2026-03-03 10:15:30.250000] [router:host-http] [origin:www.example.com] [client: 192.0.2.7] [useragent: ${AGENT}] GET /a 200`,
  'iis event': `<Event xmlns='x'><EventData><Data Name="date">2026-03-03</Data><Data Name="time">09:15:30</Data><Data Name="cs-method">GET</Data><Data Name="cs-uri-stem">/a</Data><Data Name="sc-status">200</Data><Data Name="csUser-Agent">${AGENT.replaceAll(' ', '+')}</Data></EventData></Event>`,
  'iis native': '192.0.2.7, -, 3/3/2026, 9:15:30, W3SVC1, WEB, 10.0.0.1, 5, 200, 512, 200, 0, GET, /a, -,',
  w3c: `${W3C_FIELDS}\n2026-03-03 09:15:30 192.0.2.7 GET /a - 200 ${AGENT.replaceAll(' ', '+')} 15`,
  'w3c quoted': `${W3C_FIELDS}\n"2026-03-03" "09:15:30" "192.0.2.7" "GET" "www.example.com/a" "" "200" "${AGENT}" "15"`,
  'w3c directive': W3C_FIELDS,
  cloudfront: `2026-03-03\t09:15:30\tFRA56-P1\t512\t192.0.2.7\tGET\td1.cloudfront.net\t/a\t200\t-\t${AGENT.replaceAll(' ', '%2520')}\t-\t-\tHit\tid==\twww.example.com\thttps\t64`,
  'iis without header': `2026-03-03 09:15:30 10.0.0.1 GET /a - 80 - 192.0.2.7 HTTP/1.1 ${AGENT.replaceAll(' ', '+')} - www.example.com 200 0 0 512 15`,
  logpush: JSON.stringify({
    ClientRequestHost: 'www.example.com',
    ClientRequestMethod: 'GET',
    ClientRequestURI: '/a',
    ClientRequestUserAgent: AGENT,
    EdgeStartTimestamp: '2026-03-03T09:15:30Z',
    EdgeResponseStatus: 200,
  }),
  'w3c json': JSON.stringify({
    date: '2026-03-03',
    time: '09:15:30',
    'cs-method': 'GET',
    'cs-uri-stem': '/a',
    'sc-status': '200',
    'cs(User-Agent)': AGENT,
  }),
  'json of an operator': JSON.stringify({
    time: '2026-03-03T09:15:30Z',
    http: { request: 'GET /\u00e4 HTTP/1.1', host: 'www.example.com' },
    status: '200',
    user_agent: AGENT,
  }).replace('\u00e4', '\\u00e4'),
  istio: `[2026-03-03T09:15:30.250Z] "GET /a HTTP/1.1" 200 - via_upstream - "-" 0 512 5 4 "192.0.2.7" "${AGENT}" "id" "www.example.com" "10.0.0.2:80" outbound|80||a 10.0.0.2:1 10.0.0.3:2 192.0.2.7:3 - default`,
  discourse: `[03/Mar/2026:09:15:30 +0000] "www.example.com" 192.0.2.7 "GET /a HTTP/1.1" "${AGENT}" "topics/show" 200 512 "-" 0.012 0.016 "-" "-"`,
  kinsta: `www.example.com 192.0.2.7 [03/Mar/2026:09:15:30 +0000] GET "/a" HTTP/1.0 200 "-" "${AGENT}" 192.0.2.7 "/index.php" - - 472 0.562 0.560`,
  bunny: `HIT|200|1772529330250|412|390|192.0.2.7|-|https://www.example.com/a|WA|${AGENT}|322b688bd63fb63f2babe9de30a5d262|DE`,
  'cloudfront real-time': `1772529330.250\t192.0.2.7\t0.002\t200\t512\tGET\thttps\td1.cloudfront.net\t/a\t38\tFRA56-P1\tid==\twww.example.com\t0.002\tHTTP/2.0\tIPv4\t${AGENT.replaceAll(' ', '%20')}\t-\t-\t-\tHit`,
  'caddy console': `2026/03/03 09:15:30.250\tINFO\thttp.log.access\thandled request\t${JSON.stringify({ request: { remote_ip: '192.0.2.7', method: 'GET', host: 'www.example.com', uri: '/a', headers: { 'User-Agent': [AGENT] } }, status: 200 })}`,
  logfmt: `time=2026-03-03T09:15:30Z level=info method=GET path=/a status=200 host=www.example.com user_agent="${AGENT}"`,
  'epoch in brackets': COMBINED.replace('03/Mar/2026:10:15:30 +0100', '1772529330.250'),
  'splunk envelope': JSON.stringify({ time: 1772529330.25, host: 'web1', sourcetype: 'x', event: COMBINED }),
  'loki envelope': JSON.stringify({ streams: [{ stream: { job: 'x' }, values: [['1772529330250000000', COMBINED]] }] }),
  'gelf envelope': JSON.stringify({ version: '1.1', host: 'web1', short_message: COMBINED, timestamp: 1772529330.25 }),
  'aws waf': JSON.stringify({
    timestamp: 1772529330250,
    webaclId: 'x',
    action: 'ALLOW',
    httpRequest: {
      clientIp: '192.0.2.7',
      uri: '/a',
      httpMethod: 'GET',
      headers: [{ name: 'User-Agent', value: AGENT }],
    },
  }),
  opentelemetry: JSON.stringify({
    timeUnixNano: '1772529330250000000',
    attributes: [
      { key: 'http.request.method', value: { stringValue: 'GET' } },
      { key: 'url.path', value: { stringValue: '/a' } },
      { key: 'user_agent.original', value: { stringValue: AGENT } },
    ],
  }),
  'nginx error log': '2026/03/03 10:15:30 [error] 7#7: *4 open() "/x" failed, request: "GET /x HTTP/1.1", host: "a"',
}

/** What patterns and loops stumble over when there is much of it. */
export const PIECES = [
  ...[
    ' ',
    '\t',
    '\r',
    '"',
    '""',
    '\\',
    '\\"',
    '\\\\"',
    '\\x',
    '\\x22',
    '\\n',
    '\\u00fc',
    "'",
    '|',
    '#',
    '%',
    '%25',
    '%2520',
  ],
  ...[
    '0',
    '1',
    '9.',
    '1.',
    '1:',
    ':',
    '::',
    'a:',
    ',',
    ', ',
    '0,',
    '-',
    '- ',
    '/',
    '../',
    '.',
    'a.',
    'a',
    'A',
    'a ',
    'a@',
    '@',
    '+',
  ],
  ...[
    '[',
    ']',
    '[ ',
    '] ',
    '][',
    '{',
    '}',
    '{}',
    '} ',
    '} {',
    '} "',
    '(',
    ')',
    '[{',
    '[],',
    '":"',
    '","',
    '\\",\\"',
    '\xe4',
    '\xc3\xa4',
  ],
  ...[
    '"GET ',
    '"GET / ',
    '\\"GET ',
    '" 200 ',
    '200 ',
    ' - ',
    'http://',
    '<Data Name="',
    '">',
    '</Data>',
    '&lt;',
    '&amp;',
    'bot ',
  ],
  ...['a,a"', '"a":1,', '2026-03-03 ', '[03/Mar/2026:', '] [', 'x=1; ', '=', ';', '?', '*', '\x00', '\x7f'],
]

/**
 * The places of a line where its fields begin and end, its start and its end among them; at most `most`, spread evenly.
 */
export function positionsOf(line: string, most: number): number[] {
  const from = line.lastIndexOf('\n') + 1
  const places = [from, ...[...line.slice(from).matchAll(/\b/g)].map((match) => from + match.index), line.length]
  const step = Math.max(1, places.length / most)
  return [
    ...new Set(
      Array.from({ length: most }, (_one, at) => places[Math.min(places.length - 1, Math.floor(at * step))] as number),
    ),
    line.length,
  ]
}
