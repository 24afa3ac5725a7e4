import { focusFirstInput } from '#kit/web/focus-first-input.ts'
import { RequiredStar } from '#kit/web/required-star.tsx'
import { Button, Input, Modal } from 'antd'
import { useState } from 'react'
import type { Device } from '../contract/device.ts'
import type { CommandDevice, CommandGateway } from './remote-message.ts'
import { CommandProgress } from './command-progress.tsx'
import { startCommand } from './running-commands.ts'
import './remote.css'

const gatewayOf = (row: Device): CommandGateway => ({
  id: row.gatewayId,
  gateNo: row.gateNo,
  name: row.gateNo ?? row.name,
})

const deviceOf = (row: Device): CommandDevice => ({
  id: row.id,
  devNo: row.devNo,
  devType: row.devType,
  hostNo: row.hostNo,
  identity: row.identity,
  name: row.name,
})

/** Why the parameters are no JSON object; nothing where they are, or where there are none. */
function parametersFault(text: string): string | undefined {
  if (!text.trim()) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? undefined
      : '参数应为 JSON 对象，如 {"seconds":5}'
  } catch {
    return '参数不是有效的 JSON，如 {"seconds":5}'
  }
}

/** Sends a device one of its driver's own commands, and shows what it answers. */
export function ControlDialog({
  device,
  onClose,
}: {
  readonly device: Device
  readonly onClose: () => void
}) {
  const [action, setAction] = useState('')
  const [parameters, setParameters] = useState('')
  const [taskNo, setTaskNo] = useState<string>()
  const fault = parametersFault(parameters)
  const run = (): void => {
    const data = { action: action.trim(), ...(parameters.trim() ? { data: JSON.parse(parameters) } : {}) }
    setTaskNo(
      startCommand({
        gateway: gatewayOf(device),
        device: deviceOf(device),
        command: 'device',
        data: JSON.stringify(data),
      }),
    )
  }
  return (
    <Modal
      open
      afterOpenChange={focusFirstInput}
      width={560}
      title={`控制「${device.name}」`}
      onCancel={onClose}
      footer={
        <>
          <Button onClick={onClose}>关闭</Button>
          <Button type="primary" disabled={!action.trim() || fault !== undefined} onClick={run}>
            发送指令
          </Button>
        </>
      }
    >
      <div className="control-form">
        <label>
          <span>
            <RequiredStar />
            指令
          </span>
          <Input
            value={action}
            maxLength={60}
            placeholder="设备支持的指令，如 status"
            onChange={event => setAction(event.target.value)}
          />
        </label>
        <label>
          参数
          <Input.TextArea
            value={parameters}
            rows={3}
            maxLength={1500}
            status={fault ? 'error' : ''}
            placeholder='JSON，可不填，如 {"seconds":5}'
            onChange={event => setParameters(event.target.value)}
          />
          <small role={fault ? 'alert' : undefined}>{fault ?? `驱动：${device.driver ?? '--'}`}</small>
        </label>
        <CommandProgress taskNo={taskNo} />
      </div>
    </Modal>
  )
}
