import { defined } from '#kit/domain/defined.ts'
import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join, resolve, sep } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip, type BrotliOptions } from 'node:zlib'
import helmet from '@fastify/helmet'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

const mediaTypes: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json; charset=utf-8',
  map: 'application/json; charset=utf-8',
  svg: 'image/svg+xml',
  txt: 'text/plain; charset=utf-8',
  webmanifest: 'application/manifest+json',
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
  ico: 'image/x-icon',
  woff2: 'font/woff2',
  wasm: 'application/wasm',
}

const compressibleTypes = /^(text|application\/(json|manifest)|image\/svg)/

interface CachedFile {
  readonly tag: string
  readonly type: string
  readonly content: Buffer
  /** What the policy of the page names of its own scripts, so that no other is run. */
  readonly scriptHashes: readonly string[]
  /** Compressed once, on first need. */
  brotli?: Promise<Buffer>
  gzip?: Promise<Buffer>
}

const brotliAsync = promisify(brotliCompress)
const gzipAsync = promisify(gzip)

/**
 * antd writes its styles into the page; nothing comes from another host. The fingerprint reader's local
 * service is the one foreign address (0§7).
 */
const contentSecurityPolicy = {
  defaultSrc: ["'self'"],
  scriptSrc: ["'self'"],
  scriptSrcAttr: ["'none'"],
  styleSrc: ["'self'", "'unsafe-inline'"],
  imgSrc: ["'self'", 'data:', 'blob:'],
  fontSrc: ["'self'", 'data:'],
  mediaSrc: ["'self'", 'blob:'],
  connectSrc: ["'self'", 'ws://127.0.0.1:22003', 'ws://localhost:22003'],
  workerSrc: ["'self'", 'blob:'],
  frameSrc: ["'self'", 'blob:'],
  objectSrc: ["'none'"],
  baseUri: ["'self'"],
  formAction: ["'self'"],
  frameAncestors: ["'self'"],
  // Set by default; over plain http it would send every request to a port that does not answer.
  upgradeInsecureRequests: null,
}

/** Security headers for what browsers show as pages. HSTS only where the browser came over TLS. */
export async function addSecurityHeaders(scope: FastifyInstance): Promise<void> {
  await scope.register(helmet, {
    contentSecurityPolicy: { useDefaults: false, directives: contentSecurityPolicy },
    strictTransportSecurity: false,
    referrerPolicy: { policy: 'same-origin' },
    // Browsers ignore these over plain http, and complain.
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
  })
  scope.addHook('onRequest', async (req, reply) => {
    if (req.protocol === 'https') {
      reply.header('strict-transport-security', 'max-age=31536000; includeSubDomains')
    }
  })
}

type FileLoader = (path: string) => Promise<CachedFile | undefined>

const mediaTypeOf = (path: string): string =>
  mediaTypes[/\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase() ?? ''] ?? 'application/octet-stream'

/** The scripts that stand in a page itself, as a content security policy names them. */
const hashScripts = (page: string): string[] =>
  [...page.matchAll(/<script>(.*?)<\/script>/gs)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  )

/** Reads files of a folder and keeps them until they change on disk. */
function createFileLoader(folder: string): FileLoader {
  const root = resolve(folder)
  const cache = new Map<string, CachedFile>()
  return async path => {
    const location = join(root, path)
    if (!location.startsWith(root + sep)) return undefined
    const info = await stat(location).catch(() => undefined)
    if (!info?.isFile()) return undefined
    const tag = `"${info.size.toString(36)}-${Math.floor(info.mtimeMs).toString(36)}"`
    const cached = cache.get(path)
    if (cached?.tag === tag) return cached
    const content = await readFile(location)
    const type = mediaTypeOf(path)
    const scriptHashes = type.startsWith('text/html') ? hashScripts(content.toString()) : []
    const file: CachedFile = { tag, type, content, scriptHashes }
    cache.set(path, file)
    return file
  }
}

const brotliOptions = (content: Buffer): BrotliOptions => ({
  params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
})

/** The content in the best encoding that the browser accepts. */
async function encodeContent(
  file: CachedFile,
  acceptEncoding: string,
): Promise<{ body: Buffer; encoding?: string }> {
  const { content } = file
  if (!compressibleTypes.test(file.type) || content.length < 1024) return { body: content }
  if (/\bbr\b/.test(acceptEncoding)) {
    file.brotli ??= brotliAsync(content, brotliOptions(content))
    return { body: await file.brotli, encoding: 'br' }
  }
  if (/\bgzip\b/.test(acceptEncoding)) {
    file.gzip ??= gzipAsync(content, { level: 8 })
    return { body: await file.gzip, encoding: 'gzip' }
  }
  return { body: content }
}

const requestedPath = (url: string): string | undefined => {
  try {
    return decodeURIComponent(defined(url.split('?')[0])).replace(/^\/+/, '')
  } catch {
    return undefined
  }
}

/** Lets the page run the scripts that stand in it. */
function allowScripts(reply: FastifyReply, hashes: readonly string[]): void {
  const policy = reply.getHeader('content-security-policy')
  if (hashes.length === 0 || typeof policy !== 'string') return
  const allowed = ["script-src 'self'", ...hashes].join(' ')
  reply.header('content-security-policy', policy.replace("script-src 'self'", allowed))
}

/** The pages of some addresses (small letters, without slashes at the ends); all others have `index.html`. */
export type PageFiles = ReadonlyMap<string, string>

async function sendPage(
  load: FileLoader,
  pageFiles: PageFiles,
  req: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const path = requestedPath(req.url)
  if (path === undefined) return reply.code(400).send('')
  if (/^api(\/|$)/i.test(path) || path.includes('\0')) {
    reply.callNotFound()
    return reply
  }
  const found = path ? await load(path) : undefined
  // A missing file is answered as missing: a page in place of a script would only fail later.
  if (!found && /\.[a-z0-9]{2,5}$/i.test(path) && !/\.html$/i.test(path))
    return reply.code(404).type('text/plain').send('')
  const page = pageFiles.get(path.toLowerCase().replace(/\/+$/, ''))
  const file = found ?? (page && (await load(page))) ?? (await load('index.html'))
  if (!file) return reply.code(404).type('text/plain; charset=utf-8').send('页面尚未构建')
  const isImmutable = found !== undefined && path.startsWith('assets/')
  reply
    .headers({
      'cache-control': isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache',
      etag: file.tag,
      vary: 'accept-encoding',
    })
    .type(file.type)
  allowScripts(reply, file.scriptHashes)
  if (req.headers['if-none-match'] === file.tag) return reply.code(304).send()
  const { body, encoding } = await encodeContent(file, req.headers['accept-encoding'] ?? '')
  if (encoding) {
    reply.header('content-encoding', encoding)
  }
  return reply.send(body)
}

/**
 * The web application from a folder: files with a hash in their name are cached for ever; `index.html` is
 * checked each time and is served for every address that is no file (the browser's own routes), unless a
 * page of its own is.
 */
export function addWebPages(http: FastifyInstance, folder: string, pageFiles: PageFiles = new Map()): void {
  const load = createFileLoader(folder)
  const handler = (req: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
    sendPage(load, pageFiles, req, reply)
  void http.register(async scope => {
    await addSecurityHeaders(scope)
    scope.route({ method: ['GET', 'HEAD'], url: '/*', exposeHeadRoute: false, handler })
    scope.route({ method: ['GET', 'HEAD'], url: '/', exposeHeadRoute: false, handler })
  })
}
