import { defined } from '#kit/domain/defined.ts'
import { spawn, type SpawnOptions } from 'node:child_process'

export interface ProcessResult {
  status: number | null
  /** what it complained of, or why it could not be run at all */
  stderr: string
}

/** Runs a program to its end, fed with `input`; without blocking this process. Ends with it. */
export function runProcess(
  file: string,
  args: readonly string[],
  options: SpawnOptions,
  input = '',
): Promise<ProcessResult> {
  return new Promise(done => {
    const child = spawn(file, args, { ...options, stdio: ['pipe', 'ignore', 'pipe'] })
    const stop = () => child.kill()
    const parts: Buffer[] = []
    process.once('exit', stop)
    const ended = (status: number | null, stderr: string) => {
      process.off('exit', stop)
      done({ status, stderr })
    }
    child.once('error', error => ended(null, error.message))
    child.once('close', status => ended(status, Buffer.concat(parts).toString('utf8')))
    defined(child.stderr).on('data', (part: Buffer) => parts.push(part))
    // A program that ends before it has read everything has its own word on it.
    defined(child.stdin)
      .on('error', () => {})
      .end(input)
  })
}
