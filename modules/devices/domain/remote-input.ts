import type { AgentCommandInputs } from '../contract/agent-commands.ts'
import type { RemoteCommand } from '../contract/remote-command.ts'

/** What is read from `cmdData`; commands that send a file take theirs from the file. */
export type ParsedInput = { readonly input: Readonly<Record<string, unknown>> } | { readonly fault: string }

type TextCommand = Exclude<RemoteCommand, 'pushFile' | 'updateAgent'>

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The JSON of an input, or nothing where it is its main value alone. */
function readJson(text: string): Readonly<Record<string, unknown>> | undefined {
  if (!text.trimStart().startsWith('{')) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

const textMember = (value: unknown, max: number): string | undefined => {
  if (typeof value !== 'string') return undefined
  const text = value.trim()
  return text && text.length <= max && !text.includes('\0') ? text : undefined
}

/** Reads an input, or says what is wrong with it. */
type Reader<I> = (text: string, json: Readonly<Record<string, unknown>> | undefined) => I | string
type InputOf<C extends RemoteCommand> = AgentCommandInputs[C]

const readNothing = (): object => ({})

const readService: Reader<InputOf<'startService'>> = (text, json) => {
  const name = textMember(json ? json.name : text, 200)
  return name === undefined ? '请填写服务名' : { name }
}

const readPath = (isRequired: boolean): Reader<InputOf<'listDirectory'>> => {
  return (text, json) => {
    const path = textMember(json ? json.path : text, 1000)
    if (path !== undefined) return { path }
    return isRequired ? '请填写路径' : { path: '' }
  }
}

const readProcess: Reader<InputOf<'killProcess'>> = (text, json) => {
  const pid = Number(json ? json.pid : text)
  if (!Number.isSafeInteger(pid) || pid <= 0) return '请填写进程号'
  const startedAt = textMember(json?.startedAt, 40)
  return { pid, ...(startedAt === undefined ? {} : { startedAt }) }
}

const readFile: Reader<InputOf<'runFile'>> = (text, json) => {
  const path = textMember(json ? json.path : text, 1000)
  if (path === undefined) return '请填写文件路径'
  const rawArguments = json?.arguments
  if (rawArguments === undefined) return { path }
  const texts = Array.isArray(rawArguments) ? rawArguments.filter(item => typeof item === 'string') : []
  if (!Array.isArray(rawArguments) || texts.length !== rawArguments.length || texts.length > 50)
    return '运行参数格式不正确'
  return { path, arguments: texts }
}

const readShell: Reader<InputOf<'runShell'>> = (text, json) => {
  const commandLine = textMember(json ? json.commandLine : text, 2000)
  return commandLine === undefined ? '请填写要执行的命令' : { commandLine }
}

const readDevice: Reader<InputOf<'device'>> = (text, json) => {
  const action = textMember(json ? json.action : text, 60)
  if (action === undefined) return '请填写设备指令'
  const data = json?.data
  if (data !== undefined && !isRecord(data)) return '设备指令的参数格式不正确'
  return { action, ...(data === undefined ? {} : { data }) }
}

const readers: { readonly [C in TextCommand]: Reader<InputOf<C>> } = {
  listProcesses: readNothing,
  killProcess: readProcess,
  listServices: readNothing,
  startService: readService,
  stopService: readService,
  restartService: readService,
  runFile: readFile,
  deleteFile: readPath(true),
  listDirectory: readPath(false),
  restartMachine: readNothing,
  runShell: readShell,
  device: readDevice,
}

/** The input of a command from what the operator gave: its JSON, or the one value that it needs. */
export function parseCommandData(command: TextCommand, text = ''): ParsedInput {
  const read = readers[command](text, readJson(text))
  return typeof read === 'string' ? { fault: read } : { input: { ...read } }
}
