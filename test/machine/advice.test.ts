import { Writable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { EvidenceError } from '#evidence/errors.ts'
import { refuseStore } from '#installation/refuse-store.ts'
import { openLog } from '#log.ts'
import { machineAdvice } from '#machine/advice.ts'
import { Refusal } from '#refusal.ts'

const engine = (text: string) => new EvidenceError('bug', `The engine refused a statement: ${text}`, new Error(text))
const coded = (code: string, message: string) => Object.assign(new Error(message), { code })

const FAILURES: readonly (readonly [string, unknown, RegExp])[] = [
  ['file handles, as Node says it', coded('EMFILE', 'EMFILE: too many open files, open'), /ulimit -n 65536/],
  [
    'file handles, as the engine says it',
    engine('Code: 573. DB::ErrnoException: Cannot open epoll descriptor: , errno: 24, strerror: Too many open files.'),
    /ulimit -n 65536/,
  ],
  ['memory, as Node says it', coded('ERR_WORKER_OUT_OF_MEMORY', 'Worker terminated'), /not enough memory/],
  ['memory, as the engine says it', engine('Code: 1001. DB::Exception: std::bad_alloc'), /not enough memory/],
  [
    'memory, as the loader of libraries says it',
    new Error('libchdb.so: failed to map segment from shared object'),
    /memory/,
  ],
  ['threads', engine('Code: 439. DB::Exception: Cannot schedule a task: no free thread'), /TasksMax/],
  ['a table of SQLite', coded('ERR_SQLITE_ERROR', 'no such table: sources'), /table of the control store .* backup/],
  ['a damaged file of SQLite', coded('ERR_SQLITE_ERROR', 'database disk image is malformed'), /control store/],
  ['a table of PostgreSQL', coded('42P01', 'relation "sources" does not exist'), /control store/],
  ['a table of evidence', engine('Code: 60. DB::Exception: Unknown table spoor.requests'), /evidence store .* backup/],
  ['a part of evidence', engine('Code: 228. DB::Exception: Part all_1_1_0 is broken'), /evidence store .* backup/],
]

describe('a fault of the machine or the files is one line of advice', () => {
  test.each(FAILURES)('%s', (_what, error, advice) => {
    for (const wrapped of [error, new Error('outer', { cause: error }), new AggregateError([error])]) {
      expect(machineAdvice(wrapped)?.message).toMatch(advice)
    }
    expect(machineAdvice(error)?.message).not.toMatch(/\n/)
    expect(refuseStore(error)).toBeInstanceOf(Refusal)
  })

  test('a bug is none of these, and keeps its stack', () => {
    for (const error of [new Error('x is not a function'), engine('Code: 43. DB::Exception: Illegal type'), 'text']) {
      expect(machineAdvice(error)).toBeNull()
      expect(refuseStore(error)).toBe(error)
    }
  })

  test.each(FAILURES)('in the log of a request, without a stack: %s', (_what, error, advice) => {
    let text = ''
    const sink = new Writable({
      write(chunk, _encoding, done) {
        text += chunk
        done()
      },
    })
    openLog('info', sink).error({ err: error }, 'request failed')
    const line = JSON.parse(text) as { err: Record<string, unknown> }
    expect(line.err.message).toMatch(advice)
    expect(line.err).not.toHaveProperty('stack')
    expect(text.trim().split('\n')).toHaveLength(1)
  })
})
