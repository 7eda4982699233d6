/** Draws the HTML around charts: bars of lists, outlines, hatched boxes for unknown values, and text. */

const HATCH_STEP = 6

/** Draws the boxes of all HTML elements, at their positions in the window. */
export function drawBoxes(context: CanvasRenderingContext2D, frame: HTMLElement, hatch_color: string): void {
  for (const element of frame.querySelectorAll('*')) {
    if (!(element instanceof HTMLElement) || element.closest('.sr-only') !== null) continue
    const box = element.getBoundingClientRect()
    const style = getComputedStyle(element)
    // A transparent background fills nothing.
    context.fillStyle = style.backgroundColor
    context.fillRect(box.left, box.top, box.width, box.height)
    if (element.classList.contains('hatched')) drawHatch(context, box, hatch_color)
    if (hasOutline(style)) {
      context.strokeStyle = style.borderTopColor
      context.setLineDash(style.borderTopStyle === 'solid' ? [] : [2, 2])
      context.strokeRect(box.left + 0.5, box.top + 0.5, box.width - 1, box.height - 1)
      context.setLineDash([])
    }
  }
}

const hasOutline = ({ borderTopWidth, borderRightWidth, borderBottomWidth, borderLeftWidth }: CSSStyleDeclaration) =>
  [borderTopWidth, borderRightWidth, borderBottomWidth, borderLeftWidth].every((width) => Number.parseFloat(width) > 0)

function drawHatch(context: CanvasRenderingContext2D, { left, top, width, height }: DOMRect, color: string): void {
  context.save()
  context.beginPath()
  context.rect(left, top, width, height)
  context.clip()
  context.beginPath()
  for (let x = left - height; x < left + width; x += HATCH_STEP) {
    context.moveTo(x, top + height)
    context.lineTo(x + height, top)
  }
  context.strokeStyle = color
  context.stroke()
  context.restore()
}

interface Line {
  words: string
  box: DOMRect
}

/** The text of HTML elements by line, without text that is only for screen readers. */
export function wordsIn(frame: HTMLElement): (Line & { style: CSSStyleDeclaration })[] {
  const found = []
  const walker = document.createTreeWalker(frame, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const parent = node.parentElement
    if (parent === null || parent.closest('svg, .sr-only') !== null) continue
    const style = getComputedStyle(parent)
    for (const line of linesOf(node)) if (line.box.width > 1) found.push({ ...line, style })
  }
  return found
}

/** The lines in which the page shows a text. Words that do not fit into one line are divided between characters. */
function linesOf(node: Node): Line[] {
  const range = document.createRange()
  const lines: Line[] = []
  const boxesOf = (from: number, to: number) => {
    range.setStart(node, from)
    range.setEnd(node, to)
    return [...range.getClientRects()]
  }
  const add = (words: string, gap: string, box: DOMRect | undefined) => {
    const line = lines.at(-1)
    if (box === undefined) return
    if (line === undefined || Math.abs(line.box.top - box.top) > 1) lines.push({ words, box })
    else lines.splice(-1, 1, { words: `${line.words}${gap}${words}`, box: around(line.box, box) })
  }
  for (const { 0: word, index } of (node.textContent ?? '').matchAll(/\S+/g)) {
    const boxes = boxesOf(index, index + word.length)
    if (boxes.length === 1) add(word, ' ', boxes[0])
    else {
      let at = index
      for (const character of word) {
        add(character, at === index ? ' ' : '', boxesOf(at, at + character.length)[0])
        at += character.length
      }
    }
  }
  return lines
}

/** Words that are read from right to left begin at the right end of their line. */
function around(one: DOMRect, other: DOMRect): DOMRect {
  const left = Math.min(one.left, other.left)
  return new DOMRect(left, one.top, Math.max(one.right, other.right) - left, one.height)
}
