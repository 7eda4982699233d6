import { sankey, sankeyLinkHorizontal } from 'd3-sankey'
import { useMemo, useRef, useState } from 'react'
import type { AnalyticsJourneys } from '../../src/contract/site-api/index.ts'
import { counted, fullCount } from '../words/numbers.ts'
import { middleCut, visibleText } from '../words/strangers-text.ts'
import { type Flow, type FlowLink, type FlowNode, flowOf, groupOf, sequencesOf } from './journey-links.ts'
import { useWidth } from './use-width.ts'

const NODE_WIDTH = 8
const COLUMNS = 5
const NARROW_COLUMNS = 3
const NARROW = 560
const HEIGHT = 460
const HEAD = 24
const CHARACTER = 6.4

interface JourneyFlowProps {
  answer: Pick<AnalyticsJourneys, 'journeys' | 'closed_sessions' | 'grouping_threshold'>
}

/** The ways that sessions took, column by column; what is grouped for privacy is a band of its own. */
export default function JourneyFlow({ answer }: JourneyFlowProps) {
  const frame = useRef<HTMLDivElement>(null)
  const width = useWidth(frame, 900)
  const longest = Math.max(1, ...sequencesOf(answer.journeys).map(({ pages }) => pages.length))
  const columns = Math.min(longest, width < NARROW ? NARROW_COLUMNS : COLUMNS)
  const flow = useMemo(() => flowOf(answer.journeys, columns), [answer.journeys, columns])
  const group = groupOf(answer.journeys)
  return (
    <div ref={frame}>
      {flow.nodes.length > 0 && <FlowPicture flow={flow} columns={columns} width={width} />}
      <p className="mt-4 text-small text-ink2">
        {columns === 1 ? 'The page of each sequence.' : `The first ${columns} pages of each sequence.`}
        {flow.all_links > flow.links.length && ` The ${flow.links.length} widest of ${flow.all_links} links are drawn.`}
      </p>
      {group !== null && group.sessions !== null && group.sessions > 0 && (
        <div className="mt-6 rounded-control border border-dotted border-control px-6 py-4 text-dense">
          Sequences of fewer than {answer.grouping_threshold} sessions are grouped: {counted(group.sessions, 'session')}
          .
        </div>
      )}
    </div>
  )
}

/** Where everything stands; d3-sankey changes the objects it is given, so it gets copies. */
export function layOut({ nodes, links }: Flow, width: number, columns: number, height = HEIGHT) {
  const column_width = width / columns
  const layout = sankey<FlowNode, FlowLink>()
    .nodeId(({ id }) => id)
    .nodeAlign(({ column }) => column)
    .nodeSort((a, b) => b.sessions - a.sessions)
    .nodeWidth(NODE_WIDTH)
    .nodePadding(paddingOf(nodes, height))
    .extent([
      [0, HEAD],
      [width, height],
    ])
  const graph = layout({
    nodes: nodes.map((node) => ({ ...node, fixedValue: node.sessions })),
    links: links.map((link) => ({ ...link, value: link.sessions })),
  })
  // Columns stand at the same places however many of them have pages, so that labels fit beside each.
  for (const node of graph.nodes) {
    node.x0 = node.column * column_width
    node.x1 = node.x0 + NODE_WIDTH
  }
  return graph
}

/** As much room between pages as their number allows. */
const paddingOf = (nodes: readonly FlowNode[], height = HEIGHT) =>
  Math.max(4, Math.min(16, (height * 0.4) / mostInColumn(nodes)))

const mostInColumn = (nodes: readonly FlowNode[]) =>
  Math.max(...Array.from(Map.groupBy(nodes, ({ column }) => column).values(), (own) => own.length), 1)

function FlowPicture({ flow, columns, width }: { flow: Flow; columns: number; width: number }) {
  const [active, setActive] = useState<string | null>(null)
  const graph = useMemo(() => layOut(flow, width, columns), [flow, width, columns])
  const padding = paddingOf(flow.nodes)
  const column_width = width / columns
  const characters = Math.floor((column_width - NODE_WIDTH - 18) / CHARACTER)
  const path = sankeyLinkHorizontal()
  return (
    <svg
      role="img"
      aria-label={`Ways of sessions through ${columns} columns of pages. The list view has them as rows.`}
      width={width}
      height={HEIGHT + 4}
      className="block max-w-full"
    >
      {Array.from({ length: columns }, (_, column) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a column is its number
        <text key={column} x={column * column_width} y={12} fontSize="11" fill="var(--color-ink3)">
          {column === 0 ? 'Page 1, entry' : `Page ${column + 1}`}
        </text>
      ))}
      <g fill="none">
        {graph.links.map((link) => {
          const [source, target] = [link.source as FlowNode, link.target as FlowNode]
          const is_active = active === source.id || active === target.id
          return (
            <path
              key={`${source.id}\n${target.id}`}
              d={path(link) ?? ''}
              stroke="var(--color-series)"
              strokeOpacity={active === null ? 0.22 : is_active ? 0.55 : 0.1}
              strokeWidth={Math.max(1, link.width ?? 1)}
            >
              <title>{`${named(source)} → ${named(target)}: ${counted(link.sessions, 'session')}`}</title>
            </path>
          )
        })}
      </g>
      {graph.nodes.map((node) => {
        const [x, top, bottom] = [node.x0 ?? 0, node.y0 ?? 0, node.y1 ?? 0]
        const has_room = bottom - top + padding >= 12
        return (
          // Pointing only highlights what the list view says.
          <g key={node.id} onPointerEnter={() => setActive(node.id)} onPointerLeave={() => setActive(null)}>
            <rect
              x={x}
              y={top}
              width={NODE_WIDTH}
              height={Math.max(1.5, bottom - top)}
              rx="1.5"
              fill="var(--color-series)"
            />
            {has_room && (
              <text
                x={x + NODE_WIDTH + 6}
                y={(top + bottom) / 2}
                dominantBaseline="central"
                fontSize="11"
                fill="var(--color-ink)"
                stroke="var(--color-panel)"
                strokeWidth="3"
                paintOrder="stroke"
              >
                {middleCut(node.path, Math.max(6, characters - String(node.sessions).length - 1))}{' '}
                <tspan fill="var(--color-ink2)">{fullCount(node.sessions)}</tspan>
              </text>
            )}
            <title>{`${named(node)}: ${counted(node.sessions, 'session')}`}</title>
          </g>
        )
      })}
    </svg>
  )
}

const named = ({ hostname, path }: FlowNode) => `${visibleText(hostname)}${visibleText(path)}`
