/** The documents of docs/senders as blocks of text, with address, token and domain of the reader filled in. */

export type Block =
  | { kind: 'text'; text: string }
  | { kind: 'code'; text: string }
  | { kind: 'rows'; rows: (readonly [string, string])[] }

interface Filling {
  /** The address at which senders reach the service, without a final slash. */
  address: string
  token: string
  root_domain: string
}

/** Up to the part about test runs, which is for developers. */
const END = /^(Not tried,|Tried:)/

/**
 * Paragraphs, fenced code and tables of two columns; other layout is not in these documents. The heading is left out.
 */
export function blocksOf(markdown: string, filling: Filling): Block[] {
  const blocks: Block[] = []
  const lines = fill(markdown, filling).split('\n')
  let paragraph: string[] = []
  const endParagraph = () => {
    if (paragraph.length > 0) blocks.push({ kind: 'text', text: plain(paragraph.join(' ')) })
    paragraph = []
  }
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    if (END.test(line)) break
    if (line.startsWith('```')) {
      endParagraph()
      const end = lines.indexOf('```', at + 1)
      blocks.push({ kind: 'code', text: lines.slice(at + 1, end).join('\n') })
      at = end
    } else if (line.startsWith('|')) {
      endParagraph()
      addRow(blocks, line)
    } else if (line === '' || line.startsWith('# ')) endParagraph()
    else paragraph.push(line)
  }
  endParagraph()
  return blocks
}

function addRow(blocks: Block[], line: string): void {
  const [first = '', second = ''] = line
    .split('|')
    .slice(1, -1)
    .map((cell) => plain(cell.trim()))
  const last = blocks.at(-1)
  const is_rule = /^-*$/.test(first) && /^-*$/.test(second)
  if (last?.kind !== 'rows') blocks.push({ kind: 'rows', rows: is_rule ? [] : [[first, second]] })
  else if (!is_rule) last.rows.push([first, second])
}

/** Text without Markdown syntax; a link becomes its text. */
const plain = (text: string): string =>
  text
    .replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replace(/\*\*([^*]+)\*\*/g, '$1')
    .replaceAll('`', '')

function fill(markdown: string, { address, token, root_domain }: Filling): string {
  const { protocol, hostname, port } = new URL(address)
  return markdown
    .replaceAll('https://spoor.example.com', address)
    .replaceAll('port: 443', `port: ${port || (protocol === 'https:' ? '443' : '80')}`)
    .replaceAll('spoor.example.com', hostname)
    .replaceAll('spoor_src_…', token)
    .replaceAll('example.com', root_domain)
}
