import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { layOut } from '../../../dashboard/charts/flow/flow-layout.ts'
import { flowOf, MAX_LINKS } from '../../../dashboard/charts/flow/journey-links.ts'
import { FunnelBars } from '../../../dashboard/charts/funnel/funnel-bars.tsx'
import { FunnelColumns } from '../../../dashboard/charts/funnel/funnel-columns.tsx'
import { barsOf, fewestWentOn } from '../../../dashboard/charts/funnel/funnel-steps.ts'
import { textOf } from '../render.tsx'
import { funnel, journeys } from '../tracker-answers.ts'

const drawn = (...args: Parameters<typeof funnel>) => {
  const bars = barsOf(funnel(...args))
  const columns = renderToStaticMarkup(<FunnelColumns bars={bars} width={900} active={null} />)
  return { columns, phone: renderToStaticMarkup(<FunnelBars bars={bars} />) }
}

test('each quality has its own form, on phones too', () => {
  const exact = drawn('measured')
  expect(textOf(exact.columns)).toContain('2,553 not seen going on')
  expect(exact.columns).not.toContain('≥')
  const lower = drawn('partial')
  expect(textOf(lower.columns)).toContain('≥ 391')
  expect(lower.columns).toContain('stroke-dasharray="3 2"')
  expect(textOf(lower.phone)).toContain('≥ 391')
  const unknown = drawn('unknown')
  expect(unknown.columns).toContain('url(#pattern-gap)')
  expect(textOf(unknown.phone)).toContain('unknown')
  const withheld = drawn('suppressed')
  for (const markup of [withheld.columns, withheld.phone]) {
    expect(textOf(markup)).toContain('withheld')
    expect(textOf(markup)).not.toMatch(/4,182|1,629|391/)
  }
})

test('without entered sessions, rates are not defined, and no step is the worst', () => {
  const bars = barsOf(funnel('measured', [0, 0, 0]))
  expect(bars.map(({ reached, of_entered, lost }) => [reached, of_entered, lost])).toEqual([
    [0, null, null],
    [0, null, 0],
    [0, null, 0],
  ])
  expect(fewestWentOn(bars)).toBeNull()
})

test('a flow adds up what shares a place, and a page seen twice is two places', () => {
  const flow = flowOf(journeys().journeys, 5)
  expect(flow.nodes.map(({ column, path, sessions }) => `${column} ${path} ${sessions}`)).toEqual([
    '0 / 60',
    '1 /pricing 60',
    '2 / 60',
    '0 /docs 30',
  ])
  expect(flow.links.map(({ sessions }) => sessions)).toEqual([60, 60])
  const places = layOut(flow, 500, 5).nodes.map(({ x0 }) => x0)
  expect(places).toEqual([0, 100, 200, 0])
})

test('of many links the widest are drawn, and how many there are is known', () => {
  const rows = Array.from({ length: 80 }, (_, at) => ({
    kind: 'sequence' as const,
    continued: false,
    sessions: at + 5,
    share: 0.01,
    pages: ['/', `/page-${at}`].map((path) => ({ hostname: 'example.com', path, path_fidelity: 'exact' as const })),
  }))
  const flow = flowOf(rows, 5)
  expect(flow.links).toHaveLength(MAX_LINKS)
  expect(flow.all_links).toBe(80)
  expect(Math.min(...flow.links.map(({ sessions }) => sessions))).toBe(25)
})
