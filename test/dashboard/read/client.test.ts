import { afterEach, expect, test, vi } from 'vitest'
import { change } from '../../../dashboard/read/client.ts'
import { answerPasswordQuestion, isPasswordNeeded } from '../../../dashboard/read/password-question.ts'
import { isSessionEnded, reportSessionBegun } from '../../../dashboard/read/session-ended.ts'

afterEach(() => vi.unstubAllGlobals())

const answer = (status: number, body: object) => new Response(JSON.stringify(body), { status })
const asked_again = () =>
  answer(403, { code: 'reauthentication_required', title: 'Password', detail: 'Give it again.' })

test('a call that needs the password is repeated after it was given', async () => {
  const answers = [asked_again(), answer(200, { id: 'made' })]
  const fetched = vi.fn(() => Promise.resolve(answers.shift()))
  vi.stubGlobal('fetch', fetched)
  const made = change('signOutEverywhere', {})
  await vi.waitFor(() => expect(isPasswordNeeded()).toBe(true))
  answerPasswordQuestion(true)
  expect(await made).toEqual({ id: 'made' })
  expect(fetched).toHaveBeenCalledTimes(2)
  expect(isPasswordNeeded()).toBe(false)
})

test('a person who leaves the question gets the refusal, and nothing is sent again', async () => {
  const fetched = vi.fn(() => Promise.resolve(asked_again()))
  vi.stubGlobal('fetch', fetched)
  const made = expect(change('signOutEverywhere', {})).rejects.toMatchObject({ status: 403, detail: 'Give it again.' })
  await vi.waitFor(() => expect(isPasswordNeeded()).toBe(true))
  answerPasswordQuestion(false)
  await made
  expect(fetched).toHaveBeenCalledTimes(1)
})

test('other refusals ask for nothing, and name their faulty fields', async () => {
  const errors = [{ field: 'name', detail: 'name is "".' }]
  vi.stubGlobal('fetch', () => Promise.resolve(answer(400, { code: 'invalid_input', title: 'Refused', errors })))
  await expect(change('signOutEverywhere', {})).rejects.toMatchObject({ status: 400, errors })
  expect(isPasswordNeeded()).toBe(false)
})

test('a change that finds no session asks for sign-in; a wrong password does not', async () => {
  vi.stubGlobal('fetch', () => Promise.resolve(answer(401, { code: 'wrong_password', title: 'Refused' })))
  await expect(change('signOutEverywhere', {})).rejects.toMatchObject({ status: 401 })
  expect(isSessionEnded()).toBe(false)
  vi.stubGlobal('fetch', () => Promise.resolve(answer(401, { code: 'signed_out', title: 'Signed out' })))
  await expect(change('signOutEverywhere', {})).rejects.toMatchObject({ status: 401 })
  expect(isSessionEnded()).toBe(true)
  reportSessionBegun()
})
