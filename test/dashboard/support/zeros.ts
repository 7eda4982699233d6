/** Numbers of the page itself that are zero; instants, dates and the marks of an axis are none. */
export const zerosOf = (html: string): string[] => {
  const main = html.slice(html.indexOf('<main')).replace(/<svg[\s\S]*?<\/svg>/g, '')
  return main.match(/>\s*0(?:\.0)?(?: %| [a-z]+)?\s*</g) ?? []
}
