import { spawn } from 'node:child_process'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { portOf } from '#kit/server/fixtures/port.ts'
import { root } from '#tools/source-files.ts'

export interface ReceivedMessage {
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly at: number
}

/** A receiver whose answers a test decides. */
export class Receiver {
  readonly received: ReceivedMessage[] = []
  /** How the next messages are answered: a status, or nothing at all. */
  answer: (message: ReceivedMessage) => number | 'never' | { readonly afterMs: number } = () => 200
  readonly #server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const message = {
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
        at: performance.now(),
      }
      this.received.push(message)
      const answer = this.answer(message)
      if (answer === 'never') return
      if (typeof answer === 'number') {
        response.writeHead(answer, answer === 302 ? { location: 'http://127.0.0.1:1/' } : {}).end('answered')
      } else {
        setTimeout(() => response.writeHead(200).end(), answer.afterMs)
      }
    })
  })

  static async open(): Promise<Receiver> {
    const receiver = new Receiver()
    await new Promise<void>(done => receiver.#server.listen(0, '127.0.0.1', done))
    return receiver
  }

  get url(): string {
    return `http://127.0.0.1:${portOf(this.#server)}/hook`
  }

  get ids(): string[] {
    return this.received.map(({ headers }) => String(headers['webhook-id']))
  }

  close(): Promise<void> {
    this.#server.closeAllConnections()
    return new Promise(done => this.#server.close(() => done()))
  }
}

export interface SampleEvent {
  readonly id: string
  readonly type: string
  readonly company: number
  readonly data: Readonly<Record<string, unknown>>
}

/** The receiver of the documentation, run as its reader would. */
export async function runSampleReceiver(secret: string) {
  const events: SampleEvent[] = []
  const child = spawn(process.execPath, [`${root}/docs/samples/webhook-receiver.mjs`, '0'], {
    env: { ...process.env, WEBHOOK_SECRET: secret },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const port = await new Promise<number>(done => {
    createInterface(child.stdout).on('line', line => {
      const message = JSON.parse(line)
      if ('listening' in message) {
        done(message.listening)
      } else {
        events.push(message)
      }
    })
  })
  return { url: `http://127.0.0.1:${port}/`, events, stop: () => child.kill() }
}

/** Until something holds that another process brings about. */
export async function waitUntil(isMet: () => boolean | Promise<boolean>, ms = 15_000): Promise<void> {
  const deadline = performance.now() + ms
  while (!(await isMet())) {
    if (performance.now() > deadline) throw new Error('what was waited for did not come about')
    await pause(25)
  }
}
