/** Patterns of the files that the npm package contains unchanged; `dashboard/dist` is built by `prepare`. */
export const PUBLISHED_AS_IS: readonly string[] = [
  'bin/*.mjs',
  'dashboard/dist/**/*.*',
  'tracker/dist/*.js',
  'src/**/*.{sql,css,html,json,js}',
  // Messages name documents, and documents link to each other.
  'docs/**/*.md',
  'docs/api/*.json',
  'dashboard/README.md',
  'docs/operating/{alerts.yml,grafana-dashboard.json}',
  'docs/operating/spoor.service',
  'packaging/oci/*.yaml',
  'ARCHITECTURE.md',
  'GLOSSARY.md',
  'LICENSE',
  'CHANGELOG.md',
  'SECURITY.md',
]

/** The README.md of the package, in place of the repository's. */
export const PACKAGE_README = 'packaging/npm/README.md'
