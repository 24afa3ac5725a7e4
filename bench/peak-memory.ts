import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Scope } from '#kit/server/scope.ts'

/** Runs a bench file as a process of its own, which prints its peak memory in MB. */
export async function measurePeakMemory(
  file: string,
  url: string,
  { ownerId, operatorId }: Scope,
  ...more: readonly string[]
): Promise<number> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    file,
    url,
    String(ownerId),
    String(operatorId),
    ...more,
  ])
  return Number(stdout)
}
