/** A chart as PNG: twice its size, in the current theme, with title, evidence and address, so that it stands alone. */
import { PATTERNS_ID } from '../evidence/patterns.tsx'

const SCALE = 2
const PADDING = 16
const HEAD = 40
const FOOT = 40
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

export async function chartAsPng(chart: SVGSVGElement, text: { title: string; evidence: string }): Promise<Blob> {
  const { width, height } = chart.getBoundingClientRect()
  const theme = getComputedStyle(document.documentElement)
  const color = (name: string) => resolved(`var(--color-${name})`)
  const image = await imageOf(standAlone(chart, width, height))
  const canvas = document.createElement('canvas')
  canvas.width = (width + 2 * PADDING) * SCALE
  canvas.height = (height + HEAD + FOOT + PADDING) * SCALE
  const context = canvas.getContext('2d')
  if (context === null) throw new Error('This browser draws no pictures of pages.')
  context.scale(SCALE, SCALE)
  context.fillStyle = color('panel')
  context.fillRect(0, 0, canvas.width, canvas.height)
  const write = (line: string, y: number, size: number, weight: number, fill: string) => {
    context.font = `${weight} ${size}px ${theme.fontFamily}`
    context.fillStyle = color(fill)
    context.fillText(line, PADDING, y, width)
  }
  write(text.title, 26, 14, 600, 'ink')
  context.drawImage(image, PADDING, HEAD, width, height)
  write(text.evidence, HEAD + height + 20, 11, 400, 'ink2')
  write(`${location.host}${location.pathname}${location.search}`, HEAD + height + 36, 11, 400, 'ink3')
  return new Promise((resolve, reject) =>
    canvas.toBlob(
      (blob) => (blob === null ? reject(new Error('The picture could not be made.')) : resolve(blob)),
      'image/png',
    ),
  )
}

/** The chart with the patterns it uses and every colour written out, since a picture knows no style sheet. */
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
