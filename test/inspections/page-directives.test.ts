import { describe, expect, test } from 'vitest'
import { findPageDirectives, readRobotsTag } from '#inspections/page-directives.ts'

const of = (html: string) =>
  findPageDirectives({ status: 200, header_lines: {}, body: Buffer.from(html) }, true).meta_robots

describe('X-Robots-Tag, one line', () => {
  test.each([
    ['noindex', [{ agent: null, directives: ['noindex'] }]],
    ['noindex, NoFollow', [{ agent: null, directives: ['noindex', 'nofollow'] }]],
    [
      'nofollow, googlebot: noindex, max-snippet:-1, otherbot: none',
      [
        { agent: null, directives: ['nofollow'] },
        { agent: 'googlebot', directives: ['noindex', 'max-snippet:-1'] },
        { agent: 'otherbot', directives: ['none'] },
      ],
    ],
    [
      'unavailable_after: Wed, 03 Dec 2025 13:09:53 GMT, noai',
      [{ agent: null, directives: ['unavailable_after: wed, 03 dec 2025 13:09:53 gmt', 'noai'] }],
    ],
    ['applebot: nosnippet', [{ agent: 'applebot', directives: ['nosnippet'] }]],
    ['', []],
    [', ,', []],
  ])('%s', (line, expected) => {
    expect(readRobotsTag(line)).toEqual(expected)
  })

  test('lines are read by themselves: an agent ends with its line', () => {
    const header_lines = { 'x-robots-tag': ['googlebot: noindex', 'nofollow'] }
    const { x_robots_tag } = findPageDirectives({ status: 200, header_lines, body: Buffer.alloc(0) }, false)
    expect(x_robots_tag).toEqual([
      { agent: 'googlebot', directives: ['noindex'] },
      { agent: null, directives: ['nofollow'] },
    ])
  })
})

describe('meta robots', () => {
  test.each([
    ['<head><meta name="robots" content="noindex, nofollow"></head>', ['noindex, nofollow']],
    ["<META content='noindex' NAME=Robots>", ['noindex']],
    ['<meta name=googlebot content=nosnippet>', ['googlebot: nosnippet']],
    ['<meta name="description" content="robots">', []],
    ['<head></head><body><meta name="robots" content="noindex">', []],
    ['<!-- <meta name="robots" content="noindex"> --><title>a</title>', []],
    ['<script>"<meta name=robots content=noindex>"</script><meta name="robots" content="all">', ['all']],
    ['<title><meta name="robots" content="noindex"></title>', []],
    ['<meta name="robots" content="noindex"', []],
  ])('%s', (html, expected) => {
    expect(of(html)).toEqual(expected)
  })

  test('1 MiB of unfinished tags is read in little time', () => {
    for (const piece of ['<meta ', '<!--', '<script>', '<title>', '<script ']) {
      const before = process.cpuUsage()
      of(piece.repeat(1_000_000 / piece.length))
      expect(process.cpuUsage(before).user / 1_000).toBeLessThan(1_500)
    }
  })
})
