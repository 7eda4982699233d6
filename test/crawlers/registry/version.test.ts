import { describe, expect, it } from 'vitest'
import { compareVersions, isVersion } from '#crawlers/registry/version.ts'

describe('a registry version is YYYY-MM-DD.n (decisions 3.3)', () => {
  it.each([
    ['2026-11-21.10', '2026-11-21.9'],
    ['2026-11-22.1', '2026-11-21.99'],
    ['2027-01-01.1', '2026-12-31.1'],
    ['2026-10-01.1', '2026-09-30.2'],
  ])('%s is newer than %s', (newer, older) => {
    expect(compareVersions(newer, older)).toBeGreaterThan(0)
    expect(compareVersions(older, newer)).toBeLessThan(0)
  })

  it('a version equals itself', () => {
    expect(compareVersions('2026-11-21.3', '2026-11-21.3')).toBe(0)
  })

  it('sorts versions oldest first', () => {
    const versions = ['2026-11-21.10', '2026-02-03.2', '2026-11-21.9', '2025-12-31.7']
    expect(versions.sort(compareVersions)).toEqual(['2025-12-31.7', '2026-02-03.2', '2026-11-21.9', '2026-11-21.10'])
  })

  it.each(['2026-11-21.1', '2024-02-29.12'])('%s is a version', (text) => {
    expect(isVersion(text)).toBe(true)
  })

  it.each([
    '2026-02-29.1',
    '2026-13-01.1',
    '2026-11-21',
    '2026-11-21.0',
    '2026-11-21.01',
    '2026-11-21.1 ',
    '1.2.3',
    '',
  ])('%j is not a version', (text) => {
    expect(isVersion(text)).toBe(false)
  })
})
