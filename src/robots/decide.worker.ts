/** A thread that decides by one robots.txt after another; see decide-thread.ts. */
import { parentPort } from 'node:worker_threads'
import { availabilityOf } from './availability.ts'
import { type ThreadAnswer, type ThreadDecision, type ThreadTask, TOO_COMPLEX } from './decide-thread.ts'
import { observedDecider } from './observed.ts'
import { decodeOctets } from './octets.ts'
import type { RobotsFile } from './parse.ts'
import type { RobotsRecord } from './records.ts'
import { robotsTarget } from './target.ts'

const MAX_STATED_LENGTH = 500

const spentMs = () => process.threadCpuUsage().user / 1_000

parentPort?.on('message', (task: ThreadTask) => parentPort?.postMessage(answerTo(task)))

function answerTo({ question, processor_ms }: ThreadTask): ThreadAnswer {
  const { fetch, is_challenge, is_declined, is_unreadable, targets, isStoredPath, crawlers } = question
  const started = spentMs()
  const available = availabilityOf(fetch)
  const observed = { available, status: fetch.status, is_challenge, is_declined, is_unreadable }
  const isSpent = () => spentMs() - started > processor_ms
  const decisions = targets.flatMap((target) => {
    if (isSpent()) return crawlers.map(() => TOO_COMPLEX)
    const decide = observedDecider(observed, robotsTarget(target), { isStoredPath })
    return crawlers.map((crawler): ThreadDecision => (isSpent() ? TOO_COMPLEX : decide(crawler)))
  })
  const stated = available.state === 'fetched' ? statedForAll(available.file) : []
  const valuesOf = (key: string) =>
    stated.filter((record) => record.key === key).map(({ value }) => decodeOctets(value))
  return {
    decisions,
    content_signal: joined(valuesOf('content-signal')),
    content_usage: joined(valuesOf('content-usage')),
  }
}

function statedForAll({ groups }: RobotsFile): RobotsRecord[] {
  return (groups.get('*') ?? []).flatMap(({ group }) => group.others)
}

function joined(values: readonly string[]): string | null {
  return values.length === 0 ? null : values.join(', ').slice(0, MAX_STATED_LENGTH)
}
