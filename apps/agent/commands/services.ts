import type { ServiceRow } from '#modules/devices/contract/agent-protocol.ts'
import { textOf, type JsonObject } from '../json.ts'
import { requireProgram, runProgram, type ProgramOptions } from '../run-program.ts'
import { CommandFailure, CommandRefusal, type CommandContext, type CommandOutcome } from './command.ts'
import { isWindows, queryPowerShell } from './windows.ts'

const optionsOf = (context: CommandContext): ProgramOptions => ({
  signal: context.signal,
  killMs: context.timings.killMs,
})

/** Where systemd did not start the machine, its own message is no help to an operator. */
async function systemctl(args: readonly string[], context: CommandContext): Promise<string> {
  const { code, output } = await runProgram('systemctl', args, optionsOf(context)).catch(() => ({
    code: 1,
    output: 'not been booted with systemd',
  }))
  if (code === 0) return output
  if (/not been booted with systemd|Failed to connect to bus/i.test(output))
    throw new CommandRefusal('此机器没有 systemd，不能管理服务')
  if (/\b(?:not found|not loaded|access denied|authentication required)\b/i.test(output))
    throw new CommandRefusal(output.trim().slice(0, 500), output)
  throw new CommandFailure(output.trim().slice(0, 500) || `systemctl 以 ${code} 结束`, output)
}

const stateOf = (active: string, sub: string): ServiceRow['state'] => {
  if (active === 'active') return sub === 'running' ? 'running' : 'other'
  if (active === 'failed') return 'failed'
  return active === 'inactive' ? 'stopped' : 'other'
}

async function listSystemd(context: CommandContext): Promise<ServiceRow[]> {
  const text = await systemctl(
    ['list-units', '--type=service', '--all', '--plain', '--no-legend', '--no-pager', '--full'],
    context,
  )
  return text.split('\n').flatMap(line => {
    const [unit, , active, sub, ...title] = line.trim().split(/\s+/)
    if (!unit?.endsWith('.service') || active === undefined || sub === undefined) return []
    return [{ name: unit.slice(0, -'.service'.length), title: title.join(' '), state: stateOf(active, sub) }]
  })
}

async function listWindows(context: CommandContext): Promise<ServiceRow[]> {
  const rows = await queryPowerShell(
    'Get-Service | Select-Object Name,DisplayName,@{n="State";e={[string]$_.Status}}',
    optionsOf(context),
  )
  const states: Readonly<Record<string, ServiceRow['state']>> = { Running: 'running', Stopped: 'stopped' }
  return rows.map(row => ({
    name: String(row.Name),
    title: String(row.DisplayName),
    state: states[String(row.State)] ?? 'other',
  }))
}

export async function listServices(_: JsonObject, context: CommandContext): Promise<CommandOutcome> {
  return { data: await (isWindows ? listWindows(context) : listSystemd(context)) }
}

function serviceName(input: JsonObject): string {
  const name = textOf(input.name, 'name', 256)
  if (!/^[\w@.:\\][\w@.:\\ -]*$/.test(name)) throw new CommandRefusal('服务名无效')
  return name
}

type ServiceAction = 'start' | 'stop' | 'restart'

const windowsActions: Readonly<Record<ServiceAction, string>> = {
  start: 'Start-Service',
  stop: 'Stop-Service -Force',
  restart: 'Restart-Service -Force',
}

export const controlService =
  (action: ServiceAction) =>
  async (input: JsonObject, context: CommandContext): Promise<CommandOutcome> => {
    const name = serviceName(input)
    if (isWindows) {
      const script = `$ErrorActionPreference='Stop'; ${windowsActions[action]} -Name '${name}'`
      const args = ['-NoProfile', '-NonInteractive', '-Command', script]
      return { output: await requireProgram('powershell.exe', args, optionsOf(context)) }
    }
    return { output: await systemctl([action, '--', `${name.replace(/\.service$/, '')}.service`], context) }
  }
