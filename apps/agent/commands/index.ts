import type { AgentCommand } from '#modules/devices/contract/agent-protocol.ts'
import { textOf, objectOf } from '../json.ts'
import { CommandRefusal, type CommandDefinition } from './command.ts'
import { deleteFile, listDirectory, runFile, runShell } from './files.ts'
import { killProcess, listProcesses } from './processes.ts'
import { pushFile } from './push-file.ts'
import { restartMachine } from './restart-machine.ts'
import { controlService, listServices } from './services.ts'
import { updateAgent } from './update-agent.ts'

const once = (run: CommandDefinition['run']): CommandDefinition => ({ canRepeat: false, run })
const repeatable = (run: CommandDefinition['run']): CommandDefinition => ({ canRepeat: true, run })

export const commands: Readonly<Record<AgentCommand, CommandDefinition>> = {
  listProcesses: repeatable(listProcesses),
  killProcess: once(killProcess),
  listServices: repeatable(listServices),
  startService: once(controlService('start')),
  stopService: once(controlService('stop')),
  restartService: once(controlService('restart')),
  runFile: once(runFile),
  deleteFile: once(deleteFile),
  listDirectory: repeatable(listDirectory),
  restartMachine: once(restartMachine),
  runShell: once(runShell),
  pushFile: repeatable(pushFile),
  updateAgent: repeatable(updateAgent),
  device: once(async (input, { deviceId, sendToDevice }) => {
    if (!deviceId) throw new CommandRefusal('请选择设备')
    const action = textOf(input.action, 'action', 100)
    return { data: await sendToDevice(deviceId, action, objectOf(input.data ?? {}, 'data')) }
  }),
}
