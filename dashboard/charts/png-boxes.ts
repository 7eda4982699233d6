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

/** The text of HTML elements, without text that is only for screen readers. */
export function wordsIn(frame: HTMLElement): { words: string; box: DOMRect; style: CSSStyleDeclaration }[] {
  const found = []
  const walker = document.createTreeWalker(frame, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const words = node.textContent?.trim() ?? ''
    const parent = node.parentElement
    if (words === '' || parent === null || parent.closest('svg, .sr-only') !== null) continue
    const range = document.createRange()
    range.selectNodeContents(node)
    const box = range.getClientRects()[0]
    if (box !== undefined && box.width > 1) found.push({ words, box, style: getComputedStyle(parent) })
  }
  return found
}
