/** What becomes of a robots.txt that takes too long (rules 8.5). */
import { expect, test } from 'vitest'
import { decideInThread } from '#robots/decide-thread.ts'

const ROOMY = 20_000
const question = {
  fetch: { status: 200, body: Buffer.from(`User-agent: *\n${'Disallow: /*a*b\n'.repeat(30_000)}`) },
  is_challenge: false,
  targets: [`/${'a'.repeat(8_000)}`],
  isStoredPath: false,
  crawlers: ['GPTBot', 'CCBot'].map((token) => ({ token, reading: undefined })),
}
const given_up = {
  decision: 'unknown',
  group: null,
  rule: null,
  line: null,
  deviation: null,
  reason: 'robots_too_complex',
  engine: null,
}

test('it is decided within its time', async () => {
  const { decisions } = await decideInThread(question)
  expect(decisions.map(({ decision, reason }) => [decision, reason])).toEqual([
    ['allowed', null],
    ['allowed', null],
  ])
})

test('it is unknown for every crawler that has no processor time left', async () => {
  const { decisions } = await decideInThread(question, { processor_ms: 0, wait_ms: ROOMY })
  expect(decisions).toEqual([given_up, given_up])
})

test('its thread is ended where it does not answer in time', async () => {
  const { decisions, content_signal } = await decideInThread(question, { processor_ms: ROOMY, wait_ms: 0 })
  expect({ decisions, content_signal }).toEqual({ decisions: [given_up, given_up], content_signal: null })
})

test('questions at the same time, and after a thread was ended, get their own answers', async () => {
  const ask = (rule: string) =>
    decideInThread({
      ...question,
      fetch: { status: 200, body: Buffer.from(`User-agent: *\nDisallow: ${rule}\n`) },
      targets: ['/a'],
    })
  for (const rules of [
    ['/a', '/b', '/a', '/b'],
    ['/b', '/a'],
  ]) {
    const answers = await Promise.all(rules.map(ask))
    expect(answers.map(({ decisions }) => decisions[0]?.decision)).toEqual(
      rules.map((rule) => (rule === '/a' ? 'disallowed' : 'allowed')),
    )
  }
})

test('of many hostile files at the same time four threads decide, and the others wait', async () => {
  const started: unknown[] = []
  const note = (worker: unknown) => started.push(worker)
  process.on('worker', note)
  try {
    const few = { ...question, targets: ['/'] }
    await Promise.all(Array.from({ length: 20 }, () => decideInThread(few)))
  } finally {
    process.off('worker', note)
  }
  expect(started.length).toBeLessThanOrEqual(4)
})
