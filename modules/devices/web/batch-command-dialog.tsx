import { Button, Input, Modal, Select } from 'antd'
import { useState } from 'react'
import { labelOf } from '#kit/contract/field.ts'
import { usePermission } from '#kit/web/session.ts'
import { remoteCommand } from '../contract/choices.ts'
import { commandRules, type RemoteCommand } from '../contract/remote-command.ts'
import { sendCommands } from './command-confirm.ts'
import { CommandOutput, CommandState } from './command-progress.tsx'
import { isEnded } from './command-state.ts'
import { commandRefusal, type RemoteGateway } from './gateway-access.ts'
import { useRunningCommands } from './running-commands.ts'
import './gateways.css'

/** What makes sense on several computers at once, and what each asks for. */
const batchCommands: readonly (readonly [command: RemoteCommand, parameter?: string, example?: string])[] = [
  ['restartService', '服务名', 'anju-agent'],
  ['startService', '服务名', 'anju-agent'],
  ['stopService', '服务名', 'anju-agent'],
  ['runFile', '文件路径', '/opt/door/check.sh'],
  ['deleteFile', '文件路径', '/opt/door/old.log'],
  ['runShell', '命令', 'df -h'],
  ['restartMachine'],
]

function ResultTable({ taskNos }: { readonly taskNos: readonly string[] }) {
  const commands = useRunningCommands(taskNos)
  return (
    <table className="plain-table batch-results" aria-label="执行情况">
      <thead>
        <tr>
          <th>网关</th>
          <th>状态与结果</th>
        </tr>
      </thead>
      <tbody>
        {commands.map(command => (
          <tr key={command.taskNo}>
            <th scope="row">{command.request.gateway.name}</th>
            <td>
              <CommandState command={command} />
              {isEnded(command.state) && command.output && <CommandOutput text={command.output} />}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function SkippedGateways({
  gateways,
  command,
}: {
  readonly gateways: readonly RemoteGateway[]
  readonly command: RemoteCommand
}) {
  const skipped = gateways.flatMap(gateway => {
    const reason = commandRefusal(gateway, command)
    return reason ? [{ gateway, reason }] : []
  })
  if (!skipped.length) return null
  return (
    <ul className="batch-skipped" aria-label="不执行的网关">
      {skipped.map(({ gateway, reason }) => (
        <li key={gateway.id}>
          {gateway.name}：{reason}
        </li>
      ))}
    </ul>
  )
}

/** One command on several gateways at once, with the result of each. */
export function BatchCommandDialog({
  gateways,
  onClose,
}: {
  readonly gateways: readonly RemoteGateway[]
  readonly onClose: () => void
}) {
  const hasPermission = usePermission()
  const choices = batchCommands.filter(([command]) => hasPermission(commandRules[command].needs))
  const [command, setCommand] = useState<RemoteCommand | undefined>(choices[0]?.[0])
  const [value, setValue] = useState('')
  const [taskNos, setTaskNos] = useState<readonly string[]>([])
  const [, parameter, example] = choices.find(([key]) => key === command) ?? []
  const reachable = command ? gateways.filter(gateway => !commandRefusal(gateway, command)) : []
  const isIncomplete = !command || !reachable.length || (parameter !== undefined && !value.trim())
  const run = async (): Promise<void> => {
    if (!command) return
    const data = parameter ? value.trim() : undefined
    const sent = await sendCommands(
      reachable.map(gateway => ({ gateway, command, data })),
      parameter && `${parameter}：${value.trim()}`,
    )
    if (sent) {
      setTaskNos(sent)
    }
  }
  return (
    <Modal
      open
      width={720}
      title={`在 ${gateways.length} 台网关上执行指令`}
      onCancel={onClose}
      footer={
        <>
          <Button onClick={onClose}>关闭</Button>
          <Button type="primary" disabled={isIncomplete} onClick={() => void run()}>
            {command ? `${labelOf(remoteCommand, command)}（${reachable.length} 台）` : '执行'}
          </Button>
        </>
      }
    >
      <div className="batch-form">
        <Select
          aria-label="指令"
          value={command}
          options={choices.map(([key]) => ({ value: key, label: labelOf(remoteCommand, key) }))}
          onChange={setCommand}
        />
        {parameter && (
          <Input
            aria-label={parameter}
            placeholder={`${parameter}，如 ${example ?? ''}`}
            maxLength={1000}
            value={value}
            onChange={event => setValue(event.target.value)}
          />
        )}
      </div>
      {!choices.length && <p>无远程指令权限，请联系管理员授权</p>}
      {command && <SkippedGateways gateways={gateways} command={command} />}
      {taskNos.length > 0 && <ResultTable taskNos={taskNos} />}
    </Modal>
  )
}
