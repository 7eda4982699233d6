import { expect, test } from 'vitest'
import { preparedFolder, run, runJson, serve } from '../../support/cli.ts'

test('account tokens, brands and questions on the command line open the account API of a running server', async () => {
  const { data } = await preparedFolder()
  const here = ['--data', data]
  const server = await serve(data)
  const { secret, prefix } = await runJson(['token', 'create', '--name', 'agent', '--scope', 'write', ...here])
  expect(prefix).toBe(String(secret).slice(0, 19))
  const ask = async (path: string, bearer = String(secret)) => (await server.get(`/api/v1${path}`, bearer)).status
  expect(await ask('/account')).toBe(200)

  const brand = await runJson(['brand', 'add', 'Acme', '--alias', 'Acme Inc', '--domain', 'example.com', ...here])
  expect(await ask(`/brands/${brand.id}`)).toBe(200)
  const competitor = ['brand', 'competitor', 'add', 'Acme', 'Zenith', '--domain', 'example.org', ...here]
  expect(await runJson(competitor)).toMatchObject({ name: 'Zenith', domains: ['example.org'] })
  const added = await run([
    'question',
    'add',
    'Is Acme good?',
    '--brand',
    'Acme',
    '--country',
    'DE',
    '--tag',
    'a',
    ...here,
  ])
  expect(added.stdout).toMatch(/^Added [0-9a-f-]{36} \(branded\): Is Acme good\?$/m)
  const again = await run(['question', 'add', 'is acme good?', '--brand', 'Acme', '--country', 'DE', ...here])
  expect(again.stdout).toMatch(/^Not added: .* already; .* [0-9a-f-]{36}$/m)
  const wrong = await run(['question', 'add', 'x', '--brand', 'Acme', '--country', 'XX', ...here])
  expect([wrong.code, wrong.stderr]).toEqual([
    2,
    expect.stringMatching(/^spoor: "XX" is not a country: give a code of ISO 3166-1/),
  ])
  await runJson(['account', 'set-question-limit', '1', ...here])
  const full = await run(['question', 'add', 'y', '--brand', 'Acme', ...here])
  expect([full.code, full.stderr]).toEqual([1, expect.stringMatching(/1 active question and may have 1: archive some/)])
  const { questions } = await runJson(['question', 'list', '--brand', 'Acme', ...here])
  const [question] = questions as { id: string }[]
  const archived = await run(['question', 'archive', String(question?.id), '--brand', 'Acme', ...here])
  expect(archived.stdout).toBe('Archived: Is Acme good?\n')
  expect((await run(['question', 'list', '--brand', 'Acme', ...here])).stdout).toMatch(/^No such questions\./)
  expect((await run(['brand', 'show', 'Acme', ...here])).stdout).toMatch(
    /^Acme .*\naliases +Acme Inc\ndomains +example\.com/,
  )
  const spare = await runJson(['question', 'add', 'Is Acme old?', '--brand', 'Acme', ...here])
  const [{ id: spare_id } = { id: '' }] = spare.created as { id: string }[]
  const remove = ['question', 'remove', spare_id, '--brand', 'Acme', ...here]
  expect(await run(remove)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/This removes "Is Acme old\?" with 0 answers and 0 fixes, for good\. .*--yes/),
  })
  expect((await run([...remove, '--yes'])).stdout).toBe('Removed: Is Acme old?\n')
  const aliases = ['--alias', 'Acme Inc', '--exact-alias', 'ACM', '--company-alias', 'Apex=Munich, Bavaria']
  expect((await run(['brand', 'edit', 'Acme', ...aliases, ...here])).stdout).toMatch(
    /^aliases +Acme Inc, ACM \(exact\), Apex \(with Munich or Bavaria or a domain\)$/m,
  )
  await run(['brand', 'edit', 'Acme', '--name', 'Summit', '--of-site', 'none', ...here])
  expect((await run(['brand', 'archive', 'Summit', ...here])).stdout).toMatch(/^Summit was archived at /)
  expect(await ask(`/brands/${brand.id}`)).toBe(404)
  const kept = await run(['brand', 'remove', 'Summit', ...here])
  expect([kept.code, kept.stderr]).toEqual([
    1,
    expect.stringMatching(
      /This removes Summit with 1 question, 0 answers, 1 competitor, 0 fixes and all search data, for good\. .*--yes/,
    ),
  ])
  expect((await run(['brand', 'remove', 'Summit', '--yes', ...here])).stdout).toMatch(
    /^Removed Summit with 1 question and 1 competitor/,
  )
  expect((await run(['brand', 'list', '--archived', ...here])).stdout).toMatch(/^No brands yet\./)

  const rotated = await runJson(['token', 'rotate', String(prefix), ...here])
  expect([await ask('/account'), await ask('/account', String(rotated.secret))]).toEqual([401, 200])
  expect((await run(['token', 'list', ...here])).stdout.trim().split('\n')).toHaveLength(3)
  await run(['token', 'revoke', String(rotated.id), ...here])
  expect(await ask('/account', String(rotated.secret))).toBe(401)
  for (let n = 0; n < 5; n++) await run(['token', 'create', '--name', 'more', '--scope', 'read', ...here])
  const sixth = await run(['token', 'create', '--name', 'more', '--scope', 'read', ...here])
  expect([sixth.code, sixth.stdout, sixth.stderr]).toEqual([
    1,
    '',
    expect.stringMatching(/5 active tokens.*spoor token revoke/),
  ])
  expect(server.stderr()).not.toContain('spoor_acct_')
})
