/** Distinguishes content from infrastructure, to show how much of crawling is robots.txt and assets (decisions 3.3). */

/** The class of a path/v1 path: infrastructure is robots.txt, sitemaps, favicons, /.well-known/ and assets. */
export function pathClass(path: string): 'content' | 'infrastructure' {
  if (WELL_KNOWN_FILE.test(path) || SITEMAP.test(path) || path.startsWith('/.well-known/')) return 'infrastructure'
  const dot = path.lastIndexOf('.')
  return dot > path.lastIndexOf('/') && isAssetExtension(path.slice(dot + 1)) ? 'infrastructure' : 'content'
}

/** Whether a file name's ending (no dot) is that of a style, script, image, font or media asset. */
export function isAssetExtension(ending: string): boolean {
  return ending.length <= 12 && ASSETS.has(ending.toLowerCase())
}

const WELL_KNOWN_FILE =
  /^\/(?:robots\.txt|ads\.txt|app-ads\.txt|humans\.txt|security\.txt|favicon\.\w+|apple-touch-icon[\w-]*\.png|browserconfig\.xml|manifest\.json|crossdomain\.xml)$/i
const SITEMAP = /\/(?:[\w.-]*[_.-])?sitemaps?(?:[_.-]?[\w.-]*)?\.(?:xml|txt)(?:\.gz)?$/i
const ASSETS = new Set(
  [
    'css js mjs cjs map wasm webmanifest',
    'png jpg jpeg jpe gif webp avif svg svgz ico cur bmp tif tiff heic jxl apng',
    'woff woff2 ttf otf eot',
    'mp4 m4v webm ogv mov mp3 m4a aac ogg oga opus wav flac m3u8',
  ].flatMap((line) => line.split(' ')),
)
