import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { root } from './source-files.ts'

export interface Step {
  name: string
  command: string
  args: string[]
  env?: Record<string, string>
}

export interface Outcome {
  ok: boolean
  output: string
}

/**
 * Runs a program of node_modules from the repository's root; its output is kept, or with `live` shown as it
 * comes.
 */
export async function runStep({ command, args, env }: Step, { live = false } = {}): Promise<Outcome> {
  const child = spawn(process.execPath, [join(root, 'node_modules', command), ...args], {
    cwd: root,
    env: { ...process.env, ...(process.stdout.isTTY ? {} : { NO_COLOR: '1' }), ...env },
    stdio: ['ignore', live ? 'inherit' : 'pipe', live ? 'inherit' : 'pipe'],
  })
  const chunks: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => chunks.push(chunk))
  }
  const ok = await new Promise<boolean>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', code => resolve(code === 0))
  })
  return { ok, output: Buffer.concat(chunks).toString() }
}
