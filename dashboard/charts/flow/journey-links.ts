/** Sequences of pages as nodes and links in columns, computed from the rows of the API. */
import type { AnalyticsJourneys } from '../../../src/contract/site-api/index.ts'

type Row = AnalyticsJourneys['journeys'][number]
export type Sequence = Extract<Row, { kind: 'sequence' }>
export type Group = Extract<Row, { kind: 'grouped' }>

export interface FlowNode {
  id: string
  column: number
  hostname: string
  path: string
  /** Sessions that saw this page at this place. */
  sessions: number
}

export interface FlowLink {
  source: string
  target: string
  sessions: number
}

export interface Flow {
  nodes: FlowNode[]
  links: FlowLink[]
  /** The number of all links, including those that are not drawn. */
  all_links: number
}

/** A picture with more links is unreadable. */
export const MAX_LINKS = 60

export const sequencesOf = (rows: readonly Row[]): Sequence[] => rows.filter((row) => row.kind === 'sequence')
export const groupOf = (rows: readonly Row[]): Group | null => rows.find((row) => row.kind === 'grouped') ?? null

/** The first pages of each sequence; when there are too many links, the widest ones. */
export function flowOf(rows: readonly Row[], columns: number): Flow {
  const nodes = new Map<string, FlowNode>()
  const links = new Map<string, FlowLink>()
  for (const { pages, sessions } of sequencesOf(rows)) {
    pages.slice(0, columns).forEach(({ hostname, path }, column) => {
      const id = idOf(column, hostname, path)
      const node = nodes.get(id) ?? { id, column, hostname, path, sessions: 0 }
      nodes.set(id, { ...node, sessions: node.sessions + sessions })
      const before = pages[column - 1]
      if (before === undefined) return
      const source = idOf(column - 1, before.hostname, before.path)
      const key = `${source}\n${id}`
      links.set(key, { source, target: id, sessions: (links.get(key)?.sessions ?? 0) + sessions })
    })
  }
  const widest = [...links.values()].toSorted((a, b) => b.sessions - a.sessions)
  const shown = widest.slice(0, MAX_LINKS)
  const linked = new Set(shown.flatMap(({ source, target }) => [source, target]))
  return {
    // A first page is kept even when no session continued from it.
    nodes: [...nodes.values()].filter(({ id, column }) => column === 0 || linked.has(id)),
    links: shown,
    all_links: widest.length,
  }
}

const idOf = (column: number, hostname: string, path: string) => `${column}\n${hostname}${path}`
