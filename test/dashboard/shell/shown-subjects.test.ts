import { expect, test } from 'vitest'
import type { Session } from '../../../dashboard/read/operations.ts'
import { pageOfKey } from '../../../dashboard/shell/keys.ts'
import { shownSubjects } from '../../../dashboard/shell/shown-subjects.ts'

const session: Pick<Session, 'sites' | 'brands'> = {
  sites: [
    { id: 's1', root_domain: 'one.example', role: 'owner' },
    { id: 's2', root_domain: 'two.example', role: 'viewer' },
  ],
  brands: [
    { id: 'b0', name: 'Without a site', site_id: null },
    { id: 'b1', name: 'One', site_id: 's1' },
    { id: 'b2', name: 'Two', site_id: 's2' },
    { id: 'b3', name: 'Of a site of others', site_id: 's9' },
  ],
}

test('a brand stands beside its site, and a site beside its brand', () => {
  expect(shownSubjects(session, { brand: 'b2' })).toEqual({ site: 's2', brand: 'b2' })
  expect(shownSubjects(session, { site: 's2' })).toEqual({ site: 's2', brand: 'b2' })
})

test('a brand without a site of the person stands alone', () => {
  expect(shownSubjects(session, { brand: 'b0' })).toEqual({ site: undefined, brand: 'b0' })
  expect(shownSubjects(session, { brand: 'b3' })).toEqual({ site: undefined, brand: 'b3' })
})

test('an address without site and brand, or with those of others, has the first brand', () => {
  for (const named of [{}, { site: 's9' }]) {
    expect(shownSubjects(session, named)).toEqual({ site: undefined, brand: 'b0' })
  }
  expect(shownSubjects({ ...session, brands: [] }, { site: 's1' })).toEqual({ site: 's1', brand: undefined })
})

test('keys lead to no page of a site or a brand that there is not', () => {
  expect(pageOfKey('r', { site: 's1', brand: 'b1' })).toBe('/brands/$brand/report')
  expect(pageOfKey('r', { site: 's1', brand: undefined })).toBeUndefined()
  expect(pageOfKey('o', { site: undefined, brand: 'b1' })).toBeUndefined()
  expect(pageOfKey('x', { site: 's1', brand: 'b1' })).toBeUndefined()
})
