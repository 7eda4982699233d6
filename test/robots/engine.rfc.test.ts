/**
 * The examples of RFC 9309, transcribed: each file and table of its text, with the URLs that it names and some beside
 * them.
 */
import { describe, expect, test } from 'vitest'
import { availabilityOf } from '#robots/availability.ts'
import { robotsDecider } from '#robots/engine.ts'
import { robotsTarget } from '#robots/target.ts'

function decide(file: string, token: string, target: string) {
  const available = availabilityOf({ status: 200, body: Buffer.from(file) })
  return robotsDecider(available, robotsTarget(target))({ token, reading: undefined })
}

const isAllowed = (file: string, token: string, target: string) => decide(file, token, target).decision === 'allowed'

/** Section 2.2.1: groups that are combined. */
const COMBINED = `user-agent: ExampleBot
disallow: /foo
disallow: /bar

user-agent: ExampleBot
disallow: /baz
`

/** Section 2.2.1: a group of another crawler and an empty line between agents. */
const TWO_CRAWLERS = `user-agent: ExampleBot
user-agent: BazBot
disallow: /foo
disallow: /bar

user-agent: ExampleBot
disallow: /baz
`

describe('2.2.1 user-agent lines', () => {
  test.each(['/foo', '/bar', '/baz'])('both groups of ExampleBot forbid %s', (target) => {
    expect(isAllowed(COMBINED, 'ExampleBot', target)).toBe(false)
  })
  test('BazBot has the first group only', () => {
    expect([isAllowed(TWO_CRAWLERS, 'BazBot', '/bar'), isAllowed(TWO_CRAWLERS, 'BazBot', '/baz')]).toEqual([
      false,
      true,
    ])
  })
})

/** Section 2.2.2: path in the file, and a URL that is compared with it. The second row of the table, see below. */
const ENCODED: readonly [path: string, url: string][] = [
  ['/foo/bar?baz=quz', '/foo/bar?baz=quz'],
  ['/foo/bar?baz=https://foo.bar', '/foo/bar?baz=https://foo.bar'],
  ['/foo/bar/ツ', '/foo/bar/%E3%83%84'],
  ['/foo/bar/%E3%83%84', '/foo/bar/%E3%83%84'],
  ['/foo/bar/%62%61%7A', '/foo/bar/baz'],
]

describe('2.2.2 allow and disallow lines', () => {
  test.each(ENCODED)('the path %s matches %s', (path, url) => {
    expect(isAllowed(`user-agent: *\ndisallow: ${path}\n`, 'ExampleBot', url)).toBe(false)
  })
  test('reserved characters of a query value stay as they are, against the second row, as crawlers do it', () => {
    const file = 'user-agent: *\ndisallow: /foo/bar?baz=https://foo.bar\n'
    expect(isAllowed(file, 'ExampleBot', '/foo/bar?baz=https%3A%2F%2Ffoo.bar')).toBe(true)
  })
})

describe('2.2.3 special characters', () => {
  test.each([
    ['allow: /this/exact/path$', '/this/exact/path', 'allowed', 3],
    ['allow: /this/exact/path$', '/this/exact/path/', 'disallowed', 2],
    ['allow: /this/*/exact', '/this/path/exact', 'allowed', 3],
    ['allow: /this/*/exact', '/this/exact', 'disallowed', 2],
    ['# comment', '/anything', 'disallowed', 2],
    ['allow: /path/file-with-a-%2A.html', '/path/file-with-a-*.html', 'allowed', 3],
    ['allow: /path/file-with-a-%2A.html', '/path/file-with-a-star.html', 'disallowed', 2],
    ['allow: /path/foo-%24', '/path/foo-$', 'allowed', 3],
    ['allow: /path/foo-%24', '/path/foo-', 'disallowed', 2],
  ])('%s and %s', (rule, target, decision, line) => {
    expect(decide(`user-agent: *\ndisallow: /\n${rule} # note\n`, 'ExampleBot', target)).toMatchObject({
      decision,
      line,
    })
  })
})

/** Section 5.1. */
const SIMPLE = `User-Agent: *
Disallow: *.gif$
Disallow: /example/
Allow: /publications/

User-Agent: foobot
Disallow:/
Allow:/example/page.html
Allow:/example/allowed.gif

User-Agent: barbot
User-Agent: bazbot
Disallow: /example/page.html

User-Agent: quxbot

`

describe('5.1 simple example', () => {
  test.each([
    ['anybot', '/picture.gif', false, 2],
    ['anybot', '/picture.gif?size=2', true, null],
    ['anybot', '/example/page.html', false, 3],
    ['anybot', '/publications/one', true, 4],
    ['anybot', '/', true, null],
    ['foobot', '/example/page.html', true, 8],
    ['foobot', '/example/allowed.gif', true, 9],
    ['foobot', '/publications/', false, 7],
    ['FooBot', '/', false, 7],
    ['barbot', '/example/page.html', false, 13],
    ['barbot', '/example/allowed.gif', true, null],
    ['bazbot', '/example/page.html', false, 13],
    ['quxbot', '/example/page.html', true, null],
    ['quxbot', '/picture.gif', true, null],
  ])('%s and %s', (token, target, allowed, line) => {
    const { decision, line: by } = decide(SIMPLE, token, target)
    expect([decision === 'allowed', by]).toEqual([allowed, line])
  })
})

/** Section 5.2. */
const LONGEST = `User-Agent: foobot
Allow: /example/page/
Disallow: /example/page/disallowed.gif
`

describe('5.2 longest match', () => {
  test.each([
    ['/example/page/disallowed.gif', 'disallowed', 3],
    ['/example/page/disallowed.gif.html', 'disallowed', 3],
    ['/example/page/', 'allowed', 2],
    ['/example/page', 'allowed', null],
  ])('%s', (target, decision, line) => {
    expect(decide(LONGEST, 'foobot', target)).toMatchObject({ decision, line })
  })
})
