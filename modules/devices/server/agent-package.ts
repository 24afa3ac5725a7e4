import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { readFile } from 'node:fs/promises'
import { invalidField } from '#kit/contract/wire.ts'
import { isObject } from '#kit/contract/wire/members.ts'

const unzip = promisify(gunzip)

/** The same limit as in the agent: packages are a few megabytes. */
const maxPackageBytes = 16_000_000
const maxUnpackedBytes = 64_000_000

const isPackage = (content: unknown): boolean =>
  isObject(content) &&
  typeof content.version === 'string' &&
  /^\d+\.\d+\.\d+/.test(content.version) &&
  isObject(content.files) &&
  typeof content.files['apps/agent/program.ts'] === 'string'

const readContent = async (path: string): Promise<unknown> =>
  JSON.parse((await unzip(await readFile(path), { maxOutputLength: maxUnpackedBytes })).toString())

/** Refuses a file that is no package of the gateway program, before anything is signed or sent. */
export async function assertAgentPackage(path: string, size: number): Promise<void> {
  const content = size > maxPackageBytes ? undefined : await readContent(path).catch(() => undefined)
  if (!isPackage(content)) throw invalidField('FileID', '所选文件不是网关程序更新包，请重新选择')
}
