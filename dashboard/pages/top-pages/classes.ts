/** Values of `group`, the first being the default. */
export const CLASSES = ['all', 'content', 'infrastructure'] as const
