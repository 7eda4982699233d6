/** Dimensions of a query of Search Console's API that are known here. */
export const QUERY_DIMENSIONS: readonly string[] = ['date', 'page', 'query', 'country', 'device']

/** Those of a list that are not. */
export const unknownDimensions = (dimensions: readonly string[]): string[] =>
  dimensions.filter((name) => !QUERY_DIMENSIONS.includes(name))
