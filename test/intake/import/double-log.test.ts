import { describe, expect, test } from 'vitest'
import {
  DoubleLog,
  hashBytesHigh,
  hashBytesLow,
  hashText,
  joinHashesHigh,
  joinHashesLow,
} from '#intake/import/double-log.ts'

type Request = [client: string, target: string, agent: string, protocol: string]

function add(log: DoubleLog, second: number, ...[client, target, agent, protocol]: Request): void {
  const [of_client, of_target, of_agent] = [hashText(client), hashText(target), hashText(agent)]
  const high = joinHashesHigh(second, of_client.high, of_target.high, of_agent.high)
  log.add(high, joinHashesLow(second, of_client.low, of_target.low, of_agent.low), hashText(protocol).high)
}

describe('a log that has every request twice', () => {
  const share = (fill: (log: DoubleLog, at: number) => void) => {
    const log = new DoubleLog()
    for (let at = 0; at < 5_000; at += 1) fill(log, at)
    return log.share()
  }

  test('is recognized by the second protocol', () => {
    const twice = (log: DoubleLog, at: number) => {
      add(log, at, '192.0.2.7', `/${at}`, '7', 'HTTP/1.1')
      add(log, at, '192.0.2.7', `/${at}`, '7', 'HTTP/1.0')
    }
    expect(share(twice)).toBeCloseTo(1, 2)
  })

  test.each<[string, Request, Request]>([
    ['protocol', ['192.0.2.7', '/a', '7', 'HTTP/1.1'], ['192.0.2.7', '/a', '7', 'HTTP/1.1']],
    ['client', ['192.0.2.7', '/a', '7', 'HTTP/1.1'], ['192.0.2.8', '/a', '7', 'HTTP/1.0']],
    ['target', ['192.0.2.7', '/a', '7', 'HTTP/1.1'], ['192.0.2.7', '/b', '7', 'HTTP/1.0']],
    ['agent', ['192.0.2.7', '/a', '7', 'HTTP/1.1'], ['192.0.2.7', '/a', '8', 'HTTP/1.0']],
    ['border', ['192.0.2.7', '/a7', '7', 'HTTP/1.1'], ['192.0.2.7', '/a', '77', 'HTTP/1.0']],
  ])('is not one if the %s shows that they are two requests', (_name, one, other) => {
    const both = (log: DoubleLog, at: number) => {
      add(log, at, ...one)
      add(log, at, ...other)
    }
    expect(share(both)).toBeNull()
  })

  test('is looked for in little memory, however long the requests are', () => {
    const before = process.memoryUsage().heapUsed
    const log = new DoubleLog()
    for (let at = 0; at < 2_500; at += 1) {
      const target = Buffer.alloc(100_000, `${at}`).toString('latin1')
      add(log, at, '192.0.2.7', target, '7', target)
    }
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(200_000_000)
  })
})

test('bytes have the same hash as their text', () => {
  const bytes = Buffer.from('- 192.0.2.77 -')
  expect({ high: hashBytesHigh(bytes, 2, 12), low: hashBytesLow(bytes, 2, 12) }).toEqual(hashText('192.0.2.77'))
})
