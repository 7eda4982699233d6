import Type from 'typebox'
import Value from 'typebox/value'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { StepDefinition } from '#contract/site-api/funnel-definition.ts'
import { archiveConversion, editConversion, listConversions } from '#tracker/definitions/conversions.ts'
import { readFunnelEdit } from '#tracker/definitions/definition-input.ts'
import { findFunnelRevisions } from '#tracker/definitions/definitions.ts'
import { addFunnel, archiveFunnel, editFunnel, listFunnels, showFunnel } from '#tracker/definitions/funnels.ts'
import { openDefinitions, refusal, type TestDefinitions } from '../../support/definitions.ts'

let t: TestDefinitions
beforeEach(async () => {
  t = await openDefinitions()
  await t.conversion({ name: 'Signed up', matcher: { kind: 'event', event_name: 'signup' } })
})
afterEach(() => t.opened.remove())

const page = (path: string) => ({ kind: 'page', path })
const signed = { kind: 'conversion', conversion: 'Signed up' }
const steps = [page('/pricing'), signed]
const add = (name: string, given: unknown[] = steps) => t.funnel({ name, steps: given })
const edit = (funnel: string, change: unknown, revision?: number) =>
  editFunnel(t.ctx, { site: t.site, funnel, edit: readFunnelEdit(change), revision })
const rename = (name: string) => editConversion(t.ctx, { site: t.site, conversion: 'Signed up', edit: { name } })

describe('a funnel (decisions 5, rules 6)', () => {
  test('holds its steps in full, is found by name, slug or id, and reads back as it was given', async () => {
    const made = await add('Pricing to signup')
    expect(made).toMatchObject({ revision: 1, slug: `pricing-to-signup-${made.funnel_id.replaceAll('-', '')}` })
    expect(made.steps).toMatchObject([
      { kind: 'page', hostname: 'example.com', path: '/pricing', path_fidelity: 'exact' },
      { kind: 'conversion', name: 'Signed up', revision: 1, matcher: { kind: 'event', property_rules: [] } },
    ])
    expect(Value.Check(Type.Array(StepDefinition), made.steps)).toBe(true)
    for (const text of [made.slug, made.funnel_id, made.name]) {
      expect(await showFunnel(t.ctx, { site: t.site, funnel: text })).toEqual([made])
    }
    expect(await edit(made.slug, { name: made.name, steps: made.steps })).toEqual(made)
  })

  test('is found by a unique start of its slug; an active one takes precedence over archived ones', async () => {
    const [first, second] = [await add('Checkout'), await add('Checkout short')]
    const show = (text: string) => showFunnel(t.ctx, { site: t.site, funnel: text })
    expect(await show('CHECKOUT-S')).toEqual([second])
    expect(await show(first.slug.slice(0, -1))).toEqual([first])
    await expect(show('check')).rejects.toMatchObject({
      kind: 'conflict',
      message: `Several funnels have a slug that begins with "check": ${first.slug}, ${second.slug}. Give more of the slug.`,
    })
    for (const text of ['heckout', '']) await expect(show(text)).rejects.toMatchObject({ kind: 'not_found' })
    await archiveFunnel(t.ctx, { site: t.site, funnel: 'checkout-s' })
    expect(await show('check')).toEqual([first])
    // A name is exact and goes before slugs.
    const named = await add('check')
    expect(await show('check')).toEqual([named])
  })

  test('is edited by a new revision; the slug does not change', async () => {
    const made = await add('Old name')
    t.ctx.clock.advance(1_000)
    const edited = await edit('Old name', { name: 'New name', steps: [...steps, page('/thanks')] })
    expect(edited).toMatchObject({ slug: made.slug, revision: 2, name: 'New name', effective_from: t.ctx.clock.now() })
    expect(edited.steps).toHaveLength(3)
    expect(await findFunnelRevisions(t.ctx.control.db, t.site.id)).toEqual([
      { ...made, effective_to: t.ctx.clock.now() },
      edited,
    ])
  })

  test('gets a new revision when a conversion that it uses is edited', async () => {
    const made = await add('With it')
    const without = await add('Without', [page('/a'), page('/b')])
    const archived = await add('Archived')
    await archiveFunnel(t.ctx, { site: t.site, funnel: 'Archived' })
    t.ctx.clock.advance(1_000)
    const { conversion, revised_funnels } = await rename('Registered')
    expect(revised_funnels).toMatchObject([
      { funnel_id: made.funnel_id, revision: 2, slug: made.slug, effective_from: conversion.effective_from },
    ])
    expect(revised_funnels[0]?.steps[1]).toMatchObject({ name: 'Registered', revision: 2, revision_id: conversion.id })
    const listed = await listFunnels(t.ctx, t.site.id)
    expect(listed.map((row) => [row.name, row.revision])).toEqual([
      ['With it', 2],
      ['Without', 1],
      ['Archived', 1],
    ])
    expect(listed[0]).toEqual(revised_funnels[0])
    expect(listed[1]).toEqual(without)
    expect(listed[2]?.steps).toEqual(archived.steps)
  })

  test('never keeps an old revision of a conversion, in any order of edits', async () => {
    await add('Has it')
    const gets = await add('Gets it', [page('/a'), page('/b')])
    const other = await t.another()
    const [signed_up] = await listConversions(t.ctx, t.site.id)
    const given = [
      { kind: 'page' as const, path: '/a' },
      { kind: 'conversion' as const, conversion_id: String(signed_up?.conversion_id) },
    ]
    await Promise.all([
      addFunnel(other, { site: t.site, definition: { name: 'New before', steps: given } }),
      rename('Registered'),
      editFunnel(other, { site: t.site, funnel: gets.slug, edit: { steps: given } }),
      addFunnel(other, { site: t.site, definition: { name: 'New after', steps: given } }),
      editFunnel(t.ctx, { site: t.site, funnel: 'Has it', edit: { name: 'Still has it' } }),
    ])
    const [conversion] = await listConversions(t.ctx, t.site.id)
    const funnels = await listFunnels(t.ctx, t.site.id)
    expect(funnels.map((row) => row.name)).toEqual(['Gets it', 'New after', 'New before', 'Still has it'])
    expect(funnels.map((row) => row.steps[1])).toEqual(
      funnels.map(() => expect.objectContaining({ name: 'Registered', revision: 2, revision_id: conversion?.id })),
    )
    const revisions = Map.groupBy(await findFunnelRevisions(t.ctx.control.db, t.site.id), (row) => row.funnel_id)
    for (const rows of revisions.values()) {
      expect(rows.map((row) => row.revision)).toEqual(rows.map((_, at) => at + 1))
      expect(rows.filter((row) => row.effective_to === null)).toHaveLength(1)
    }
  })

  test('keeps its conversions from being archived, and names itself', async () => {
    await add('First')
    await add('Second')
    const archive = () => archiveConversion(t.ctx, { site: t.site, conversion: 'Signed up' })
    await expect(archive()).rejects.toMatchObject(refusal('conflict', /"First", "Second"/))
    await archiveFunnel(t.ctx, { site: t.site, funnel: 'First' })
    await edit('Second', { steps: [page('/a'), page('/b')] })
    expect(await archive()).toMatchObject({ archived_at: t.ctx.clock.now() })
    await expect(add('Third')).rejects.toMatchObject(refusal('conflict', /is archived/))
  })

  test('is archived and keeps its results', async () => {
    const made = await add('Done')
    t.ctx.clock.advance(1_000)
    const archive = () => archiveFunnel(t.ctx, { site: t.site, funnel: made.slug })
    const archived = await archive()
    expect(archived).toEqual({ ...made, effective_to: t.ctx.clock.now(), archived_at: t.ctx.clock.now() })
    expect(await archive()).toEqual(archived)
    await expect(edit(made.slug, { name: 'x' })).rejects.toMatchObject(refusal('conflict', /is archived/))
  })

  test('30 are active at most', async () => {
    for (let n = 0; n < 30; n += 1) await add(`Funnel ${n}`)
    await expect(add('One more')).rejects.toMatchObject(refusal('conflict', /30 active/))
    await archiveFunnel(t.ctx, { site: t.site, funnel: 'Funnel 7' })
    await add('One more')
  })

  test('does not let two creations pass the limit at the same time', async () => {
    for (let n = 0; n < 29; n += 1) await add(`Funnel ${n}`)
    const other = await t.another()
    const definition = {
      steps: [
        { kind: 'page' as const, path: '/a' },
        { kind: 'page' as const, path: '/b' },
      ],
    }
    const both = await Promise.allSettled([
      addFunnel(t.ctx, { site: t.site, definition: { ...definition, name: 'A' } }),
      addFunnel(other, { site: t.site, definition: { ...definition, name: 'B' } }),
    ])
    expect(both.map((one) => one.status).sort()).toEqual(['fulfilled', 'rejected'])
  })
})

