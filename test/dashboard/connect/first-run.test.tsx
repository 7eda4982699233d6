import { expect, test } from 'vitest'
import { FirstRecordLine } from '../../../dashboard/connect/first-record.tsx'
import FirstRun from '../../../dashboard/connect/first-run.tsx'
import { UploadBar } from '../../../dashboard/connect/upload-log.tsx'
import type { Meta } from '../../../src/contract/site-api/index.ts'
import { render, session, textOf } from '../render.tsx'

const META: Meta = {
  as_of: '2026-11-21T08:14:00Z',
  window: { from: '2026-10-23', to: '2026-11-21', timezone: 'UTC' },
  coverage_state: 'unknown',
  purpose_filter: ['search', 'assistant', 'unknown'],
  registry_version: '2026-11-18.2',
  sources: [],
  data_through: null,
  gaps: [],
}
const SOURCE = { id: 'a', source_type: 'https_intake', connection_status: 'pending' } as Meta['sources'][number]

test('without any source there are three ways to the first number, and the steps beside them', async () => {
  const text = textOf(await render(<FirstRun meta={META} />, { reads: [session()] }))
  for (const words of [
    'Upload a log',
    'Send logs live',
    'Connect Cloudflare',
    'Steps to the first number',
    'Site added',
  ]) {
    expect(text).toContain(words)
  }
  expect(text).toContain('npx spoor import /var/log/nginx/access.log* --site example.com')
  expect(text).not.toContain('can do this')
})

test('an editor may upload, and reads who connects a source; a viewer reads who uploads', async () => {
  const of = async (role: 'editor' | 'viewer') =>
    textOf(await render(<FirstRun meta={META} />, { reads: [session({}, role)] }))
  expect(await of('editor')).toContain('An owner can connect a source; you can upload a log.')
  expect(await of('editor')).not.toContain('Owners and editors can do this.')
  expect(await of('viewer')).toContain('Owners and editors can do this.')
})

test('a source that has not reported yet gets a sentence in place of the panel', async () => {
  const text = textOf(await render(<FirstRun meta={{ ...META, sources: [SOURCE] }} />, { reads: [session()] }))
  expect(text).toBe(
    'A source exists and has not reported yet. Log intake: waiting for the first record that a server delivers. Open sources',
  )
})

test('a disconnected source counts as none; a site with evidence shows neither', async () => {
  const gone = { ...META, sources: [{ ...SOURCE, connection_status: 'disconnected' as const }] }
  expect(textOf(await render(<FirstRun meta={gone} />, { reads: [session()] }))).toContain('Upload a log')
  const known = { ...META, coverage_state: 'partial' as const, sources: [SOURCE] }
  expect(textOf(await render(<FirstRun meta={known} />, { reads: [session()] }))).toBe('')
})

test('the live line waits, then shows when the newest record arrived and the crawler requests', async () => {
  const of = async (state: 'pending' | 'live' | 'error', requests: number | null) =>
    textOf(
      await render(
        <FirstRecordLine
          state={state}
          error_code={state === 'error' ? 'silent' : null}
          received_at={state === 'live' ? '2026-11-21T08:14:02.120Z' : null}
          requests={requests}
        />,
      ),
    )
  expect(await of('pending', null)).toContain('Waiting for the first record…')
  expect(await of('live', 1_204)).toBe('Received at 08:14:02 UTC. 1,204 crawler requests observed so far.')
  expect(await of('live', null)).toContain('The records contain no crawler request yet.')
  expect(await of('error', null)).toBe('Failing: silent.')
})

test('the progress of an upload is what the service read, never a guess', async () => {
  const file = new File(['x'.repeat(2_000)], 'a.log')
  const of = async (progress: { bytes: number; lines: number; waits?: boolean } | null, state: 'waiting' | 'sending') =>
    textOf(await render(<UploadBar upload={{ file, progress, state }} />))
  expect(await of(null, 'waiting')).toBe('Waiting for the file before it')
  expect(await of(null, 'sending')).toBe('Sending')
  expect(await of({ bytes: 1_000, lines: 12 }, 'sending')).toBe('Read 1.0 KB of 2.0 KB, 12 lines')
  expect(await of({ bytes: 0, lines: 0, waits: true }, 'sending')).toContain('Waiting for another import')
})
