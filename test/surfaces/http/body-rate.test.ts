import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { COLLECT_RATE, checkRate, INTAKE_RATE } from '#surfaces/http/body-rate.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setImmediate'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const RATE = { min_bytes: 100, every_ms: 1_000 }

function covered(isWaiting?: () => boolean) {
  const request = new IncomingMessage(new Socket())
  const slow: string[] = []
  const end = checkRate(request, RATE, () => slow.push('slow'), isWaiting)
  const pass = async (bytes: number) => {
    if (bytes > 0) request.emit('data', Buffer.alloc(bytes))
    await vi.advanceTimersByTimeAsync(RATE.every_ms)
    return slow.length
  }
  return { request, end, pass }
}

describe('the rate of a body', () => {
  test('is checked anew in each span: earlier bytes are not a credit', async () => {
    const { pass } = covered()
    expect([await pass(10_000), await pass(100), await pass(99), await pass(0)]).toEqual([0, 0, 1, 1])
  })

  test('of a sender that keeps it up may last', async () => {
    const { pass } = covered()
    for (let span = 0; span < 100; span++) expect(await pass(100)).toBe(0)
  })

  test('does not count against a sender whose bytes the service does not read', async () => {
    let is_waiting = true
    const { pass } = covered(() => is_waiting)
    expect(await pass(1_000)).toBe(0)
    is_waiting = false
    expect([await pass(10), await pass(0), await pass(0)]).toEqual([0, 0, 0])
    is_waiting = true
    // The span in which it began to wait again, and the next.
    expect([await pass(0), await pass(0)]).toEqual([0, 1])
  })

  test.each(['end', 'close'])('is not looked at after the request’s %s', async (event) => {
    const { request, pass } = covered()
    request.emit(event)
    expect(await pass(0)).toBe(0)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('leaves nothing behind when its check is ended', async () => {
    const { request, end, pass } = covered()
    end()
    expect(await pass(0)).toBe(0)
    expect(request.listenerCount('data')).toBe(0)
  })

  test('is 8 KiB a second of a server and 200 bytes a second of a page', () => {
    const per_second = ({ min_bytes, every_ms }: typeof RATE) => (min_bytes * 1_000) / every_ms
    expect([per_second(INTAKE_RATE), per_second(COLLECT_RATE)]).toEqual([8_192, 200])
  })
})
