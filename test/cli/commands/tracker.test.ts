import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readConfig } from '#config.ts'
import { openClient } from '../../../cli/folder/client.ts'
import { preparedFolder, run, runJson, serve } from '../../support/cli.ts'

describe('tracker, properties, conversions and funnels on the command line (rules 7)', () => {
  test('through a running server', async () => {
    const { data, file } = await preparedFolder()
    const server = await serve(data, ['--clock', '2026-03-08T12:00:00Z'])
    const spoor = (...args: string[]) => run([...args, '--data', data])
    await runJson(['site', 'add', 'example.com', '--data', data])

    expect(await spoor('tracker', 'show', 'example.com')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('spoor tracker enable'),
    })
    const enabled = await spoor('tracker', 'enable', 'example.com')
    const [, src = '', public_id = ''] = /src="([^"]+)" data-site="(spoor_pub_[\w-]{43})"/.exec(enabled.stdout) ?? []
    expect(src).toBe(`${server.url}/spoor.js?site=${public_id}`)
    expect(enabled.stderr).toMatch(
      /^Note: only this machine can reach http:\/\/127\.0\.0\.1:\d+\. Set SPOOR_PUBLIC_URL /,
    )
    const secret_file = file('key')
    const kept = await spoor('tracker', 'key', 'create', 'example.com', '--secret-file', secret_file)
    expect(kept).toMatchObject({ code: 0, stdout: expect.stringContaining(secret_file) })
    const secret = readFileSync(secret_file, 'utf8').trim()
    expect(secret).toMatch(/^spoor_srv_[\w-]{43}$/)
    expect(statSync(secret_file).mode & 0o777).toBe(0o600)
    const shown = await spoor('tracker', 'show', 'example.com')
    expect(shown.stdout).toMatch(/is enabled\.\nNo event yet, not counting development origins\./)
    expect(shown.stdout).toContain(public_id)
    expect(shown.stdout + server.stderr()).not.toContain(secret.slice(18))
    const origin = 'http://localhost:3000'
    const listed = await spoor('tracker', 'origin', 'add', 'example.com', `${origin}/`)
    expect(listed.stdout).toMatch(/^Events from http:\/\/localhost:3000 are accepted for example\.com and kept apart/)
    expect(listed.stdout).toContain(`data-site="${public_id}" data-local></script>`)
    expect((await spoor('tracker', 'origin', 'list', 'example.com')).stdout).toContain(origin)
    expect(await spoor('tracker', 'origin', 'add', 'example.com', 'localhost:3000')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('for example http://localhost:3000'),
    })
    await spoor('tracker', 'origin', 'remove', 'example.com', origin)
    expect((await spoor('tracker', 'origin', 'list', 'example.com')).stdout).toMatch(/^No development origins yet\./)
    expect((await spoor('tracker', 'key', 'revoke', 'example.com', secret)).stdout).toMatch(
      /^Revoked server key spoor_srv_/,
    )
    expect((await spoor('tracker', 'disable', 'example.com')).stdout).toBe('The tracker of example.com is disabled.\n')
    const off = await spoor('tracker', 'show', 'example.com')
    expect(off.stdout).toMatch(
      / is disabled since .*\n.*\nNothing is collected until it is enabled again: .*spoor tracker enable example\.com\n/,
    )
    expect(off.stdout).toContain(public_id)
    expect(off.stdout).not.toContain('Put this into')
    expect(off.stderr).toBe('')

    await spoor(
      'property',
      'add',
      'example.com',
      'signup',
      'plan',
      '--kind',
      'enum',
      '--value',
      'pro',
      '--value',
      'team',
    )
    await spoor('property', 'add', 'example.com', 'signup', 'seats', '--kind', 'integer')
    const rules = ['--rule', 'plan=pro,team', '--rule', 'seats=-1..20']
    const paid = ['conversion', 'add', 'example.com', '--name', 'Paid', '--event', 'signup', ...rules]
    expect((await spoor(...paid)).stdout).toContain('plan=pro,team and seats=-1..20')
    const added = await runJson<{ slug: string; steps: object[] }>([
      ...['funnel', 'add', 'example.com', '--name', 'Pricing to paid', '--from', '2026-03-01', '--data', data],
      ...['--step', 'page:https://www.example.com/pricing', '--step', 'conversion:Paid'],
    ])
    expect(added).toMatchObject({
      name: 'Pricing to paid',
      definition_state: 'active',
      effective_from: '2026-03-01T00:00:00.000Z',
      slug: expect.stringMatching(/^pricing-to-paid-[0-9a-f]{32}$/),
      steps: [
        { kind: 'page', hostname: 'www.example.com', path: '/pricing' },
        { kind: 'conversion', name: 'Paid' },
      ],
    })
    const edit = (name: string) => ['conversion', 'edit', 'example.com', name, '--revision', '1']
    expect((await spoor(...edit('Paid'), '--name', 'Bought')).stdout).toMatch(
      /revision 2.*\nThe funnel Pricing to paid is at revision 2/,
    )
    expect(await spoor(...edit('Bought'), '--page', '/done')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('at revision 2, not 1'),
    })
    expect((await spoor('funnel', 'show', 'example.com', added.slug)).stdout).toMatch(
      /2\. conversion Bought, revision 2/,
    )
    expect(await spoor('conversion', 'archive', 'example.com', 'Bought')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('"Pricing to paid"'),
    })
  })

  test('a page of a definition without visitors is reported beside it', async () => {
    const { data } = await preparedFolder()
    const { url } = await serve(data)
    const spoor = (...args: string[]) => run([...args, '--data', data])
    await spoor('site', 'add', 'example.com')
    const { public_id } = await runJson<{ public_id: string }>(['tracker', 'enable', 'example.com', '--data', data])
    const steps = ['--step', 'page:/pricing', '--step', 'page:www.example.com/pricing']
    const early = await spoor('funnel', 'add', 'example.com', '--name', 'Early', ...steps)
    expect(early).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Added Early as /) })
    expect(early.stderr).toMatch(/no event has arrived yet.* example\.com\/pricing, www\.example\.com\/pricing\./)

    const origin = 'http://www.example.com'
    const event = { v: 1, site: public_id, id: 'pageview-1', type: 'pageview', url: `${origin}/pricing` }
    const headers = { origin, 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' }
    expect((await fetch(`${url}/collect`, { method: 'POST', headers, body: JSON.stringify(event) })).status).toBe(202)
    await expect
      .poll(async () => (await spoor('funnel', 'show', 'example.com', 'Early')).stderr)
      .toBe(
        'Note: no visitor was seen on example.com/pricing, but on www.example.com/pricing. If that page is meant, edit the definition and name it with its host.\n',
      )
    const page = ['conversion', 'add', 'example.com', '--name', 'Seen', '--page', 'www.example.com/pricing']
    expect(await spoor(...page)).toMatchObject({ code: 0, stderr: '' })
    const edited = await spoor('conversion', 'edit', 'example.com', 'Seen', '--page', '/nowhere', '--json')
    expect(edited.stderr).toMatch(
      /no visitor was seen on example\.com\/nowhere\. That is expected if the page has had no visitors yet/,
    )
    expect(JSON.parse(edited.stdout)).toMatchObject({ revision: 2 })
    // One line of JSON, as everything beside a result that a script reads.
    expect(JSON.parse(edited.stderr)).toEqual({ notice: { kind: 'note', message: expect.stringMatching(/^Note: no/) } })
  })

  test('commands in the answers of a tracker without a public key can be typed as they are', async () => {
    const { data } = await preparedFolder()
    const spoor = (...args: string[]) => run([...args, '--data', data])
    await spoor('site', 'add', 'example.com')
    const { public_id } = await runJson<{ public_id: string }>(['tracker', 'enable', 'example.com', '--data', data])
    const created = await spoor('tracker', 'key', 'create', 'example.com', '--kind', 'public')
    expect(created.stderr).toContain('is not secret: npx spoor tracker show prints it again.')
    for (const key of [public_id, created.stdout.trim()]) await spoor('tracker', 'key', 'revoke', 'example.com', key)
    const added = await spoor('tracker', 'origin', 'add', 'example.com', 'http://localhost:3000')
    expect(added.stdout).toContain('The site has no public key yet. Make one: npx spoor tracker enable example.com\n')
  })

  test('visitors who ask not to be counted are left out until the owner says otherwise (rules 6)', async () => {
    const { data } = await preparedFolder()
    const { url } = await serve(data)
    const spoor = (...args: string[]) => run([...args, '--data', data])
    await spoor('site', 'add', 'example.com')
    const { public_id } = await runJson<{ public_id: string }>(['tracker', 'enable', 'example.com', '--data', data])
    await spoor('site', 'privacy-floor', 'example.com', '5')
    const optOut = (...setting: string[]) => spoor('tracker', 'opt-out', 'example.com', ...setting)
    const left_out = 'example.com leaves out visitors whose browsers send Sec-GPC or DNT.\n'
    const counted = 'example.com counts visitors whose browsers send Sec-GPC or DNT.\n'
    const headers = { origin: 'http://example.com', 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' }
    const send = async () => {
      const event = { v: 1, site: public_id, id: crypto.randomUUID(), type: 'pageview', url: 'http://example.com/' }
      const sent = { method: 'POST', headers: { ...headers, 'sec-gpc': '1' }, body: JSON.stringify(event) }
      return (await fetch(`${url}/collect`, sent)).json()
    }

    expect(await optOut()).toMatchObject({ code: 0, stdout: left_out })
    expect(await send()).toEqual({ accepted: 0, rejected: [], opted_out: 1 })
    expect(await optOut('ignore')).toMatchObject({ code: 0, stdout: counted })
    await expect.poll(send, { timeout: 10_000 }).toEqual({ accepted: 1, rejected: [] })
    // Only shown: nothing is set.
    expect((await optOut()).stdout).toBe(counted)
    expect((await spoor('site', 'privacy-floor', 'example.com', '7')).stdout).toMatch(
      /7 sessions .* events of fewer visitors/,
    )
    expect(JSON.parse((await optOut('--json')).stdout)).toMatchObject({
      root_domain: 'example.com',
      honours_opt_out: false,
    })
    expect((await optOut('honour')).stdout).toBe(left_out)
    await expect.poll(send, { timeout: 10_000 }).toMatchObject({ accepted: 0, opted_out: 1 })

    expect(await optOut('never')).toMatchObject({ code: 2, stderr: expect.stringMatching(/honour.*ignore/) })
    expect(await spoor('tracker', 'opt-out', 'example.org')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('No site has the id or domain "example.org"'),
    })
  })

  test('a snippet that browsers cannot load is reported', async () => {
    const { data } = await preparedFolder()
    await run(['site', 'add', 'example.com', '--data', data])
    const noteOf = async (SPOOR_PUBLIC_URL: string) =>
      (await run(['tracker', 'enable', 'example.com', '--data', data], { env: { SPOOR_PUBLIC_URL } })).stderr
    expect(await noteOf('https://spoor.example.com')).toBe('')
    expect(await noteOf('http://spoor.example.com')).toMatch(/^Note: pages that are served by https load nothing from /)
    expect(await noteOf('http://localhost:8080')).toMatch(/^Note: only this machine can reach /)
  })

  test('without a server: JSON in and out, and errors are reported', async () => {
    const { data, file } = await preparedFolder()
    const client = await openClient({ ...readConfig({}), data })
    await client.run('site.add', { domain: 'example.com' })
    const done = { name: 'Done', matcher: { kind: 'pageview', path: '/done' } }
    await client.run('conversion.add', { site: 'example.com', definition: done })
    const bought = { name: 'Bought', matcher: { kind: 'event', event_name: 'revenue' } }
    await client.run('conversion.add', { site: 'example.com', definition: bought })
    await expect(
      client.run('conversion.add', { site: 'example.com', definition: { ...done, weight: 1 } }),
    ).rejects.toThrow(/weight is unknown here/)
    await client.close()

    const steps = [
      { kind: 'page', path: '/' },
      { kind: 'conversion', conversion: 'Done' },
    ]
    writeFileSync(file('funnel.json'), JSON.stringify({ name: 'Visit', steps }))
    const here = ['--data', data]
    const add = ['funnel', 'add', 'example.com', '--json-file']
    const added = await runJson<{ name: string; slug: string; steps: object[] }>([...add, file('funnel.json'), ...here])
    const { name, slug, steps: whole } = added
    // What was read out goes in again, from standard input.
    const reversed = JSON.stringify({ name, steps: whole.toReversed() })
    expect(
      await runJson(['funnel', 'edit', 'example.com', slug, '--json-file', '-', ...here], { input: reversed }),
    ).toMatchObject({ slug, revision: 2, steps: whole.toReversed() })

    const failing = async (args: string[], input = '') => {
      const { code, stderr } = await run([...args, '--json', ...here], { input })
      const { error } = JSON.parse(stderr) as { error: { kind: string; message: string } }
      return [code, error.kind, error.message]
    }
    expect(await failing([...add, '-'], '{"name": ')).toEqual([
      1,
      'invalid_input',
      expect.stringContaining('is not JSON'),
    ])
    expect(await failing([...add, '-'], '{"name":"x","steps":[{"kind":"page","path":"/a"}]}')).toEqual([
      ...[1, 'invalid_input', expect.stringContaining('2 to 5 steps')],
    ])
    expect(await failing([...add, '-'], '{"name":"x"}')).toEqual([
      ...[1, 'invalid_input', expect.stringMatching(/on standard input has no steps: it must have name and steps/)],
    ])
    const matcher = '{"matcher":{"kind":"pageview","path":"/done"}}'
    expect(await failing(['conversion', 'add', 'example.com', '--json-file', '-'], matcher)).toEqual([
      ...[1, 'invalid_input', expect.stringMatching(/has no name: it must have name and matcher/)],
    ])
    expect(await failing(['funnel', 'add', 'example.com', '--name', 'x', '--step', '/pricing'])).toEqual([
      ...[2, 'bad_usage', expect.stringContaining('page:/path')],
    ])
    expect(await failing(['conversion', 'add', 'example.com', '--name', 'x'])).toEqual([
      ...[2, 'bad_usage', expect.stringContaining('--event or --page')],
    ])
    expect(await failing(['site', 'privacy-floor', 'example.com', '-1'])).toEqual([
      ...[2, 'bad_usage', expect.stringContaining('0 to 1000000')],
    ])
    const floor = await runJson(['site', 'privacy-floor', 'example.com', '5', ...here])
    expect(floor).toMatchObject({ root_domain: 'example.com', privacy_floor: 5 })
    const listed = await run(['conversion', 'list', 'example.com', ...here])
    expect(listed.stdout).toMatch(/Bought +events revenue +1 .*\nDone +views of example\.com\/done +1 /)
  })
})
