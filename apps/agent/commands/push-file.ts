import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { download } from '../download.ts'
import { countOf, textOf, type JsonObject } from '../json.ts'
import { checkFileName, followPath } from '../paths.ts'
import { CommandFailure, type CommandContext, type CommandOutcome } from './command.ts'

/** The kinds of file that are pushed, by the ending of their name (RMT-4). */
const endings: Readonly<Record<string, RegExp>> = { file: /./, kernel: /\.kernel$/i, package: /\.zip$/i }

export function readHash(value: unknown): string {
  const sha256 = textOf(value, 'sha256', 64).toLowerCase()
  if (!/^[0-9a-f]{64}$/.test(sha256)) throw new CommandFailure('文件校验值无效')
  return sha256
}

export async function pushFile(input: JsonObject, context: CommandContext): Promise<CommandOutcome> {
  const action = textOf(input.action, 'action')
  const name = checkFileName(textOf(input.name, 'name'))
  const ending = Object.hasOwn(endings, action) ? endings[action] : undefined
  if (!ending) throw new CommandFailure('推送种类无法识别，请升级网关程序')
  if (!ending.test(name))
    throw new CommandFailure(`${name} 不是${action === 'kernel' ? '内核' : '程序包'}文件`)
  const directory = textOf(input.directory, 'directory')
  const folder = await followPath(directory, context.list, context.dataDir)
  if (!(await stat(folder)).isDirectory()) throw new CommandFailure(`${directory} 不是文件夹`)
  const target = join(folder, name)
  const found = await stat(target).catch(() => undefined)
  if (found?.isDirectory()) throw new CommandFailure(`${directory} 中已有同名文件夹 ${name}`)
  await download({
    server: context.identity.server,
    link: textOf(input.link, 'link'),
    size: countOf(input.size, 'size'),
    sha256: readHash(input.sha256),
    target,
    signal: context.signal,
    timings: context.timings,
    progress: context.progress,
  })
  return { data: { path: target } }
}
