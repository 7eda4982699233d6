import { describe, expect, test } from 'vitest'
import { lossWords } from '../../../../dashboard/pages/settings/data.tsx'
import { DeliveriesTable } from '../../../../dashboard/pages/settings/deliveries-table.tsx'
import GatesPage from '../../../../dashboard/pages/settings/gates.tsx'
import { Invited } from '../../../../dashboard/pages/settings/invite-member.tsx'
import KeysPage from '../../../../dashboard/pages/settings/keys.tsx'
import MembersPage from '../../../../dashboard/pages/settings/members.tsx'
import { receiverWords } from '../../../../dashboard/pages/settings/receiver-row.tsx'
import { floorWords } from '../../../../dashboard/pages/settings/retention.tsx'
import { GATES } from '../../../../src/sites/gates.ts'
import { answered, refused, render, SITE, session, textOf } from '../../render.tsx'

describe('members', () => {
  const members = answered(
    'member.list',
    { site: SITE },
    {
      members: [
        {
          site_id: SITE,
          root_domain: 'example.com',
          user_id: SITE,
          email: 'anna@example.org',
          role: 'owner',
          created_at: '2026-11-01T08:00:00Z',
        },
      ],
    },
  )

  test('owners see who the members are', async () => {
    const text = textOf(await render(<MembersPage />, { reads: [session(), members] }))
    expect(text).toContain('anna@example.org')
    expect(text).not.toContain('Owners can do this.')
  })

  test('others see what they may do, and who can do the rest', async () => {
    const text = textOf(await render(<MembersPage />, { reads: [session({}, 'viewer'), members] }))
    expect(text).not.toContain('anna@example.org')
    expect(text).toContain('You are viewer')
    expect(text).toContain('Owners can do this.')
  })

  test('an invitation shows its link once; who has a password gets none', async () => {
    const invited = { user_id: SITE, email: 'bo@example.org', role: 'editor' as const }
    const link = { link: 'https://spoor.test/welcome#abc', link_expires_at: '2026-11-22T08:00:00Z' }
    expect(textOf(await render(<Invited invited={{ ...invited, ...link }} />))).toContain('until 22 Nov 08:00 UTC')
    const known = textOf(await render(<Invited invited={{ ...invited, link: null, link_expires_at: null }} />))
    expect(known).toBe('bo@example.org has a password already, and is editor of this site now.')
  })
})

describe('keys', () => {
  test('none, some and revoked ones', async () => {
    const key = {
      id: SITE,
      email: 'anna@example.org',
      name: 'report',
      prefix: 'spoor_site_ab',
      opens_more: true,
      created_at: '2026-11-01T08:00:00Z',
      last_used_at: null,
      revoked_at: null,
    }
    const page = async (keys: (Omit<typeof key, 'revoked_at'> & { revoked_at: string | null })[]) =>
      textOf(
        await render(<KeysPage />, {
          reads: [session({ public_url: 'https://spoor.test/' }), answered('listSiteKeys', { site: SITE }, { keys })],
        }),
      )
    expect(await page([])).toContain('No key yet.')
    const text = await page([key, { ...key, id: 'b', name: 'old', revoked_at: '2026-11-02T08:00:00Z' }])
    expect(text).toContain('report spoor_site_ab… anna@example.org · also opens other sites')
    expect(text).toContain('never used')
    expect(text).toContain('1 revoked')
    expect(text).toContain(`https://spoor.test/v1/sites/${SITE}/performance`)
  })

  test('a refusal is shown in its place', async () => {
    const refusal = refused('listSiteKeys', { site: SITE }, 503, { code: 'store_busy', title: 'busy' })
    const text = textOf(
      await render(<KeysPage />, {
        reads: [session({ public_url: 'https://spoor.test' }), refusal],
      }),
    )
    expect(text).toContain('Try again')
  })
})

test('every gate has its own words, and the state from the service', async () => {
  const gates = Object.entries(GATES).map(([name, { about, is_open_by_default }]) => ({
    name,
    about,
    is_open: is_open_by_default,
    changed_at: null,
  }))
  const text = textOf(
    await render(<GatesPage />, {
      reads: [
        session({}, 'editor'),
        answered('gate.list', { site: SITE }, { gates }),
        answered('authority.list', { site: SITE }, { assignments: [], interruptions: [] }),
        answered('source.list', { site: SITE }, { sources: [] }),
      ],
    }),
  )
  expect(text.match(/ Closed (Open|Close) /g)).toHaveLength(2)
  for (const { name, about } of gates) {
    expect(text).toContain(name)
    expect(text).not.toContain(about)
  }
  expect(text).toContain('Owners can do this.')
})

describe('alerts', () => {
  const receiver = {
    id: SITE,
    site_id: SITE,
    kind: 'webhook' as const,
    target: 'https://hook.test',
    event_types: ['issue.opened' as const],
    state: 'off' as const,
    off_reason: 'failing' as const,
    state_since: '2026-11-01T08:00:00Z',
    created_at: '2026-11-01T08:00:00Z',
    last_success_at: null,
    failing_since: '2026-11-02T08:00:00Z',
    paused_until: null,
  }

  test('a receiver shows its alert types, and why it is off', () => {
    expect(receiverWords(receiver)).toBe(
      'An issue opened · nothing delivered yet · switched off: it failed for too long; a test alert that it accepts switches it on · failing since 2 Nov 08:00 UTC',
    )
  })

  test('a cut list of deliveries does not claim to be all', async () => {
    const delivery = {
      ...{
        id: SITE,
        alert_id: SITE,
        receiver_id: SITE,
        target: 'https://hook.test',
        type: 'alert.test',
        subject_id: SITE,
      },
      state: 'failed' as const,
      attempts: 3,
      occurred_at: '2026-11-02T08:00:00Z',
      next_attempt_at: null,
      attempted_at: null,
      ended_at: null,
      status: 500,
      error_code: null,
      digest_id: null,
    }
    const text = textOf(await render(<DeliveriesTable deliveries={[delivery]} is_cut />))
    expect(text).toContain('A test alert')
    expect(text).toContain('Failed')
    expect(text).toContain('Showing 1 of unknown')
    expect(textOf(await render(<DeliveriesTable deliveries={[]} is_cut={false} />))).toContain('No alert was sent')
  })
})

test('deletion names what is lost, with counts', () => {
  const contents = {
    ...{
      id: SITE,
      root_domain: 'example.com',
      requests: 1_204,
      events: 1,
      first_day: '2026-11-01',
      last_day: '2026-11-21',
    },
    sources: 2,
    members: 1,
    conversions: 0,
    funnels: 0,
    properties: 0,
    issues: 3,
    alert_receivers: 0,
    brands: 1,
  }
  expect(lossWords(contents)).toBe(
    '1,204 stored requests of crawlers and 1 event of visitors of 1–21 Nov will be deleted, with 2 sources, 1 membership, 0 conversions, 0 funnels, 3 issues. 1 brand is kept, without a site.',
  )
})

test('a privacy floor says what it withholds, if anything', () => {
  expect([0, 1, 2].map(floorWords)).toEqual([
    'No funnel and no event is withheld.',
    'No funnel and no event is withheld.',
    'Funnels of fewer than 2 sessions and events of fewer visitors are withheld.',
  ])
})
