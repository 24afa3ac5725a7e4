import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isProcessRunning, identifyOwnProcess, type ProcessIdentity } from './process-identity.ts'

const fileName = 'address.json'

/** Leaves word in a folder of where this process serves it. */
export const writeLoopbackAddress = (folder: string, address: string): void =>
  writeFileSync(join(folder, fileName), JSON.stringify({ address, ...identifyOwnProcess(folder) }), {
    mode: 0o600,
  })

/** Where a living process serves this very folder, on loopback; empty where none does. */
export function readLoopbackAddress(folder: string): string {
  try {
    const { address, ...mark }: ProcessIdentity & { address: string } = JSON.parse(
      readFileSync(join(folder, fileName), 'utf8'),
    )
    return /^http:\/\/127\.0\.0\.1:\d+$/.test(address) && isProcessRunning(mark, folder) ? address : ''
  } catch {
    return ''
  }
}
