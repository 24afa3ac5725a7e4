import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

/** A server of a simulator: on loopback, at a port of its own; it does not keep the process alive. */
export async function listenOnLoopback(
  listener: (request: IncomingMessage, response: ServerResponse) => Promise<void> | void,
): Promise<string> {
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      await listener(request, response)
    } catch {
      // A caller that hangs up or cannot be understood must not end the process that the simulator runs in.
      response.destroy()
    }
  }
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  server.unref()
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the simulator has no port')
  return `http://127.0.0.1:${address.port}`
}

const maxChunks = 100

/** What a request carries, as text; what goes beyond a sensible size is cut. */
export const readBody = (request: IncomingMessage): Promise<string> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => {
      if (chunks.length < maxChunks) {
        chunks.push(chunk)
      }
    })
    request.on('error', reject)
    request.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')))
  })

const maxKept = 1000

/** Adds a message to those kept for a look, the oldest leaving. */
export function keepMessage<M>(kept: M[], message: M): void {
  kept.push(message)
  if (kept.length > maxKept) {
    kept.shift()
  }
}
