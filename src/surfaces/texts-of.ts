/** Members that stand for parts of a path. Anything but a text names nothing: it reads as an empty one. */
export const textsOf = (members: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name, typeof value === 'string' ? value : '']))