describe('what steps may be (spec 2.6)', () => {
  const pages = (count: number) => Array.from({ length: count }, (_, n) => page(`/${n}`))

  test('a funnel has 2 to 5 steps, which may name the same page twice', async () => {
    expect((await add('two', [page('/a'), page('/a')])).steps).toHaveLength(2)
    expect((await add('five', pages(5))).steps).toHaveLength(5)
    await expect(add('one', pages(1))).rejects.toMatchObject(refusal('invalid_input', /2 to 5 steps; this one has 1/))
    await expect(add('six', pages(6))).rejects.toMatchObject(refusal('invalid_input', /this one has 6/))
  })

  test.each([
    [{ kind: 'page', path: '/mail/ada@example.com' }, 'invalid_input', /redacted/],
    [{ kind: 'page', path: '/a', hostname: 'example.org' }, 'invalid_input', /not a host of/],
    [
      { kind: 'page', path: '/a', path_transform_version: 'path/v2' },
      'conflict',
      /has path_transform_version "path\/v1", not "path\/v2"/,
    ],
    [{ kind: 'page', path: '/a', conversion: 'Signed up' }, 'invalid_input', /has no conversion/],
    [{ kind: 'conversion' }, 'invalid_input', /names no conversion/],
    [{ kind: 'conversion', conversion: 'Nobody' }, 'not_found', /"Nobody"/],
    [{ ...signed, path: '/a' }, 'invalid_input', /has no path/],
    [{ ...signed, revision: 2 }, 'conflict', /has revision 1, not 2/],
    [{ ...signed, matcher: { kind: 'event', event_name: 'other', property_rules: [] } }, 'conflict', /has matcher/],
    [{ kind: 'click' }, 'invalid_input', /steps\.1\.kind must be one of page, conversion/],
    [{ ...page('/a'), within: '1d' }, 'invalid_input', /steps\.1\.within is unknown/],
  ])('not %j', async (step, kind, why) => {
    await expect(add('wrong', [page('/first'), step])).rejects.toMatchObject(refusal(kind, why))
  })

  test('not one that is nested deep', async () => {
    const matcher = JSON.parse(`${'{"0":'.repeat(10_000)}1${'}'.repeat(10_000)}`)
    await expect(add('deep', [page('/first'), { ...signed, matcher }])).rejects.toMatchObject(
      refusal('invalid_input', /steps\.1\.matcher/),
    )
  })
})
