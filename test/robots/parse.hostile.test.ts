/** Hostile files: each is read and decided in linear time, and none throws. */
import { describe, expect, test } from 'vitest'
import { rulesDecider } from '#robots/decide.ts'
import { MAX_ROBOTS_BYTES, parseRobots } from '#robots/parse.ts'
import { robotsTarget } from '#robots/target.ts'

/**
 * Three times what it takes on a machine that does something else as well, and a hundredth of what quadratic time would
 * take.
 */
const MAX_MS = 2_000

/** `/aaa…`, as long as a URL may be that is requested. */
const LONG_TARGET = `/${'a'.repeat(8_000)}`

/** As many lines as fit into the bytes that are read. */
function fill(line: (index: number) => string): Buffer {
  const lines = ['User-agent: *\n']
  for (let size = 14, index = 0; size < MAX_ROBOTS_BYTES - 2_000; index++) {
    lines.push(line(index))
    size += line(index).length
  }
  return Buffer.from(lines.join(''))
}

function decideIn(file: Uint8Array, target = LONG_TARGET) {
  const started = process.cpuUsage()
  const decision = rulesDecider(parseRobots(file), robotsTarget(target)).decide('PageBot')
  const { user } = process.cpuUsage(started)
  expect(user / 1_000).toBeLessThan(MAX_MS)
  return decision
}

describe('hostile rules', () => {
  test('500 KiB of * match everything', () => {
    expect(decideIn(Buffer.from(`User-agent: *\nDisallow: /${'*'.repeat(MAX_ROBOTS_BYTES - 30)}`))).toMatchObject({
      decision: 'disallowed',
      line: 2,
    })
  })

  test.each([
    ['stars between letters', () => Buffer.from(`User-agent: *\nDisallow: /${'a*'.repeat(250_000)}b\n`)],
    ['many short parts', () => fill((index) => `Disallow: *${'a'.repeat((index % 50) + 1)}b\n`)],
    ['many long parts', () => fill((index) => `Disallow: *${'a'.repeat(900 + (index % 100))}b\n`)],
    ['many stars a rule', () => fill(() => `Disallow: ${'*a'.repeat(20)}*ab\n`)],
    ['many literals', () => fill((index) => `Disallow: /${'a'.repeat(index % 60)}${index}\n`)],
  ])('%s match nothing', (_, file) => {
    expect(decideIn(file())).toMatchObject({ decision: 'allowed', rule: null })
  })

  test('parts that are in the target, but not in this order', () => {
    const target = `/${'b'.repeat(4_000)}${'a'.repeat(4_000)}`
    expect(
      decideIn(
        fill((index) => `Disallow: *${'a'.repeat((index % 40) + 1)}*b\n`),
        target,
      ).decision,
    ).toBe('allowed')
  })

  test('100,000 groups, the last of them for the crawler', () => {
    const groups = Array.from({ length: 100_000 }, (_, index) => `User-agent:b${index}\nDisallow:/\n`).join('')
    const file = parseRobots(Buffer.from(groups))
    expect(file.is_truncated).toBe(true)
    expect(file.groups.size).toBeGreaterThan(10_000)
    expect(decideIn(Buffer.from(groups), '/x').decision).toBe('allowed')
    const agents = `${'User-agent: PageBot\n'.repeat(20_000)}Disallow: /x\n`
    expect(decideIn(Buffer.from(agents), '/x')).toMatchObject({ decision: 'disallowed', line: 20_001 })
  })

  test('20,000 agents share 20,000 rules', () => {
    const file = Buffer.from(`${'User-agent:b\n'.repeat(18_000)}User-agent: *\n${'Disallow:/x\n'.repeat(20_000)}`)
    expect(decideIn(file, '/x')).toMatchObject({ decision: 'disallowed', group: '*', line: 18_002 })
  })
})

describe('hostile bytes', () => {
  test.each([
    ['NUL', Buffer.alloc(MAX_ROBOTS_BYTES)],
    ['CR', Buffer.alloc(MAX_ROBOTS_BYTES, '\r')],
    ['LF', Buffer.alloc(MAX_ROBOTS_BYTES, '\n')],
    ['blanks', Buffer.alloc(MAX_ROBOTS_BYTES, ' ')],
    ['colons', Buffer.alloc(MAX_ROBOTS_BYTES, ':')],
    ['0xFF', Buffer.alloc(MAX_ROBOTS_BYTES, 0xff)],
    ['UTF-16', Buffer.from('User-agent: *\nDisallow: /\n', 'utf16le')],
    ['nothing', Buffer.alloc(0)],
  ])('a file of %s has no rules', (_, file) => {
    expect(decideIn(file, '/x')).toEqual({ decision: 'allowed', group: null, rule: null, line: null })
  })

  test('a byte order mark before the first line is skipped', () => {
    expect(decideIn(Buffer.from('\ufeffUser-agent: *\nDisallow: /x\n'), '/x')).toMatchObject({ line: 2 })
  })

  test('lines end with CR alone, and are counted', () => {
    expect(decideIn(Buffer.from('User-agent: *\r\rDisallow: /x\r'), '/x')).toMatchObject({ line: 3 })
  })

  test('CRLF, CR and LF in one file', () => {
    expect(decideIn(Buffer.from('User-agent: *\r\n\rAllow: /\n\r\nDisallow: /x'), '/x')).toMatchObject({ line: 5 })
  })

  test('NUL inside a rule belongs to its path', () => {
    expect(decideIn(Buffer.from('User-agent: *\nDisallow: /a\0b\n'), '/a%00b')).toMatchObject({
      decision: 'disallowed',
    })
    expect(decideIn(Buffer.from('User-agent: *\nDisallow: /a\0b\n'), '/a').decision).toBe('allowed')
  })

  test('octets that are not UTF-8 are compared as they are', () => {
    expect(decideIn(Buffer.from('User-agent: *\nDisallow: /\xe9\n', 'latin1'), '/%E9').decision).toBe('disallowed')
    expect(decideIn(Buffer.from('User-agent: *\nDisallow: /\xe9\n', 'latin1'), '/é').decision).toBe('allowed')
  })

  test('a line that the limit cuts is not read', () => {
    const head = `User-agent: *\n${'#'.repeat(MAX_ROBOTS_BYTES - 14 - 12)}\n`
    const file = Buffer.from(`${head}Disallow: /private\n`)
    expect(file.subarray(0, MAX_ROBOTS_BYTES).toString().endsWith('\nDisallow: /')).toBe(true)
    expect(decideIn(file, '/public').decision).toBe('allowed')
    expect(parseRobots(file).is_truncated).toBe(true)
  })
})
