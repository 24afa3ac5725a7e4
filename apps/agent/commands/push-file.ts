import { copyFile, link, lstat, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { keysOf } from '#kit/contract/field.ts'
import { pushAction } from '#modules/devices/contract/choices.ts'
import { download } from '../download.ts'
import { errorText } from '../error-text.ts'
import { countOf, textOf, type JsonObject } from '../json.ts'
import { checkFileName, followPath } from '../paths.ts'
import { CommandFailure, CommandRefusal, type CommandContext, type CommandOutcome } from './command.ts'

/** RMT-4; by which name a file is one of them is the server's to know. */
const actions: ReadonlySet<unknown> = new Set(keysOf(pushAction))

export function readHash(value: unknown): string {
  const sha256 = textOf(value, 'sha256', 64).toLowerCase()
  if (!/^[0-9a-f]{64}$/.test(sha256)) throw new CommandRefusal('文件校验值无效')
  return sha256
}

/**
 * What stood in the place of a pushed file is kept under its name with an ending: the site's own, which was
 * the first to be replaced, permanently; of what was pushed since, the last.
 */
const firstEnding = '.bak'
const lastEnding = '.bak2'

const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  )

const isRegularFile = (path: string): Promise<boolean> =>
  lstat(path).then(
    found => found.isFile(),
    () => false,
  )

/** Keeps the file that is about to be replaced: it stays in its place until the new one takes it. */
async function keepOld(target: string): Promise<string | undefined> {
  if (!(await isRegularFile(target))) return undefined
  const first = `${target}${firstEnding}`
  const kept = (await exists(first)) ? `${target}${lastEnding}` : first
  const temporary = `${kept}.new`
  await rm(temporary, { force: true })
  // Some file systems have no second names.
  await link(target, temporary).catch(() => copyFile(target, temporary))
  await rename(temporary, kept).catch(async (error: unknown) => {
    await rm(temporary, { force: true })
    throw new CommandFailure(`同名的原文件无法保存为 ${kept}：${errorText(error)}`)
  })
  return kept
}

/** RMT-4: the device's driver brings the kernel to the device, once the file is there and checked. */
async function installKernel(
  { action, name, path, sha256 }: Readonly<Record<'action' | 'name' | 'path' | 'sha256', string>>,
  { deviceId, sendKernel }: CommandContext,
): Promise<object> {
  if (action !== 'kernel' || !deviceId) return {}
  const kernelVersion = await sendKernel(deviceId, { name, path, sha256 })
  return kernelVersion === undefined ? {} : { kernelVersion }
}

export async function pushFile(input: JsonObject, context: CommandContext): Promise<CommandOutcome> {
  const action = textOf(input.action, 'action')
  const name = checkFileName(textOf(input.name, 'name'))
  if (!actions.has(action)) throw new CommandRefusal('推送种类无法识别，请升级网关程序')
  const directory = textOf(input.directory, 'directory')
  const folder = await followPath(directory, context.list, context.dataDir)
  if (!(await stat(folder)).isDirectory()) throw new CommandRefusal(`${directory} 不是文件夹`)
  const target = join(folder, name)
  const found = await stat(target).catch(() => undefined)
  if (found?.isDirectory()) throw new CommandRefusal(`${directory} 中已有同名文件夹 ${name}`)
  const file = { size: countOf(input.size, 'size'), sha256: readHash(input.sha256) }
  const { signal, timings, progress } = context
  let kept: string | undefined
  const placed = await download({
    server: context.identity.server,
    link: textOf(input.link, 'link'),
    ...file,
    target,
    signal,
    timings,
    progress,
    beforePlacing: async () => {
      kept = await keepOld(target)
    },
  })
  const installed = await installKernel({ action, name, path: target, sha256: file.sha256 }, context)
  return {
    data: { path: target, ...(kept !== undefined && { keptPath: kept }), ...installed },
    output: placedText(target, kept, placed === 'unchanged'),
  }
}

function placedText(target: string, kept: string | undefined, isUnchanged: boolean): string {
  if (isUnchanged) return `${target} 已有相同内容的文件`
  return kept === undefined ? `已放入 ${target}` : `已替换 ${target}，原文件保存为 ${kept}`
}
