import { writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { history } from '#demo/history.ts'
import { readInstant } from '../../../cli/input/argument-values.ts'
import { run, runJson, serve, workFolder } from '../../support/cli.ts'

describe('--clock', () => {
  test.each([
    '2026-02-30T00:00:00Z',
    '2025-02-29T12:00:00Z',
    '2026-04-31T12:00:00+02:00',
    '2026-13-01T00:00:00Z',
    '2026-03-01T24:00:00Z',
    '2026-03-01T12:60:00Z',
    '2026-03-01T12:00:00+24:00',
    '2026-03-01T12:00:00',
    '1969-12-31T23:59:59Z',
    '0000-01-01T00:00:00Z',
  ])('refuses %s, which is not an existing instant that the stores can hold', (text) => {
    expect(() => readInstant(text)).toThrow(/for example 2026-03-01T12:00:00Z/)
  })

  test('accepts existing instants, leap days and other zones included', () => {
    expect(readInstant('2024-02-29T23:59:59.5Z')).toBe(Date.UTC(2024, 1, 29, 23, 59, 59, 500))
    expect(readInstant('2026-03-01T00:30:00+02:00')).toBe(Date.UTC(2026, 1, 28, 22, 30))
    expect(readInstant('2026-03-01t12:00z')).toBe(Date.UTC(2026, 2, 1, 12))
  })

  test('refuses an instant over 10 years beyond the evidence, in every command that has it', async () => {
    const { data, file } = workFolder()
    await runJson(['site', 'add', 'example.com', '--data', data])
    writeFileSync(file('a.log'), history().on('2016-03-07').humans().crawler('gptbot').requests(2).text())
    await runJson(['import', file('a.log'), '--site', 'example.com', '--data', data])
    const far = ['--data', data, '--clock', '2026-03-20T00:00:00Z']
    const refused = await run(['serve', '--port', '0', ...far])
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toMatch(
      /^spoor: --clock 2026-03-20T00:00:\d\d\.\d{3}Z is more than 10 years after the newest evidence \(2016-03-07T.*\n$/,
    )
    expect(await run(['doctor', ...far])).toMatchObject({ code: 1, stdout: expect.stringMatching(/10 years after/) })
    const near = await serve(data, ['--clock', '2026-03-01T00:00:00Z'])
    await near.stop()
  })

  test('without evidence the bound is 10 years after the clock of the machine', async () => {
    const { data } = workFolder()
    const refused = await run(['serve', '--port', '0', '--data', data, '--clock', '2999-01-01T00:00:00Z'])
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/10 years after the clock of this machine/),
    })
  })
})
