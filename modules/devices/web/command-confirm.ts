import { labelOf } from '#kit/contract/field.ts'
import { confirmDanger } from '#kit/web/confirm.tsx'
import { remoteCommand } from '../contract/choices.ts'
import { commandRules, type RemoteCommand } from '../contract/remote-command.ts'
import type { CommandRequest } from './remote-message.ts'
import { startCommand } from './running-commands.ts'

/** The warning before a dangerous command runs (RMT-2). */
const consequences: Partial<Readonly<Record<RemoteCommand, string>>> = {
  killProcess: '进程立即结束，未保存的数据会丢失',
  stopService: '服务停止后，依赖它的设备无法工作，直到重新启动',
  deleteFile: '文件从现场计算机删除，无法恢复',
  restartMachine: '现场计算机重新启动，期间所接设备全部离线',
  runShell: '命令以网关程序的权限执行',
  updateAgent: '网关程序升级并重新启动，两分钟内未连接则恢复原版本',
}

const targetName = ({ device, gateway }: CommandRequest): string => device?.name ?? gateway.name

/**
 * Sends commands, those that are dangerous after a second confirmation (RMT-2). `detail` names the process,
 * the path, the command line. Returns their numbers; undefined where the operator cancels.
 */
export async function sendCommands(
  requests: readonly CommandRequest[],
  detail?: string,
): Promise<readonly string[] | undefined> {
  const [first] = requests
  if (!first) return undefined
  const { command } = first
  if (!commandRules[command].isDangerous) return requests.map(startCommand)
  const label = labelOf(remoteCommand, command)
  const names = requests.map(targetName)
  const consequence = consequences[command]
  const isConfirmed = await confirmDanger({
    actionLabel: label,
    unit: '台网关',
    count: requests.length,
    title:
      requests.length === 1 ? `在「${names[0] ?? ''}」${label}` : `在 ${requests.length} 台网关上${label}`,
    ...(requests.length === 1 && { okLabel: label }),
    consequences: [
      ...(detail ? [detail] : []),
      ...(consequence ? [consequence] : []),
      ...(names.length > 1 ? [names.join('、')] : []),
    ],
    reason: false,
    // screens.md §5: the name, or of several the count, is typed.
    confirmText: names.length === 1 ? (names[0] ?? '') : String(names.length),
    run: () => Promise.resolve(),
  })
  return isConfirmed ? requests.map(request => startCommand({ ...request, isConfirmed: true })) : undefined
}

/** The same for one. */
export const sendCommand = async (request: CommandRequest, detail?: string): Promise<string | undefined> =>
  (await sendCommands([request], detail))?.[0]
