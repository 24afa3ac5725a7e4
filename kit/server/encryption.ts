import { createCipheriv, createDecipheriv, randomBytes, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { link, readFile, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { keyBytes } from './encryption-key.ts'
import { StartupError } from './postgres/startup-error.ts'
import { settings } from './settings.ts'

const nonceBytes = 12
const tagBytes = 16
const algorithm = 'aes-256-gcm'
/** Stands before every encrypted value: a later scheme can be recognized. */
const schemeVersion = 1

/** Encrypts what a copy of the database must not reveal. */
export interface Encryption {
  /**
   * `subject` names what the value belongs to (table, company, record): copied to another record it cannot be
   * read.
   */
  encrypt(text: string, subject: string): Buffer
  /** Throws where the bytes were changed, belong to another subject or were made with another key. */
  decrypt(bytes: Buffer, subject: string): string
}

export function createEncryption(key: Buffer): Encryption {
  if (key.length !== keyBytes) throw new Error(`the key has ${key.length} bytes instead of ${keyBytes}`)
  return {
    encrypt: (text, subject) => {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(subject))
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([Buffer.from([schemeVersion]), nonce, cipher.getAuthTag(), body])
    },
    decrypt: (bytes, subject) => {
      if (bytes[0] !== schemeVersion) throw new Error(`unknown encryption scheme ${bytes[0]}`)
      const tagStart = 1 + nonceBytes
      const bodyStart = tagStart + tagBytes
      const decipher = createDecipheriv(algorithm, key, bytes.subarray(1, tagStart), {
        authTagLength: tagBytes,
      })
      decipher.setAAD(Buffer.from(subject)).setAuthTag(bytes.subarray(tagStart, bodyStart))
      return Buffer.concat([decipher.update(bytes.subarray(bodyStart)), decipher.final()]).toString('utf8')
    },
  }
}

const decodeKey = (text: string, source: string): Buffer => {
  const key = Buffer.from(text.trim(), 'base64')
  if (key.length !== keyBytes)
    throw new StartupError(`${source} 不是 ${keyBytes} 字节的 Base64 密钥，请改正或从备份恢复。`)
  return key
}

/** Creates the file, whole from the start, unless another process has: then that one's key holds. */
async function createKeyFile(path: string): Promise<void> {
  const draft = `${path}.${randomUUID()}`
  await writeFile(draft, randomBytes(keyBytes).toString('base64'), { mode: 0o600, flush: true })
  try {
    await link(draft, path)
  } catch (error) {
    if (!existsSync(path)) throw error
  } finally {
    await unlink(draft)
  }
}

/**
 * The key is kept apart from the database, so that a copy of the database alone reads nothing: `DATA_KEY`, or
 * the file `data.key` of the data folder, made on first use.
 */
async function loadKey(dataDir: string): Promise<Buffer> {
  const configured = settings.dataKey.read()
  if (configured) return decodeKey(configured, 'DATA_KEY')
  const path = join(dataDir, 'data.key')
  if (!existsSync(path)) {
    await createKeyFile(path)
  }
  return decodeKey(await readFile(path, 'utf8'), path)
}

const encryptionByFolder = new Map<string, Promise<Encryption>>()

/** The encryption of the installation, its key read once by this process. */
export function encryptionOf({ dataDir }: { readonly dataDir: string }): Promise<Encryption> {
  const known = encryptionByFolder.get(dataDir)
  if (known) return known
  const loading = loadKey(dataDir).then(createEncryption)
  encryptionByFolder.set(dataDir, loading)
  loading.catch(() => encryptionByFolder.delete(dataDir))
  return loading
}
