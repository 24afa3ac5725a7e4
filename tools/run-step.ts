import { spawn } from 'node:child_process'
import { constants, setPriority } from 'node:os'
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

export interface StepOptions {
  /** Its output is shown as it comes, instead of being kept. */
  readonly live?: boolean
  /** It gets the processor's time that nobody else asks for. */
  readonly background?: boolean
}

/** Its children inherit it. A system that does not allow it runs the step like any other. */
function lowerPriority(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW)
  } catch {
    // Slower for the others, not wrong.
  }
}

/** Runs a program of node_modules from the repository's root. */
export async function runStep({ command, args, env }: Step, options: StepOptions = {}): Promise<Outcome> {
  const { live = false, background = false } = options
  const child = spawn(process.execPath, [join(root, 'node_modules', command), ...args], {
    cwd: root,
    env: { ...process.env, ...(process.stdout.isTTY ? {} : { NO_COLOR: '1' }), ...env },
    stdio: ['ignore', live ? 'inherit' : 'pipe', live ? 'inherit' : 'pipe'],
  })
  if (background && child.pid !== undefined) {
    lowerPriority(child.pid)
  }
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
