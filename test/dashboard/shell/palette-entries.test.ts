import { expect, test } from 'vitest'
import type { Session } from '../../../dashboard/read/operations.ts'
import { foundEntries, paletteEntries } from '../../../dashboard/shell/palette-entries.ts'
import { SITE, session } from '../support/answers.ts'

const entriesOf = (role: 'owner' | 'viewer', exists = (_to: string) => true) =>
  paletteEntries({ session: session(role) as unknown as Session, site: SITE, brand: undefined, exists })

const labels = (text: string) => foundEntries(entriesOf('owner'), text).map(({ label }) => label)

test('pages are found by their label and by the word of the API', () => {
  expect(labels('issues')[0]).toBe('Issues')
  expect(labels('performance')[0]).toBe('Overview')
  expect(labels('analytics-sources')[0]).toBe('Acquisition')
  expect(labels('tpg')).toContain('Top pages')
  expect(labels('zzz')).toEqual([])
})

test('parts of the settings are found, those of the installation by its operators', () => {
  expect(labels('gates')[0]).toBe('Gates and authority')
  expect(labels('engines')).toContain('Engines')
  const people = entriesOf('owner').filter(({ label }) => label === 'People')
  expect(people).toHaveLength((session('owner') as unknown as Session).installation_role === null ? 0 : 1)
})

test('the list of keys is found, even if single keys are off', () => {
  expect(labels('keys')).toContain('Keys: list them, switch them on or off')
})

test('without a text all are listed, pages first', () => {
  expect(labels('')[0]).toBe('Overview')
  expect(labels('')).toContain('Switch to dark')
})

test('pages that do not exist are left out, and actions that a role lacks are shown with the reason', () => {
  expect(
    entriesOf('owner', (to) => to.endsWith('/issues'))
      .filter(({ target }) => 'to' in target)
      .map(({ label }) => label),
  ).toEqual(['Issues', 'example.com'])
  const upload = entriesOf('viewer').find(({ label }) => label === 'Upload a log')
  expect(upload?.forbidden).toBe('Owners and editors can do this.')
  expect(entriesOf('owner').find(({ label }) => label === 'Upload a log')?.forbidden).toBeUndefined()
})

test('questions are added by those who may edit the brand: those of its site, or of any where it has none', () => {
  const addQuestions = (role: 'editor' | 'viewer', site_id: string | null, account_role = 'member') => {
    const { user, ...given } = session(role)
    const person = { ...given, user: { ...user, account_role }, brands: [{ id: SITE, name: 'Example', site_id }] }
    return paletteEntries({ session: person as unknown as Session, site: SITE, brand: SITE, exists: () => true }).find(
      ({ label }) => label === 'Add questions',
    )?.forbidden
  }
  expect(addQuestions('viewer', SITE)).toBe('Editors and owners of the brand’s site can do this.')
  expect(addQuestions('viewer', null)).toBe('Admins of the account and editors of its sites can do this.')
  expect([addQuestions('editor', SITE), addQuestions('viewer', null, 'admin')]).toEqual([undefined, undefined])
})
