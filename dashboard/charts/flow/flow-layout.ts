import { sankey } from 'd3-sankey'
import type { Flow, FlowLink, FlowNode } from './journey-links.ts'

export const NODE_WIDTH = 8
export const FLOW_HEIGHT = 460
/** Space for the names of the columns. */
const HEAD = 24

/** The positions of all nodes and links. d3-sankey changes its input, so it gets copies. */
export function layOut({ nodes, links }: Flow, width: number, columns: number, height = FLOW_HEIGHT) {
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
  // Columns have fixed positions, however many of them have pages, so that labels fit beside each.
  for (const node of graph.nodes) {
    node.x0 = node.column * column_width
    node.x1 = node.x0 + NODE_WIDTH
  }
  return graph
}

/** The largest gap between pages that their number allows. */
export const paddingOf = (nodes: readonly FlowNode[], height = FLOW_HEIGHT) =>
  Math.max(4, Math.min(16, (height * 0.4) / mostInColumn(nodes)))

const mostInColumn = (nodes: readonly FlowNode[]) =>
  Math.max(...Array.from(Map.groupBy(nodes, ({ column }) => column).values(), (own) => own.length), 1)

export type FlowGraph = ReturnType<typeof layOut>
export type PlacedNode = FlowGraph['nodes'][number]

/** The pages of each column that has any, from the top down. */
export const columnsOf = ({ nodes }: FlowGraph): PlacedNode[][] =>
  [...Map.groupBy(nodes, ({ column }) => column)]
    .toSorted(([one], [other]) => one - other)
    .map(([, own]) => own.toSorted((a, b) => (a.y0 ?? 0) - (b.y0 ?? 0)))
