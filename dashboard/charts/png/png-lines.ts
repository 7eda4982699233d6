/**
 * Breaks text into lines of at most `width` pixels, in the font of the context. A word is broken only if it does not
 * fit on a line.
 */
export function wrapped(context: Pick<CanvasRenderingContext2D, 'measureText'>, text: string, width: number): string[] {
  const lines: string[] = []
  const fits = (line: string) => context.measureText(line).width <= width
  for (const word of text.split(' ').filter((part) => part !== '')) {
    const last = lines.at(-1)
    const longer = last === undefined ? word : `${last} ${word}`
    if (last !== undefined && fits(longer)) lines[lines.length - 1] = longer
    else if (fits(word)) lines.push(word)
    else lines.push(...brokenUp(word, fits))
  }
  return lines
}

/** Breaks a long word, such as an address, into as many lines as it needs. */
function brokenUp(word: string, fits: (line: string) => boolean): string[] {
  const lines = ['']
  for (const character of word) {
    const longer = `${lines.at(-1)}${character}`
    if (fits(longer)) lines[lines.length - 1] = longer
    else lines.push(character)
  }
  return lines
}
