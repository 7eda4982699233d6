import { visibleText } from '../../words/foreign-text.ts'
import { counted, fullCount } from '../../words/numbers.ts'
import type { Flow, FlowNode } from './journey-links.ts'

export const pageName = ({ hostname, path }: Pick<FlowNode, 'hostname' | 'path'>): string =>
  `${visibleText(hostname)}${visibleText(path)}`

/** A page before or after another one. */
export interface Neighbour {
  id: string
  name: string
  sessions: number
}

/** The drawn links of a page, the widest first. */
export function neighboursOf({ nodes, links }: Pick<Flow, 'nodes' | 'links'>, id: string) {
  const named = (own: string, sessions: number): Neighbour[] => {
    const node = nodes.find((one) => one.id === own)
    return node === undefined ? [] : [{ id: own, name: visibleText(node.path), sessions }]
  }
  const widest = links.toSorted((a, b) => b.sessions - a.sessions)
  return {
    before: widest.flatMap(({ source, target, sessions }) => (target === id ? named(source, sessions) : [])),
    after: widest.flatMap(({ source, target, sessions }) => (source === id ? named(target, sessions) : [])),
  }
}

/** Screen readers announce at most this many names; the list view has all of them. */
export const MAX_NEIGHBOURS = 4

/** "Page 2, example.com/pricing, 60 sessions; from / 60; to /docs 30 and 2 more" */
export function pageSentence(flow: Pick<Flow, 'nodes' | 'links'>, node: FlowNode): string {
  const { before, after } = neighboursOf(flow, node.id)
  const listed = (word: string, pages: readonly Neighbour[]) => {
    if (pages.length === 0) return []
    const shown = pages.slice(0, MAX_NEIGHBOURS).map(({ name, sessions }) => `${name} ${fullCount(sessions)}`)
    const more = pages.length > MAX_NEIGHBOURS ? ` and ${pages.length - MAX_NEIGHBOURS} more` : ''
    return [`${word} ${shown.join(', ')}${more}`]
  }
  return [
    `Page ${node.column + 1}, ${pageName(node)}, ${counted(node.sessions, 'session')}`,
    ...listed('from', before),
    ...listed('to', after),
  ].join('; ')
}
