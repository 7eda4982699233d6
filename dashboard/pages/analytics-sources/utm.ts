/** The five fields of a tagged link, the default first. */
export const UTM = ['source', 'medium', 'campaign', 'term', 'content'] as const
export type Utm = (typeof UTM)[number]
export const UTM_WORDS: Record<Utm, string> = {
  source: 'Source',
  medium: 'Medium',
  campaign: 'Campaign',
  term: 'Term',
  content: 'Content',
}
