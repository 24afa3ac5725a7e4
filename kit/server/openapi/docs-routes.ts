import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { apiDocsCss, apiDocsHtml } from './docs-page.ts'
import { apiDocsJs } from './docs-script.ts'
import { SignInRequired, assertSetUp, type InstalledModule } from '../handler.ts'
import { bearerOf } from '../api-key.ts'
import { buildOpenApi } from './document.ts'
import type { Sessions } from '../session.ts'
import { addSecurityHeaders } from '../web-pages.ts'

const gzipAsync = promisify(gzip)

interface DocsOptions {
  readonly installed: readonly InstalledModule[]
  readonly version: string
  readonly publicApiDocs?: boolean | undefined
}

/** The description of the calls and the page that shows it. */
export async function addApiDocs(
  http: FastifyInstance,
  options: DocsOptions,
  sessions: Sessions,
): Promise<void> {
  // Made when it is first asked for: a start need not wait for it.
  let made: Promise<{ description: string; compressed: Buffer }> | undefined
  const make = async (): Promise<{ description: string; compressed: Buffer }> => {
    const description = JSON.stringify(buildOpenApi(options.installed, options.version))
    return { description, compressed: await gzipAsync(description) }
  }
  const documents: readonly (readonly [path: string, type: string, content: string])[] = [
    ['/api/docs', 'text/html; charset=utf-8', apiDocsHtml],
    ['/api/docs.css', 'text/css; charset=utf-8', apiDocsCss],
    ['/api/docs.js', 'text/javascript; charset=utf-8', apiDocsJs],
  ]
  await http.register(async scope => {
    await addSecurityHeaders(scope)
    scope.get('/api/openapi.json', async (req, reply) => {
      if (!options.publicApiDocs) {
        const token = String(req.headers.token ?? '')
        const session = token ? await sessions.find(token, true) : undefined
        const caller = session?.caller ?? (await sessions.findKey(bearerOf(req.headers.authorization) ?? ''))
        if (!caller) throw new SignInRequired()
        assertSetUp(caller)
      }
      const { description, compressed } = await (made ??= make())
      const isCompressed = /\bgzip\b/.test(req.headers['accept-encoding'] ?? '')
      if (isCompressed) {
        reply.header('content-encoding', 'gzip')
      }
      return reply
        .type('application/json; charset=utf-8')
        .headers({ 'cache-control': 'private, no-cache', vary: 'accept-encoding, token, authorization' })
        .send(isCompressed ? compressed : description)
    })
    for (const [path, type, content] of documents) {
      scope.get(path, async (_, reply) => reply.type(type).header('cache-control', 'no-cache').send(content))
    }
  })
}
