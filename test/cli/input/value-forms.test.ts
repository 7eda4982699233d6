import { existsSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { run, workFolder } from '../../support/cli.ts'

const SITE = 'example.com'

/** Command lines that are wrong wherever they are run, and what is said of them. */
const WRONG: readonly (readonly [args: readonly string[], message: RegExp])[] = [
  [['site', 'add', 'not a domain'], /"not a domain" cannot be used as a domain/],
  [['site', 'rename', SITE, 'not a domain'], /cannot be used as a domain/],
  [['site', 'aliases', SITE, '--forget', '!'], /cannot be used as a domain/],
  [['import', SITE, 'a.log', '--host', 'a b'], /"a b" is not a host name: give one such as/],
  [['import', SITE, 'a.log', '--server', 'a b'], /--server "a b" is not a server's name: give 1 to 63/],
  [['import', SITE, 'a.log', '--timezone', 'Nowhere'], /time zone "Nowhere" is not known; give UTC/],
  [['import', SITE, 'a.log', '--covers', 'March'], /--covers "March" is not a range of days: give FROM\/TO/],
  [['import', SITE, 'a.log', '--covers', '\u001b[2JMarch'], /--covers "\ufffd\[2JMarch" is not a range of days/],
  [['import', SITE, 'a.log', '--covers', '2026-03-05/2026-03-01'], /ends before it begins: give FROM\/TO/],
  [['import', SITE, 'a.log', '--covers', '2024-02-30/2024-03-01'], /a day that does not exist \(2024-02-30\)/],
  [['import', SITE, 'a.log', '--covers', '2026-03-01/2026-03-01', '--partial'], /give one of them/],
  [['serve', '--clock', 'noon'], /Give an instant/],
  [['serve', '--port', '99999'], /Give a port, 0 to 65535/],
  [['migrate-to', '--remove-copy'], /works only with --give-up/],
  [['migrate-to', '--status', '--give-up'], /give one of them/],
  [['source', 'add', SITE, '--name', ''], /"" cannot be the name of a source: give 1 to 64 characters/],
  [['source', 'token', 'create', 'edge', '--name', ''], /cannot be the name of a token/],
  [['source', 'retire', 'edge', '--into', 'a b'], /--into "a b" is not a server's name/],
  [['key', 'create', '--name', ''], /cannot be the name of a key/],
  [['token', 'create', '--scope', 'read', '--name', ''], /cannot be the name of a token/],
  [['user', 'add', 'nobody'], /"nobody" is not an e-mail address: give one such as/],
  [['alert', 'add', SITE, '--email', 'nobody'], /is not an e-mail address/],
  [['alert', 'add', SITE], /give one of --webhook, --webhook-file and --email/],
  [
    ['alert', 'add', SITE, '--webhook', 'https://a.example', '--email', 'a@b.example'],
    /give one of --webhook, --webhook-file and --email/,
  ],
  [['alert', 'add', SITE, '--webhook', 'example.org'], /"example\.org" is not the URL of a webhook: it must begin/],
  [['alert', 'add', SITE, '--webhook', 'https://example.org/#a'], /has no fragment: leave out #/],
  [['alert', 'add', SITE, '--webhook', 'https://a:b@example.org/'], /holds a user name or a password: leave them out/],
  [['tracker', 'origin', 'add', SITE, 'localhost:3000'], /is not an origin: give scheme, host and port/],
  [['tracker', 'origin', 'remove', SITE, 'http://localhost:3000/a'], /is not an origin/],
  [['issue', 'intended', SITE, 'a b', '/', '--harm', 'refused'], /"a b" is not a host name/],
  [['issue', 'intended', SITE, SITE, 'pricing', '--harm', 'refused'], /The path is "pricing"; allowed is a path/],
  [['check', 'example.com'], /"example\.com" is not an http or https URL: give one such as/],
  [['property', 'add', SITE, '!', 'plan', '--kind', 'integer'], /"!" is not an event name: give 1 to 64/],
  [['property', 'add', SITE, 'signup', 'PLAN', '--kind', 'integer'], /"PLAN" is not a property key/],
  [['property', 'add', SITE, 'signup', 'plan', '--kind', 'enum'], /1 to 50 values: give --value/],
  [['property', 'add', SITE, 'signup', 'plan', '--kind', 'integer', '--value', '1'], /only an enum has values/],
  [['property', 'edit', SITE, 'signup', 'plan', '--value', 'a', '--value', 'a'], /the value "a" is given twice/],
  [['property', 'add', SITE, 'pageview', 'plan', '--kind', 'integer'], /pageviews have no properties: give the name/],
  [['conversion', 'add', SITE, '--name', 'x', '--event', 'pageview'], /count the views of one with --page/],
  [['registry', 'update', 'http://example.org/registry.json'], /The URL begins with http:; only https is allowed/],
  [['conversion', 'add', SITE, '--name', 'x', '--event', '!'], /is not an event name/],
  [['conversion', 'add', SITE, '--name', 'x', '--event', 'x', '--page', '/x'], /give one or the other/],
  [['conversion', 'add', SITE], /no definition is given: give --name/],
  [
    ['conversion', 'add', SITE, '--name', 'x', '--page', 'pricing'],
    /"pricing" cannot be the path of a page here: a path/,
  ],
  [['conversion', 'add', SITE, '--name', 'x', '--page', 'a b/pricing'], /"a b" is not a host name/],
  [['conversion', 'add', SITE, '--event', 'x', '--rule', 'plan=pro'], /give --name and --event or --page/],
  [
    ['conversion', 'add', SITE, '--name', 'x', '--event', 'x', '--rule', 'plan'],
    /"plan" is not a rule: give KEY=VALUE/,
  ],
  [
    [
      'conversion',
      'add',
      SITE,
      '--name',
      'x',
      '--event',
      'x',
      ...'abcdefghi'.split('').flatMap((key) => ['--rule', `${key}=1`]),
    ],
    /9 rules are given; a conversion has at most 8/,
  ],
  [['funnel', 'add', SITE, '--name', 'x'], /2 to 5 steps: give --name and --step/],
  [['funnel', 'add', SITE, '--name', 'x', '--step', 'page:/a'], /has 2 to 5 steps; this one has 1/],
  [['funnel', 'edit', SITE, 'x', '--step', 'page:/a'], /has 2 to 5 steps; this one has 1/],
  [['funnel', 'add', SITE, '--name', 'x', '--step', 'page:/a?b', '--step', 'page:/c'], /query strings .* never stored/],
  [['brand', 'add', ''], /cannot be the name of a brand/],
  [['brand', 'add', 'Acme', '--domain', '!'], /cannot be used as a domain/],
  [['brand', 'add', 'Acme', '--alias', ''], /cannot be the name of an alias/],
  [['brand', 'add', 'Acme', '--company-alias', 'Apex'], /"Apex" needs a second word, but it has no words and/],
  [['brand', 'add', 'Acme', '--company-alias', '=Munich'], /"" cannot be the name of an alias of a brand/],
  [['brand', 'add', 'Acme', '--exact-alias', 'Acme'], /"Acme" is the name itself, which always counts/],
  [['brand', 'competitor', 'add', 'Acme', 'Zenith', '--company-alias', 'Apex'], /"Apex" needs a second word/],
  [['brand', 'retention', 'Acme', '3651'], /Give a whole number, 1 to 3650/],
  [['question', 'add', '', '--brand', 'Acme'], /the question has 0 characters: give 1 to 300/],
  [['question', 'add', 'Why?', '--brand', 'Acme', '--country', 'de'], /"de" is not a country: give a code/],
  [['question', 'add', 'Why?', '--brand', 'Acme', '--tag', ''], /"" is not a tag: give 1 to 64/],
  [
    ['question', 'add', 'Why?', '--brand', 'Acme', ...'abcdefghijk'.split('').flatMap((tag) => ['--tag', tag])],
    /at most 10/,
  ],
  [['question', 'list', '--brand', 'Acme', '--country', 'de'], /"de" is not a country/],
  [['question', 'list', '--brand', 'Acme', '--limit', '0'], /Give a whole number, 1 to 10000/],
  [['question', 'archive', 'first', '--brand', 'Acme'], /"first" is not an id: give one that .*question list shows/],
  [['fix', 'show', 'first', '--brand', 'Acme'], /"first" is not an id: give one that .*fix list shows/],
  [['fix', 'accept', 'first', '--brand', 'Acme', '--fix-version', '0'], /Give a whole number, 1 to 99999/],
  [['answers', 'payload', 'first', '--brand', 'Acme'], /"first" is not the id of an answer/],
  [['search-data', 'import', 'a.csv', '--brand', 'Acme', '--from', 'March'], /"March" is not a day: give a UTC day/],
  [
    ['search-data', 'import', 'a.csv', '--brand', 'Acme', '--from', '2026-03-02', '--to', '2026-03-01'],
    /the first day 2026-03-02 comes after the last day 2026-03-01: swap them/,
  ],
  [
    ['search-data', 'import', 'a.csv', '--brand', 'Acme', '--property', 'example.com'],
    /not a property of a search eng/,
  ],
  [
    ['search-data', 'import', 'a.json', '--brand', 'Acme', '--dimensions', 'date,day'],
    /"day" is not a dimension: give one or more of date, page, query, country, device/,
  ],
  [
    ['search-data', 'import', 'a.csv', '--brand', 'Acme', '--page', '/pricing'],
    /"\/pricing" is not an http or https URL/,
  ],
  [
    ['search-data', 'connect', '--brand', 'Acme', '--source', 'bing', '--property', 'sc-domain:example.com'],
    /"sc-domain:example\.com" is not a property of bing: write https:\/\/www\.example\.com\//,
  ],
  [['answers', 'import', 'answers', '--brand', 'Acme'], /from its name: add --format json, ndjson or csv/],
  [['authority', 'assign', SITE, 'a b', 'edge', '--from', '2026-02-28'], /"a b" is not a host name/],
  [['account', 'set-question-limit', '10001'], /Give a whole number, 0 to 10000/],
  [['site', 'retention', SITE, '36501'], /Give a whole number, 1 to 36500/],
  [['authority', 'assign', SITE, SITE, 'edge', '--from', '2026-02-30'], /"2026-02-30" is not a day/],
  [['engine', 'configure', 'chatgpt', '--at-once', '11'], /Give a whole number, 1 to 10/],
  [['engine', 'configure', 'chatgpt', '--base-url', 'here'], /cannot be a base URL: give/],
  [['engine', 'configure', 'chatgpt', '--input-price', '10001'], /Give at most 10000 US dollars/],
  [['engine', 'budget', 'chatgpt', '--calls', '1000001'], /Give a whole number, 0 to 1000000/],
  [['robots', 'test', 'robots.txt', '/', '--agent', '!'], /"!" is not a product token: give the name alone/],
  [['report', SITE, '--crawler', 'gptbot', '--events'], /give one of them/],
]

test('a command line that is wrong wherever it is run is bad usage, exit 2 (decisions 1)', async () => {
  const { data, file } = workFolder()
  writeFileSync(file('robots.txt'), '')
  for (const [words, message] of WRONG) {
    const args = words.map((word) => (word === 'robots.txt' ? file(word) : word))
    const ended = await run([...args, '--data', data, '--json'])
    expect(ended, words.join(' ')).toMatchObject({ code: 2, stdout: '' })
    expect(JSON.parse(ended.stderr), words.join(' ')).toEqual({
      error: { kind: 'bad_usage', message: expect.stringMatching(message) },
    })
  }
  expect(existsSync(data)).toBe(false)
  const text = await run(['import', SITE, 'a.log', '--timezone', 'Nowhere', '--data', data])
  expect(text.code).toBe(2)
  expect(text.stderr).toBe(
    'spoor: the time zone "Nowhere" is not known; give UTC, an offset such as +02:00, or a name such as Europe/Berlin\n' +
      'Run the command with --help to see what it takes, with examples.\n',
  )
})
