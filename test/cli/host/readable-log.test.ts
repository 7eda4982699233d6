import { expect, test } from 'vitest'
import { openLog } from '#log.ts'
import { readableLog } from '../../../cli/host/readable-log.ts'

function logged(): { lines: string[]; log: ReturnType<typeof openLog> } {
  const lines: string[] = []
  return { lines, log: openLog('info', readableLog({ write: (line) => void lines.push(line) })) }
}

test('an event is one line: time, level, message and what belongs to it', () => {
  const { lines, log } = logged()
  log.info({ operation: 'getPerformance', status: 200, nothing: null, request_id: 'r' }, 'answered')
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d info {3}answered {2}operation=getPerformance status=200\n$/)
})

test('a text with line breaks stays in the line of its event', () => {
  const { lines, log } = logged()
  log.warn({ reason: 'lost\n12:00:00 info   all is well' }, 'a\nb')
  expect(lines.join('').split('\n')).toHaveLength(2)
  expect(lines[0]).toMatch(/warn {3}"a\\nb" {2}reason="lost\\n12:00:00 info {3}all is well"\n$/)
})

test('a failure has its stack, which cannot control the terminal', () => {
  const { lines, log } = logged()
  log.error({ err: new Error('broken \u001b[31m') }, 'a batch was not read')
  const [text = ''] = lines
  expect(text).toMatch(/^\d\d:\d\d:\d\d error {2}a batch was not read\n {4}Error: broken \ufffd\[31m\n {8}at /)
  expect(text).not.toContain('\u001b')
})
