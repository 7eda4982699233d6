import { describe, expect, test } from 'vitest'
import { findPageDirectives, readRobotsTag } from '#inspections/page-directives.ts'

const of = (html: string | Buffer, type: string | undefined = 'text/html') =>
  findPageDirectives({
    status: 200,
    header_lines: type === '' ? {} : { 'content-type': [type] },
    body: Buffer.from(html),
  }).meta_robots

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
    const { x_robots_tag } = findPageDirectives({ status: 200, header_lines, body: Buffer.alloc(0) })
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

  test('crawlers of the registry are known by name, with `bot` in it or not', () => {
    expect(of('<meta name="Bytespider" content="noindex"><meta name="Google-Extended" content="none">')).toEqual([
      'bytespider: noindex',
      'google-extended: none',
    ])
    expect(of('<meta name="viewport" content="none"><meta name="author" content="noindex">')).toEqual([])
  })

  test('a page without a type is read when it begins as HTML, one of another type is not', () => {
    const html = '<!doctype html><meta name="robots" content="noindex">'
    expect(of(html, '')).toEqual(['noindex'])
    expect(of(` \n<!-- a --><html>${html}`, '')).toEqual(['noindex'])
    expect(of(`{"page": "${html}"}`, '')).toEqual([])
    expect(of(html, 'text/plain')).toEqual([])
    expect(of(html, 'application/xhtml+xml')).toEqual(['noindex'])
  })

  test('a page in UTF-16, by its byte order mark or its charset', () => {
    const html = '<html><meta name="robots" content="noindex">'
    const little = Buffer.from(html, 'utf16le')
    const big = Buffer.from(little).swap16()
    expect(of(Buffer.concat([Buffer.from([0xff, 0xfe]), little]))).toEqual(['noindex'])
    expect(of(Buffer.concat([Buffer.from([0xfe, 0xff]), big]), '')).toEqual(['noindex'])
    expect(of(little, 'text/html; charset=UTF-16')).toEqual(['noindex'])
    expect(of(big, 'text/html; charset="utf-16be"')).toEqual(['noindex'])
  })

  test('1 MiB of unfinished tags is read in little time', () => {
    for (const piece of ['<meta ', '<!--', '<script>', '<title>', '<script ']) {
      const before = process.cpuUsage()
      of(piece.repeat(1_000_000 / piece.length))
      expect(process.cpuUsage(before).user / 1_000).toBeLessThan(1_500)
    }
  })
})
