import { createPublicKey, verify } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { packageText } from '#modules/devices/contract/agent-commands.ts'
import { syncFolder } from '../atomic-file.ts'
import { download } from '../download.ts'
import { countOf, objectOf, parseJson, textOf, type JsonObject } from '../json.ts'
import { readReleases, releasesFolder, writeReleases } from '../releases.ts'
import { programRoot, versionOf } from '../version.ts'
import { CommandFailure, type CommandContext, type CommandOutcome } from './command.ts'
import { readHash } from './push-file.ts'

const maxUnpackedBytes = 64_000_000

interface Package {
  readonly version: string
  readonly files: Readonly<Record<string, string>>
}

/** A package: gzip of a JSON object with the version and the text of each file by its path. */
function readPackage(path: string): Package {
  const text = gunzipSync(readFileSync(path), { maxOutputLength: maxUnpackedBytes }).toString()
  const parsed = objectOf(parseJson(text), 'package')
  const files = Object.entries(objectOf(parsed.files, 'files')).map(([name, content]) => {
    if (!/^(?:[\w-][\w.-]*\/)*[\w-][\w.-]*$/.test(name)) throw new CommandFailure('更新包内的路径无效')
    return [name, textOf(content, name, maxUnpackedBytes)] as const
  })
  const version = textOf(parsed.version, 'version', 20)
  if (!/^\d+\.\d+\.\d+[\w.+-]*$/.test(version)) throw new CommandFailure('更新包的版本号无效')
  return { version, files: Object.fromEntries(files) }
}

/** Writes the files to a folder of their own, which has its name only when all are on the disk. */
function unpack({ files }: Package, folder: string): void {
  const temporary = `${folder}.new`
  rmSync(temporary, { recursive: true, force: true })
  for (const [name, content] of Object.entries(files)) {
    const path = join(temporary, name)
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    const handle = openSync(path, 'w', 0o600)
    writeFileSync(handle, content)
    fsyncSync(handle)
    closeSync(handle)
  }
  rmSync(folder, { recursive: true, force: true })
  renameSync(temporary, folder)
  syncFolder(dirname(folder))
}

function assertSignature(sha256: string, signature: string, updateKey: string): void {
  const key = createPublicKey({ key: Buffer.from(updateKey, 'base64'), format: 'der', type: 'spki' })
  if (!verify(null, Buffer.from(packageText(sha256)), key, Buffer.from(signature, 'base64')))
    throw new CommandFailure('更新包的签名不符，未安装')
}

/**
 * Puts a signed version beside the running one and ends, so that the launcher starts it. The result is
 * reported by the new version when it has connected, or by this one when it was started again.
 */
export async function updateAgent(input: JsonObject, context: CommandContext): Promise<CommandOutcome> {
  const { dataDir, identity, signal, timings, progress, taskId } = context
  const sha256 = readHash(input.sha256)
  // Before the download: a package that nobody signed is not even fetched.
  assertSignature(sha256, textOf(input.signature, 'signature'), identity.updateKey)
  const folder = releasesFolder(dataDir)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const target = join(folder, `${sha256.slice(0, 16)}.package`)
  const link = textOf(input.link, 'link')
  const size = countOf(input.size, 'size')
  await download({ server: identity.server, link, size, sha256, target, signal, timings, progress })
  const unpacked = readPackage(target)
  const name = `${unpacked.version}-${sha256.slice(0, 16)}`
  const { current } = readReleases(dataDir)
  if (name === current || (current === '' && unpacked.version === versionOf(programRoot))) {
    rmSync(target)
    return { data: { version: unpacked.version }, output: `已是版本 ${unpacked.version}` }
  }
  unpack(unpacked, join(folder, name))
  rmSync(target)
  if (!existsSync(join(folder, name, 'apps/agent/program.ts'))) throw new CommandFailure('更新包缺少程序文件')
  signal.throwIfAborted()
  writeReleases(dataDir, { current, candidate: { folder: name, taskId, attempts: 0 } })
  context.restartForUpdate()
  await new Promise<never>((_, reject) =>
    signal.addEventListener('abort', () => reject(new Error('stopped'))),
  )
  return {}
}
