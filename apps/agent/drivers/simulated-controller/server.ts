import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { digestOf, readPairs } from '../isapi/digest.ts'
import { answerTo, refusal, type Answer, type ControllerState } from './requests.ts'

export interface SimulatedServerOptions {
  readonly state: ControllerState
  readonly user: string
  readonly password: string
  readonly delayMs: number
  readonly isLineUp: () => boolean
}

const realm = 'DS-SIM'
const nonce = randomBytes(16).toString('hex')

const isSigned = (request: IncomingMessage, { user, password }: SimulatedServerOptions): boolean => {
  const pairs = readPairs(request.headers.authorization ?? '')
  const expected = digestOf({
    user,
    password,
    realm,
    nonce,
    method: request.method ?? '',
    uri: request.url ?? '',
    count: pairs.get('nc') ?? '',
    clientNonce: pairs.get('cnonce') ?? '',
  })
  return pairs.get('username') === user && pairs.get('response') === expected
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  await once(request, 'end')
  return Buffer.concat(chunks)
}

function send(response: ServerResponse, { status = 200, type = 'application/json', body }: Answer): void {
  response.writeHead(status, { 'content-type': type })
  response.end(body)
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  options: SimulatedServerOptions,
): Promise<void> {
  const body = await bodyOf(request)
  if (!options.isLineUp()) {
    request.socket.destroy()
    return
  }
  if (!isSigned(request, options)) {
    const challenge = `Digest realm="${realm}", qop="auth", nonce="${nonce}"`
    response.writeHead(401, { 'www-authenticate': challenge })
    response.end()
    return
  }
  if (options.delayMs > 0) {
    await sleep(options.delayMs)
  }
  const [path = ''] = (request.url ?? '').split('?')
  const asked = { method: request.method ?? '', path, body, type: request.headers['content-type'] ?? '' }
  const answer = await answerTo(options.state, asked).catch(() => refusal('badJsonContent'))
  // The line may have gone down while it was busy: what it did counts, its answer is lost.
  if (options.isLineUp()) {
    send(response, answer)
  } else {
    request.socket.destroy()
  }
}

/** A controller on the loopback interface, as one on the site's network. */
export class SimulatedServer {
  readonly #http: Server

  constructor(options: SimulatedServerOptions) {
    this.#http = createServer((request, response) => {
      handle(request, response, options).catch(() => request.socket.destroy())
    })
  }

  async listen(): Promise<string> {
    this.#http.listen(0, '127.0.0.1')
    await once(this.#http, 'listening')
    const address = this.#http.address()
    if (address === null || typeof address === 'string') throw new Error('no port')
    return `127.0.0.1:${address.port}`
  }

  async close(): Promise<void> {
    const closed = once(this.#http, 'close')
    this.#http.close()
    this.#http.closeAllConnections()
    await closed
  }
}
