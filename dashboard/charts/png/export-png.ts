/** Saves charts as PNG: at twice their size, in the current theme, with title, evidence and address. */
import { EVIDENCE_LINE } from '../../evidence/evidence-line.tsx'
import { PATTERNS_ID } from '../../evidence/patterns.tsx'
import { drawBoxes, wordsIn } from './png-boxes.ts'
import { wrapped } from './png-lines.ts'

const SCALE = 2
const PADDING = 16
const HEAD = 40
const LINE = 16
const SMALL = 11
const COPIED = [
  'fill',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'opacity',
  'fill-opacity',
  'font-size',
  'font-weight',
  'font-family',
  'paint-order',
]

/**
 * Draws a panel as it is on the page: its charts, their names and the legend; below them `text.evidence` and the
 * evidence line of the page.
 */
export async function panelAsPng(frame: HTMLElement, text: { title: string; evidence: string }): Promise<Blob> {
  const { left, top, width, height } = frame.getBoundingClientRect()
  const theme = getComputedStyle(document.documentElement)
  const color = (name: string) => resolved(`var(--color-${name})`)
  const pictures = await picturesIn(frame)
  const canvas = document.createElement('canvas')
  const context = canvas.getContext('2d')
  if (context === null) throw new Error('This browser cannot create pictures of pages.')
  context.font = `400 ${SMALL}px ${theme.fontFamily}`
  const address = `${location.host}${location.pathname}${location.search}`
  const lines = [text.evidence, evidenceOfPage(), address].flatMap((line) => wrapped(context, line, width))
  canvas.width = (width + 2 * PADDING) * SCALE
  canvas.height = (HEAD + height + lines.length * LINE + PADDING) * SCALE
  context.scale(SCALE, SCALE)
  context.fillStyle = color('panel')
  context.fillRect(0, 0, canvas.width, canvas.height)
  const write = (line: string, y: number, font: string, fill: string) => {
    context.font = `${font} ${theme.fontFamily}`
    context.fillStyle = color(fill)
    context.fillText(line, PADDING, y)
  }
  write(text.title, 26, '600 14px', 'ink')
  lines.forEach((line, index) => void write(line, HEAD + height + (index + 1) * LINE, `400 ${SMALL}px`, 'ink2'))
  context.translate(PADDING - left, HEAD - top)
  drawBoxes(context, frame, color('hatch'))
  for (const { image, box } of pictures) context.drawImage(image, box.left, box.top, box.width, box.height)
  context.textBaseline = 'middle'
  for (const { words, box, style } of wordsIn(frame)) {
    context.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`
    context.fillStyle = style.color
    context.fillText(words, box.left, box.top + box.height / 2)
  }
  return new Promise((resolve, reject) =>
    canvas.toBlob(
      (blob) => (blob === null ? reject(new Error('The picture could not be created.')) : resolve(blob)),
      'image/png',
    ),
  )
}

const picturesIn = (frame: HTMLElement): Promise<{ image: HTMLImageElement; box: DOMRect }[]> =>
  Promise.all(
    [...frame.querySelectorAll('svg')]
      .map((svg) => ({ svg, box: svg.getBoundingClientRect() }))
      .filter(({ box }) => box.width > 1 && box.height > 1)
      .map(async ({ svg, box }) => ({ image: await imageOf(standAlone(svg, box.width, box.height)), box })),
  )

/** The evidence line of the page: how complete the evidence is, through when, and by which registry version. */
const evidenceOfPage = (): string =>
  document
    .querySelector<HTMLElement>(`[${EVIDENCE_LINE}]`)
    ?.innerText.trim()
    .replaceAll(/(?:\s*·\s*|\s*\n\s*)+/g, ' · ')
    .replaceAll(/\s+/g, ' ')
    .trim() ?? ''

/** The chart with the patterns that it uses. Every style is copied inline, because a picture has no style sheet. */
function standAlone(chart: SVGSVGElement, width: number, height: number): string {
  const copy = chart.cloneNode(true) as SVGSVGElement
  writeStyles(chart, copy)
  const patterns = document.getElementById(PATTERNS_ID)
  if (patterns !== null) {
    const definitions = patterns.cloneNode(true) as SVGElement
    writeStyles(patterns, definitions)
    copy.prepend(definitions)
  }
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
  copy.setAttribute('width', String(width))
  copy.setAttribute('height', String(height))
  return new XMLSerializer().serializeToString(copy)
}

function writeStyles(from: Element, to: Element): void {
  const style = getComputedStyle(from)
  for (const name of COPIED) if (to instanceof SVGElement) to.setAttribute(name, style.getPropertyValue(name))
  // The only size that comes from a style sheet.
  if (from.matches('.share-inner')) to.setAttribute('width', String((from as SVGGraphicsElement).getBBox().width))
  Array.from(from.children).forEach((child, index) => {
    const copied = to.children[index]
    if (copied !== undefined) writeStyles(child, copied)
  })
}

async function imageOf(svg: string): Promise<HTMLImageElement> {
  const image = new Image()
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`
  await image.decode()
  return image
}

function resolved(color: string): string {
  const probe = document.createElement('span')
  probe.style.color = color
  document.body.append(probe)
  const value = getComputedStyle(probe).color
  probe.remove()
  return value
}
