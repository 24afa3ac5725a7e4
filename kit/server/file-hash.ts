import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'

const stepBytes = 2 ** 20

/**
 * SHA-256 of a file in hex, read in large steps into the same two buffers: one is hashed while the other is
 * read, and nothing is left to be collected.
 */
export async function hashFile(path: string): Promise<string> {
  const file = await open(path)
  try {
    const hash = createHash('sha256')
    let [current, next] = [Buffer.allocUnsafe(stepBytes), Buffer.allocUnsafe(stepBytes)]
    let reading = file.read(current, 0, stepBytes)
    for (;;) {
      const { bytesRead } = await reading
      if (bytesRead === 0) return hash.digest('hex')
      reading = file.read(next, 0, stepBytes)
      // Awaited in the next step: until then a fault has nobody to tell.
      reading.catch(() => {})
      hash.update(current.subarray(0, bytesRead))
      ;[current, next] = [next, current]
    }
  } finally {
    await file.close()
  }
}
