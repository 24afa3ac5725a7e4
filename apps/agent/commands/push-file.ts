import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { keysOf } from '#kit/contract/field.ts'
import { pushAction } from '#modules/devices/contract/choices.ts'
import { download } from '../download.ts'
import { countOf, textOf, type JsonObject } from '../json.ts'
import { checkFileName, followPath } from '../paths.ts'
import { CommandFailure, type CommandContext, type CommandOutcome } from './command.ts'

/** RMT-4; by which name a file is one of them is the server's to know. */
const actions: ReadonlySet<unknown> = new Set(keysOf(pushAction))

export function readHash(value: unknown): string {
  const sha256 = textOf(value, 'sha256', 64).toLowerCase()
  if (!/^[0-9a-f]{64}$/.test(sha256)) throw new CommandFailure('文件校验值无效')
  return sha256
}

export async function pushFile(input: JsonObject, context: CommandContext): Promise<CommandOutcome> {
  const action = textOf(input.action, 'action')
  const name = checkFileName(textOf(input.name, 'name'))
  if (!actions.has(action)) throw new CommandFailure('推送种类无法识别，请升级网关程序')
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
