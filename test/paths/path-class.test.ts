import { expect, test } from 'vitest'
import { pathClass } from '#paths/path-class.ts'

test.each([
  '/robots.txt',
  '/sitemap.xml',
  '/sitemap_index.xml',
  '/wp-sitemap-posts-post-1.xml',
  '/post-sitemap2.xml',
  '/en/sitemap.xml.gz',
  '/sitemaps/sitemap-7.xml',
  '/favicon.ico',
  '/apple-touch-icon-120x120.png',
  '/.well-known/security.txt',
  '/assets/app.css',
  '/a/b.MJS',
  '/fonts/x.woff2',
  '/logo.SVG',
])('%s is infrastructure', (path) => {
  expect(pathClass(path)).toBe('infrastructure')
})

test.each([
  '/',
  '/blog/robots.txt-explained',
  '/blog/robots.txt',
  '/sitemap',
  '/what-is-a-sitemap.html',
  '/feed.xml',
  '/llms.txt',
  '/report.pdf',
  '/v1.css/page',
  '/example.com',
  '/.well-known',
  '/data.json',
])('%s is content', (path) => {
  expect(pathClass(path)).toBe('content')
})
