import { sankeyLinkHorizontal } from 'd3-sankey'
import { memo } from 'react'
import { middleCut } from '../../words/foreign-text.ts'
import { counted, fullCount } from '../../words/numbers.ts'
import { FLOW_HEIGHT, type FlowGraph, NODE_WIDTH, type PlacedNode, paddingOf } from './flow-layout.ts'
import { pageName } from './flow-words.ts'
import type { FlowNode } from './journey-links.ts'

const CHARACTER = 6.4

interface FlowPictureProps {
  graph: FlowGraph
  columns: number
  width: number
  /** The page whose links stand out. */
  active: string | null
}

/** Of the bands: without an active page, of the active page, and of the others beside it. */
const OPACITY = { usual: 0.22, active: 0.55, behind: 0.1 }

/** Pages as bars in columns, and sessions between them as bands. */
export const FlowPicture = memo(function FlowPicture({ graph, columns, width, active }: FlowPictureProps) {
  const padding = paddingOf(graph.nodes)
  const column_width = width / columns
  const characters = Math.floor((column_width - NODE_WIDTH - 18) / CHARACTER)
  const path = sankeyLinkHorizontal()
  return (
    <svg aria-hidden="true" width={width} height={FLOW_HEIGHT + 4} className="block max-w-full">
      {Array.from({ length: columns }, (_, column) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a column has no key but its index
        <text key={column} x={column * column_width} y={12} fontSize="11" fill="var(--color-ink3)">
          {column === 0 ? 'Page 1, entry' : `Page ${column + 1}`}
        </text>
      ))}
      <g fill="none">
        {graph.links.map((link) => {
          const [source, target] = [link.source as FlowNode, link.target as FlowNode]
          const opacity = active === source.id || active === target.id ? OPACITY.active : OPACITY.behind
          return (
            <path
              key={`${source.id}\n${target.id}`}
              d={path(link) ?? ''}
              stroke="var(--color-series)"
              strokeOpacity={active === null ? OPACITY.usual : opacity}
              strokeWidth={Math.max(1, link.width ?? 1)}
            >
              <title>{`${pageName(source)} → ${pageName(target)}: ${counted(link.sessions, 'session')}`}</title>
            </path>
          )
        })}
      </g>
      {graph.nodes.map((node) => (
        <Page key={node.id} {...{ node, padding, characters }} is_active={active === node.id} />
      ))}
    </svg>
  )
})

interface PageProps {
  node: PlacedNode
  padding: number
  characters: number
  is_active: boolean
}

function Page({ node, padding, characters, is_active }: PageProps) {
  const [x, top, bottom] = [node.x0 ?? 0, node.y0 ?? 0, node.y1 ?? 0]
  const has_room = bottom - top + padding >= 12
  return (
    <g data-page={node.id}>
      <rect
        x={x}
        y={top}
        width={NODE_WIDTH}
        height={Math.max(1.5, bottom - top)}
        rx="1.5"
        fill="var(--color-series)"
        {...(is_active ? { stroke: 'var(--color-ink)', strokeWidth: 2 } : {})}
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
    </g>
  )
}
