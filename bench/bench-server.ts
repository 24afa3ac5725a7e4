import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { numberOf } from '#kit/contract/fixtures.ts'
import { defined } from '#kit/domain/defined.ts'

/** A server process of its own, for agents (`device-server.ts`). */
export class BenchServer {
  readonly #child: ChildProcess
  readonly #lines: AsyncIterator<string>
  readonly port: number

  private constructor(child: ChildProcess, lines: AsyncIterator<string>, port: number) {
    this.#child = child
    this.#lines = lines
    this.port = port
  }

  static async start(url: string, dataDir: string): Promise<BenchServer> {
    const child = spawn(
      process.execPath,
      ['--expose-gc', join(import.meta.dirname, 'device-server.ts'), url, dataDir],
      { stdio: ['pipe', 'pipe', 'inherit'] },
    )
    const lines = createInterface({ input: defined(child.stdout) })[Symbol.asyncIterator]()
    const first: unknown = JSON.parse(String((await lines.next()).value))
    return new BenchServer(child, lines, numberOf(first))
  }

  async request(line: string): Promise<unknown> {
    defined(this.#child.stdin).write(`${line}\n`)
    return JSON.parse(String((await this.#lines.next()).value))
  }

  async stop(): Promise<void> {
    const ended = once(this.#child, 'exit')
    this.#child.kill('SIGTERM')
    await ended
  }
}
