import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { defined } from '#kit/domain/defined.ts'
import type { ProcessRow } from '#modules/devices/contract/agent-protocol.ts'
import { errorCode } from '../atomic-file.ts'
import { countOf, textOf, type JsonObject } from '../json.ts'
import { CommandFailure, CommandRefusal, type CommandContext, type CommandOutcome } from './command.ts'
import { isWindows, queryPowerShell } from './windows.ts'

/** Linux counts processor time in hundredths of a second for every program (USER_HZ). */
const ticksPerSecond = 100

interface Machine {
  readonly bootSeconds: number
  readonly users: ReadonlyMap<string, string>
}

async function readMachine(): Promise<Machine> {
  const [stat, passwd] = await Promise.all([
    readFile('/proc/stat', 'utf8'),
    readFile('/etc/passwd', 'utf8').catch(() => ''),
  ])
  const users = passwd.split('\n').flatMap(line => {
    const [name, , uid] = line.split(':')
    return name && uid ? [[uid, name] as const] : []
  })
  return { bootSeconds: Number(/^btime (\d+)$/m.exec(stat)?.[1] ?? 0), users: new Map(users) }
}

/** A process of Linux; undefined when it has ended. */
async function readProcess(pid: number, machine: Machine): Promise<ProcessRow | undefined> {
  const read = (name: string): Promise<string> => readFile(`/proc/${pid}/${name}`, 'utf8')
  try {
    const [stat, status, commandLine] = await Promise.all([read('stat'), read('status'), read('cmdline')])
    // The name is in brackets and may hold any character; the numbers begin behind the last one.
    const numbers = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const startedSeconds = machine.bootSeconds + Number(numbers[19]) / ticksPerSecond
    const usedSeconds = (Number(numbers[11]) + Number(numbers[12])) / ticksPerSecond
    const livedSeconds = Math.max(1, Date.now() / 1000 - startedSeconds)
    const uid = /^Uid:\s+(\d+)/m.exec(status)?.[1] ?? ''
    return {
      pid,
      name: commandLine.replaceAll('\0', ' ').trim().slice(0, 200) || defined(/\((.*)\)/s.exec(stat)?.[1]),
      user: machine.users.get(uid) ?? uid,
      memoryBytes: Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) * 1024,
      cpuPercent: Math.round((usedSeconds / livedSeconds) * 1000) / 10,
      startedAt: new Date(startedSeconds * 1000).toISOString(),
    }
  } catch {
    return undefined
  }
}

async function listLinux(): Promise<ProcessRow[]> {
  const [machine, entries] = await Promise.all([readMachine(), readdir('/proc')])
  const pids = entries.filter(entry => /^\d+$/.test(entry)).map(Number)
  const rows = await Promise.all(pids.map(pid => readProcess(pid, machine)))
  return rows.filter(row => row !== undefined)
}

async function listWindows({ signal, timings }: CommandContext): Promise<ProcessRow[]> {
  const rows = await queryPowerShell(
    'Get-Process -IncludeUserName | Select-Object Id,ProcessName,UserName,WorkingSet64,CPU,@{n="Started";e={$_.StartTime.ToUniversalTime().ToString("o")}}',
    { signal, killMs: timings.killMs },
  )
  return rows.map(row => ({
    pid: Number(row.Id),
    name: String(row.ProcessName),
    user: String(row.UserName ?? ''),
    memoryBytes: Number(row.WorkingSet64 ?? 0),
    cpuPercent: processorShare(Number(row.CPU ?? 0), String(row.Started ?? '')),
    startedAt: String(row.Started ?? ''),
  }))
}

function processorShare(usedSeconds: number, startedAt: string): number {
  const livedSeconds = (Date.now() - Date.parse(startedAt)) / 1000
  return livedSeconds > 0 ? Math.round((usedSeconds / livedSeconds) * 1000) / 10 : 0
}

async function list(context: CommandContext): Promise<ProcessRow[]> {
  if (isWindows) return await listWindows(context)
  if (process.platform !== 'linux') throw new CommandRefusal('此机器的系统不支持查看进程')
  return await listLinux()
}

export async function listProcesses(_: JsonObject, context: CommandContext): Promise<CommandOutcome> {
  return { data: await list(context) }
}

/** No system numbers its processes further. */
const maxPid = 2 ** 31 - 1

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return errorCode(error) === 'EPERM'
  }
}

function sendSignal(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    const code = errorCode(error)
    if (code === 'ESRCH') throw new CommandRefusal(`进程 ${pid} 不存在，请刷新列表`)
    if (code === 'EPERM') throw new CommandRefusal(`没有权限结束进程 ${pid}`)
    throw error
  }
}

/** Asks the process to end and ends it when it does not. */
export async function killProcess(input: JsonObject, context: CommandContext): Promise<CommandOutcome> {
  const pid = countOf(input.pid, 'pid')
  if (pid > maxPid) throw new CommandRefusal(`进程 ${pid} 不存在，请刷新列表`)
  if (pid <= 1 || pid === process.pid || pid === process.ppid)
    throw new CommandRefusal('不能结束系统进程与网关程序自己')
  if (input.startedAt !== undefined) {
    const startedAt = Date.parse(textOf(input.startedAt, 'startedAt'))
    const row = (await list(context)).find(process_ => process_.pid === pid)
    // The system's clock may have been set in between: a second is the same process.
    if (!row || Math.abs(Date.parse(row.startedAt) - startedAt) > 1000)
      throw new CommandRefusal(`进程 ${pid} 已变化，请刷新列表`)
  }
  sendSignal(pid, 'SIGTERM')
  for (let waited = 0; waited < context.timings.killMs && isAlive(pid); waited += 50) {
    await sleep(50)
  }
  if (isAlive(pid)) {
    sendSignal(pid, 'SIGKILL')
    await sleep(200)
  }
  if (isAlive(pid)) throw new CommandFailure(`进程 ${pid} 未能结束`)
  return {}
}
