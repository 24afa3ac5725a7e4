import { constants } from 'node:fs'
import { access, lstat, readdir, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { DirectoryEntry } from '#modules/devices/contract/agent-protocol.ts'
import { errorCode } from '../atomic-file.ts'
import { listOf, textOf, type JsonObject } from '../json.ts'
import { entryPath, followPath } from '../paths.ts'
import { runProgram } from '../run-program.ts'
import { CommandRefusal, type CommandContext, type CommandOutcome } from './command.ts'
import { isWindows } from './windows.ts'

async function readEntry(path: string, name: string): Promise<DirectoryEntry | undefined> {
  const found = await lstat(path).catch(() => undefined)
  return (
    found && {
      name,
      size: found.isFile() ? found.size : 0,
      modified: found.mtime.toISOString(),
      type: found.isDirectory() ? 'folder' : found.isSymbolicLink() ? 'link' : 'file',
    }
  )
}

const filesAtOnce = 200

/** The entries of a folder, folders first; of an empty path: the folders that this computer allows. */
export async function listDirectory(input: JsonObject, context: CommandContext): Promise<CommandOutcome> {
  const path = textOf(input.path, 'path')
  if (path === '') {
    const roots = await Promise.all(context.list.folders.map(folder => readEntry(folder, folder)))
    return { data: roots.filter(root => root !== undefined).map(root => ({ ...root, type: 'drive' })) }
  }
  const folder = await followPath(path, context.list, context.dataDir)
  const names = await readdir(folder).catch((error: unknown) => {
    throw new CommandRefusal(errorCode(error) === 'ENOTDIR' ? `${path} 不是文件夹` : `没有权限查看 ${path}`)
  })
  const entries: DirectoryEntry[] = []
  for (let i = 0; i < names.length && !context.signal.aborted; i += filesAtOnce) {
    const part = names.slice(i, i + filesAtOnce)
    const found = await Promise.all(part.map(name => readEntry(join(folder, name), name)))
    entries.push(...found.filter(entry => entry !== undefined))
  }
  const rank = (entry: DirectoryEntry): number => (entry.type === 'folder' ? 0 : 1)
  const byName = new Intl.Collator('zh-CN', { numeric: true }).compare
  return { data: entries.toSorted((a, b) => rank(a) - rank(b) || byName(a.name, b.name)) }
}

export async function deleteFile(input: JsonObject, context: CommandContext): Promise<CommandOutcome> {
  const path = textOf(input.path, 'path')
  const entry = await entryPath(path, context.list, context.dataDir)
  const found = await lstat(entry).catch(() => undefined)
  if (!found) throw new CommandRefusal(`${path} 不存在`)
  if (found.isDirectory()) throw new CommandRefusal(`${path} 是文件夹，只能删除文件`)
  await unlink(entry).catch((error: unknown) => {
    const inUse = ['EBUSY', 'EPERM'].includes(errorCode(error))
    throw new CommandRefusal(inUse ? `${path} 正在使用或受保护` : `没有权限删除 ${path}`)
  })
  return {}
}

/** How a program ends is its own answer: the computer has done what was asked. */
const outcomeOf = (file: string, code: number | null, output: string): CommandOutcome => {
  if (code !== 0) throw new CommandRefusal(`${file} 以 ${code ?? '信号'} 结束`, output)
  return { output }
}

/** Runs a program file of an allowed folder to its end. */
export async function runFile(input: JsonObject, context: CommandContext): Promise<CommandOutcome> {
  const path = textOf(input.path, 'path')
  const args = listOf(input.arguments ?? [], 'arguments', entry => textOf(entry, 'arguments'))
  if (args.length > 100 || args.some(arg => arg.includes('\0'))) throw new CommandRefusal('参数无效')
  const file = await followPath(path, context.list, context.dataDir)
  if (!(await stat(file)).isFile()) throw new CommandRefusal(`${path} 不是文件`)
  const options = { signal: context.signal, killMs: context.timings.killMs, endsWithAgent: true }
  if (isWindows && /\.(bat|cmd)$/i.test(file)) {
    // cmd reads its own signs in arguments; Node does not quote them.
    if (args.some(arg => /[&|<>^%"!]/.test(arg))) throw new CommandRefusal('参数含有不能使用的符号')
    const { code, output } = await runProgram('cmd.exe', ['/d', '/c', file, ...args], options)
    return outcomeOf(path, code, output)
  }
  await access(file, constants.X_OK).catch(() => {
    throw new CommandRefusal(`${path} 无执行权限`)
  })
  const { code, output } = await runProgram(file, args, options)
  return outcomeOf(path, code, output)
}

export async function runShell(input: JsonObject, context: CommandContext): Promise<CommandOutcome> {
  const line = textOf(input.commandLine, 'commandLine', 8000)
  if (line.trim() === '' || line.includes('\0')) throw new CommandRefusal('请输入要执行的命令')
  const { signal, timings, list } = context
  const options = { signal, killMs: timings.killMs, cwd: list.folders[0], endsWithAgent: true }
  const { code, output } = await (isWindows
    ? runProgram('cmd.exe', ['/d', '/s', '/c', line], options)
    : runProgram('/bin/sh', ['-c', line], options))
  return outcomeOf('命令', code, output)
}
