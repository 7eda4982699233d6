/** What forms say is wrong, and what dialogs say will be deleted. */

import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { lostAnswersWords } from '../../dashboard/brand/lost-answers.tsx'
import { Button } from '../../dashboard/controls/button.tsx'
import { failureText } from '../../dashboard/forms/form-error.tsx'
import { wholeNumberFault } from '../../dashboard/forms/number-fault.ts'
import { lostRange } from '../../dashboard/pages/brand-settings/retention-panel.tsx'
import { lostEvidenceWords } from '../../dashboard/pages/settings/lost-evidence.tsx'
import { Refusal } from '../../dashboard/read/refusal.ts'

test('a busy button takes no further press', () => {
  const onClick = vi.fn()
  const press = { preventDefault: vi.fn() }
  Button({ type: 'submit', 'aria-busy': true, onClick }).props.onClick(press)
  expect(onClick).not.toHaveBeenCalled()
  // A form would be submitted otherwise.
  expect(press.preventDefault).toHaveBeenCalledOnce()
  Button({ 'aria-busy': false, onClick }).props.onClick(press)
  expect(onClick).toHaveBeenCalledOnce()
})

test('a number that is not allowed is named, with what is allowed', () => {
  expect(wholeNumberFault('30', 1, 3650)).toBeUndefined()
  expect(wholeNumberFault('3.5', 1, 3650)).toBe('"3.5" is not allowed; enter a whole number from 1 to 3,650.')
  expect(wholeNumberFault('0', 1, 3650)).toBe('"0" is not allowed; enter a whole number from 1 to 3,650.')
  expect(wholeNumberFault(' ', 1, 3650)).toBe('The field is empty; enter a whole number from 1 to 3,650.')
})

test('the deletion of answers says how many will be deleted, and that they are unknown where they could not be read', () => {
  const days = { from: '2025-11-21', to: '2026-11-21' }
  expect(lostAnswersWords({ answered: 1190, refused: 0, failed: 0 }, false, days)).toBe(
    '1,190 answers of 21 Nov 2025 – 21 Nov 2026 will be deleted.',
  )
  expect(lostAnswersWords({ answered: 1, refused: 2, failed: 1 }, false, days)).toBe(
    '1 answer of 21 Nov 2025 – 21 Nov 2026 will be deleted, and 3 runs that were refused or failed.',
  )
  expect(lostAnswersWords(undefined, false, days)).toBe('Counting what will be deleted…')
  expect(lostAnswersWords(undefined, true, days)).toMatch(/that will be deleted could not be read\.$/)
})

test('a shorter retention of answers deletes the days before it, and one report counts at most 366 of them', () => {
  expect(lostRange('2026-11-21', 40, 30)).toEqual({ from: '2026-10-12', to: '2026-10-21' })
  const { from, to } = lostRange('2026-11-21', 3650, 30)
  expect((Date.parse(to) - Date.parse(from)) / 86_400_000).toBe(365)
})

test('a shorter retention of a site says how many requests and pageviews will be deleted; unknown is not zero', () => {
  const meta = { as_of: '2026-11-21T08:14:00Z' }
  const crawlers = {
    meta,
    observed_request_count: 9,
    daily: [
      { date: '2026-10-21', crawler_id: 'gptbot', observed_request_count: 4 },
      { date: '2026-10-22', crawler_id: 'gptbot', observed_request_count: 5 },
    ],
  } as never
  const visitors = {
    meta,
    trend: [
      { day: '2026-10-20', pageviews: 980 },
      { day: '2026-10-21', pageviews: null },
      { day: '2026-10-22', pageviews: 7 },
    ],
  } as never
  expect(lostEvidenceWords({ crawlers, visitors, days: 30 })).toBe(
    'Of the last 365 days, at most 4 observed requests and 980 pageviews from before 22 Oct 2026 will be deleted, and all older evidence. Uploaded logs are kept for 30 days after their import.',
  )
  const nothing_known = { ...(crawlers as object), observed_request_count: null, daily: [] } as never
  expect(lostEvidenceWords({ crawlers: nothing_known, visitors: undefined, days: 30 })).toMatch(
    /an unknown number of observed requests and an unknown number of pageviews/,
  )
  expect(lostEvidenceWords({ crawlers: undefined, visitors: undefined, days: 30 })).toMatch(/unknown/)
})

test('a form that the service did not answer says so, and no status', () => {
  const refusal = (status: number, body: object | null) => new Refusal({ status, request_id: null, body })
  expect(failureText(refusal(0, null))).toBe('The service did not answer. Check the connection and try again.')
  expect(failureText(refusal(400, { detail: 'name is "", allowed are 1 to 64 characters' }))).toBe(
    'Name is "", allowed are 1 to 64 characters',
  )
})

test('a submit button without permission stays one, so that Enter presses it and sends nothing', () => {
  const markup = renderToStaticMarkup(
    <Button type="submit" forbidden="Owners can do this.">
      Invite
    </Button>,
  )
  expect(markup).toMatch(/^<button type="submit" aria-disabled="true" title="Owners can do this."/)
})
