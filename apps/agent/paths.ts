import { realpath } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { pushedNameFault } from '#modules/devices/contract/pushed-name.ts'
import { errorCode } from './atomic-file.ts'
import { CommandRefusal } from './commands/command.ts'
import { filesFolder, protectedFolders, type LocalPermissions } from './local-permissions.ts'

const isInside = (folder: string, path: string): boolean => {
  const way = relative(folder, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}

const realOrUndefined = (path: string): Promise<string | undefined> => realpath(path).catch(() => undefined)

/** The text as a path: absolute, without what systems cut off or read otherwise. */
function checkText(path: string): string {
  if (path === '') throw new CommandRefusal('请指定路径')
  if (path.includes('\0') || path.length > 4096) throw new CommandRefusal('路径无效')
  if (!isAbsolute(path)) throw new CommandRefusal(`路径 ${path} 应为绝对路径`)
  return resolve(path)
}

async function assertAllowed(real: string, list: LocalPermissions, dataDir: string): Promise<void> {
  const folders = await Promise.all(list.folders.map(realOrUndefined))
  if (!folders.some(folder => folder !== undefined && isInside(folder, real)))
    throw new CommandRefusal(
      `路径不在此机器允许的文件夹内。允许的文件夹：${list.folders.join('、') || '无'}；由此机器的 agent.json 决定。`,
    )
  const files = await realOrUndefined(filesFolder(dataDir))
  if (files !== undefined && isInside(files, real)) return
  if (protectedFolders(dataDir).some(folder => isInside(folder, real)))
    throw new CommandRefusal('网关程序自己的文件不能由服务器查看或修改')
}

/** What the path leads to, through all links; refused when that is outside of the allowed folders. */
export async function followPath(path: string, list: LocalPermissions, dataDir: string): Promise<string> {
  const checked = checkText(path)
  const real = await realpath(checked).catch((error: unknown) => {
    throw new CommandRefusal(errorCode(error) === 'ENOENT' ? `${path} 不存在` : `无法打开 ${path}`)
  })
  await assertAllowed(real, list, dataDir)
  return real
}

/** The entry itself, though it be a link: only its folder is followed. */
export async function entryPath(path: string, list: LocalPermissions, dataDir: string): Promise<string> {
  const checked = checkText(path)
  const real = await realOrUndefined(checked)
  const allowed = await Promise.all(list.folders.map(realOrUndefined))
  if (real !== undefined && allowed.includes(real))
    throw new CommandRefusal(`${path} 是此机器允许的文件夹本身，只能操作其中的文件`)
  const folder = await followPath(dirname(checked), list, dataDir)
  const entry = join(folder, basename(checked))
  await assertAllowed(entry, list, dataDir)
  return entry
}

/** A file's name on its own: FILE-2, and nothing that a system reads as a path or a device. */
export function checkFileName(name: string): string {
  // oxlint-disable-next-line eslint/no-control-regex -- control characters are what is refused
  if (!name || name.length > 100 || /[\\/:*?"<>|\u0000-\u001f]/.test(name))
    throw new CommandRefusal('文件名无效：不超过 100 个字符，不含 \\ / : * ? " < > |')
  const fault = pushedNameFault(name)
  if (fault !== undefined) throw new CommandRefusal(fault)
  return name
}
