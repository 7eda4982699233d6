import { expect, test } from 'vitest'
import { noteAttempt } from '#crawlers/identity/lists/store-list-version.ts'
import { addCircumstance } from '#health/circumstances.ts'
import { finding } from '#health/findings.ts'
import { adviseFinding } from '#surfaces/finding-advice.ts'
import { openTestControl } from '../support/control.ts'

const found = [finding('lists_missing', 'None is held.'), finding('thread_pool_small', 'The pool has 4 threads.')]

test('advice fits a simulated clock and a machine on which every list fails, and is the usual one otherwise', async () => {
  const opened = await openTestControl()
  const { control } = opened
  const adviceOf = async (is_clock_simulated = false) =>
    (await addCircumstance(found, { control, is_clock_simulated })).map((each) => adviseFinding(each).advice)
  try {
    const [usual, threads] = await adviceOf()
    expect(usual).toMatch(/spoor registry lists update/)
    expect(await adviceOf(true)).toEqual([expect.stringMatching(/^Under --clock .* import FILE --list ID/), threads])

    const attempt = (list: string, failure: string | null) =>
      noteAttempt(control.db, `https://${list}.example`, 1, failure)
    for (const list of ['a', 'b']) await attempt(list, 'no route')
    // Two vendors may be down at once.
    expect(await adviceOf()).toEqual([usual, threads])
    await attempt('c', 'no route')
    expect(await adviceOf()).toEqual([expect.stringMatching(/no internet.* import FILE --list ID/), threads])
    await attempt('c', null)
    expect(await adviceOf()).toEqual([usual, threads])
  } finally {
    await opened.remove()
  }
})
