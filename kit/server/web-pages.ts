import { defined } from '#kit/domain/defined.ts'
import { readFile, stat } from 'node:fs/promises'
import { join, resolve, sep } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
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
  readonly raw: Buffer
  br?: Promise<Buffer>
  gz?: Promise<Buffer>
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

/**
 * The web application from a folder: files with a hash in their name for ever, `index.html` asked anew each
 * time and given for every address that is no file (the browser's own routes). Packed once per file and kept.
 */
export function addWebPages(http: FastifyInstance, folder: string): void {
  const root = resolve(folder)
  const kept = new Map<string, CachedFile>()
  const load = async (path: string): Promise<CachedFile | undefined> => {
    const at = join(root, path)
    if (!at.startsWith(root + sep)) return undefined
    const s = await stat(at).catch(() => undefined)
    if (!s?.isFile()) return undefined
    const tag = `"${s.size.toString(36)}-${Math.floor(s.mtimeMs).toString(36)}"`
    const known = kept.get(path)
    if (known?.tag === tag) return known
    const fresh: CachedFile = {
      tag,
      type: mediaTypes[/\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase() ?? ''] ?? 'application/octet-stream',
      raw: await readFile(at),
    }
    kept.set(path, fresh)
    return fresh
  }
  const packed = async (f: CachedFile, accepts: string): Promise<{ body: Buffer; how?: string }> => {
    if (!compressibleTypes.test(f.type) || f.raw.length < 1024) return { body: f.raw }
    if (/\bbr\b/.test(accepts))
      return {
        body: await (f.br ??= brotliAsync(f.raw, {
          params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: f.raw.length },
        })),
        how: 'br',
      }
    if (/\bgzip\b/.test(accepts))
      return { body: await (f.gz ??= gzipAsync(f.raw, { level: 8 })), how: 'gzip' }
    return { body: f.raw }
  }
  const give = async (req: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    let path: string
    try {
      path = decodeURIComponent(defined(req.url.split('?')[0])).replace(/^\/+/, '')
    } catch {
      return reply.code(400).send('')
    }
    if (/^api(\/|$)/i.test(path) || path.includes('\0')) {
      reply.callNotFound()
      return reply
    }
    const file = path ? await load(path) : undefined
    // A missing file stays missing: a page in the place of a script would only fail later.
    if (!file && /\.[a-z0-9]{2,5}$/i.test(path) && !/\.html$/i.test(path))
      return reply.code(404).type('text/plain').send('')
    const f = file ?? (await load('index.html'))
    if (!f) return reply.code(404).type('text/plain; charset=utf-8').send('页面还没有构建')
    const forever = file !== undefined && path.startsWith('assets/')
    reply
      .headers({
        'cache-control': forever ? 'public, max-age=31536000, immutable' : 'no-cache',
        etag: f.tag,
        vary: 'accept-encoding',
      })
      .type(f.type)
    if (req.headers['if-none-match'] === f.tag) return reply.code(304).send()
    const { body, how } = await packed(f, req.headers['accept-encoding'] ?? '')
    if (how) {
      reply.header('content-encoding', how)
    }
    return reply.send(body)
  }
  void http.register(async scope => {
    await addSecurityHeaders(scope)
    scope.route({ method: ['GET', 'HEAD'], url: '/*', exposeHeadRoute: false, handler: give })
    scope.route({ method: ['GET', 'HEAD'], url: '/', exposeHeadRoute: false, handler: give })
  })
}
