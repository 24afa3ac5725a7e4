import { mkdirSync, realpathSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { keysOfRecord } from '#kit/domain/records.ts'
import type { AgentCommand } from '#modules/devices/contract/agent-protocol.ts'
import { readIfPresent, writeFileAtomic } from './atomic-file.ts'
import { AgentError } from './exit-codes.ts'
import { countOf, listOf, objectOf, parseJson, textOf } from './json.ts'
import { programRoot } from './version.ts'
import { errorText } from './error-text.ts'

/** What each command is called when it is refused. */
const titles: Readonly<Record<AgentCommand, string>> = {
  listProcesses: '查看进程',
  killProcess: '结束进程',
  listServices: '查看服务',
  startService: '启动服务',
  stopService: '停止服务',
  restartService: '重启服务',
  runFile: '运行文件',
  deleteFile: '删除文件',
  listDirectory: '查看目录',
  restartMachine: '重启机器',
  runShell: '执行命令',
  pushFile: '接收文件',
  updateAgent: '更新程序',
  device: '操作设备',
}

export const agentCommands: readonly AgentCommand[] = keysOfRecord(titles)
export const isAgentCommand = (name: string): name is AgentCommand => Object.hasOwn(titles, name)

/** What the owner of this computer allows. Only people at this computer change it. */
export interface LocalPermissions {
  readonly commands: readonly AgentCommand[]
  readonly folders: readonly string[]
  readonly bufferMegabytes: number
}

const fileOf = (dataDir: string): string => join(dataDir, 'agent.json')
export const filesFolder = (dataDir: string): string => join(dataDir, 'files')

const defaultPermissions = (dataDir: string): LocalPermissions => ({
  commands: agentCommands.filter(command => command !== 'runShell'),
  folders: [filesFolder(dataDir)],
  bufferMegabytes: 256,
})

const write = (dataDir: string, list: LocalPermissions): void =>
  writeFileAtomic(fileOf(dataDir), `${JSON.stringify(list, null, 2)}\n`)

function parsePermissions(text: string): LocalPermissions {
  const stored = objectOf(parseJson(text), 'agent.json')
  const commands = listOf(stored.commands, 'commands', entry => textOf(entry, 'commands'))
  const unknown = commands.find(command => !isAgentCommand(command))
  if (unknown !== undefined) throw new Error(`commands 中的 ${unknown} 无法识别`)
  const folders = listOf(stored.folders, 'folders', entry => textOf(entry, 'folders'))
  const relative = folders.find(folder => !isAbsolute(folder))
  if (relative !== undefined) throw new Error(`folders 中的 ${relative} 应为绝对路径`)
  return {
    commands: commands.filter(isAgentCommand),
    folders,
    bufferMegabytes: Math.max(1, countOf(stored.bufferMegabytes ?? 256, 'bufferMegabytes')),
  }
}

/** The list as it is on the disk now: a change by its owner counts from the next command on. */
export function readLocalPermissions(dataDir: string): LocalPermissions {
  const text = readIfPresent(fileOf(dataDir))
  try {
    return text === undefined ? defaultPermissions(dataDir) : parsePermissions(text)
  } catch (error) {
    const reason = errorText(error)
    throw new AgentError(`此机器的 ${fileOf(dataDir)} 有误：${reason}。请改正后重试。`)
  }
}

/** Writes the list where there is none yet; `allowShell` adds the shell to what is there. */
export function prepareLocalPermissions(dataDir: string, allowShell: boolean): void {
  mkdirSync(filesFolder(dataDir), { recursive: true, mode: 0o700 })
  const list = readLocalPermissions(dataDir)
  const commands: AgentCommand[] =
    allowShell && !list.commands.includes('runShell') ? [...list.commands, 'runShell'] : [...list.commands]
  if (commands.length > list.commands.length || readIfPresent(fileOf(dataDir)) === undefined) {
    write(dataDir, { ...list, commands })
  }
}

export function refusalOf(command: AgentCommand): string {
  const how = command === 'runShell' ? '，或以 --allow-shell 重新启动网关程序' : ''
  return `此机器不允许${titles[command]}。如需使用，请在此机器 agent.json 的 commands 中加入 ${command}${how}。`
}

/** What no list opens to the server: the agent's own data and program. */
export function protectedFolders(dataDir: string): string[] {
  return [dataDir, programRoot].map(folder => realpathSync(folder))
}
