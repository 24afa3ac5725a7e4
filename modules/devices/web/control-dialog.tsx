import { focusFirstInput } from '#kit/web/focus-first-input.ts'
import { RequiredStar } from '#kit/web/required-star.tsx'
import { Button, Input, InputNumber, Modal, Select, Switch } from 'antd'
import TextArea from 'antd/es/input/TextArea'
import { useState } from 'react'
import type { Device } from '../contract/device.ts'
import type { CommandArgument, DriverCommand } from '../contract/driver-commands.ts'
import { driverText } from '../domain/driver-name.ts'
import { argumentFault, commandsOf } from '../domain/driver-command.ts'
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

type Values = Readonly<Record<string, string | number | boolean>>

interface CommandInput {
  readonly action: string
  readonly data?: object
}

interface InputProps {
  /** Undefined while it cannot be sent. */
  readonly onChange: (input: CommandInput | undefined) => void
}

function ArgumentInput({
  argument,
  value,
  onChange,
}: {
  readonly argument: CommandArgument
  readonly value: Values[string] | undefined
  readonly onChange: (value: Values[string] | undefined) => void
}) {
  const { kind, min, max, unit, options, maxLength, label } = argument
  if (kind === 'number')
    return (
      <InputNumber
        aria-label={label}
        precision={0}
        {...(min !== undefined && { min })}
        {...(max !== undefined && { max })}
        {...(unit !== undefined && { suffix: unit })}
        value={typeof value === 'number' ? value : null}
        onChange={next => onChange(next ?? undefined)}
      />
    )
  if (kind === 'flag')
    return <Switch aria-label={label} checked={value === true} onChange={next => onChange(next)} />
  if (kind === 'choice')
    return (
      <Select
        aria-label={label}
        allowClear
        value={value}
        options={(options ?? []).map(([option, text]) => ({ value: option, label: text }))}
        onChange={next => onChange(next)}
      />
    )
  return (
    <Input
      aria-label={label}
      maxLength={maxLength ?? 200}
      value={typeof value === 'string' ? value : ''}
      onChange={event => onChange(event.target.value || undefined)}
    />
  )
}

/** A flag that nobody has touched is off, as it is shown. */
const initialValues = (command: DriverCommand | undefined): Values =>
  Object.fromEntries(
    (command?.arguments ?? []).filter(({ kind }) => kind === 'flag').map(({ key }) => [key, false]),
  )

/** A choice of what the driver declares, and a field for each argument. */
function DeclaredInput({ commands, onChange }: InputProps & { readonly commands: readonly DriverCommand[] }) {
  const [action, setAction] = useState<string>()
  const [values, setValues] = useState<Values>({})
  const command = commands.find(each => each.action === action)
  const show = (chosen: DriverCommand | undefined, next: Values): void => {
    setValues(next)
    const isReady = chosen?.arguments?.every(each => !argumentFault(each, next[each.key])) ?? true
    onChange(
      chosen && isReady
        ? { action: chosen.action, ...(Object.keys(next).length > 0 && { data: next }) }
        : undefined,
    )
  }
  return (
    <>
      <label>
        <span>
          <RequiredStar />
          指令
        </span>
        <Select
          aria-label="指令"
          placeholder="请选择指令"
          value={action}
          options={commands.map(each => ({ value: each.action, label: each.label }))}
          onChange={next => {
            setAction(next)
            const chosen = commands.find(each => each.action === next)
            show(chosen, initialValues(chosen))
          }}
        />
      </label>
      {command?.arguments?.map(argument => (
        <label key={`${command.action} ${argument.key}`}>
          <span>
            {argument.isRequired && <RequiredStar />}
            {argument.label}
          </span>
          <ArgumentInput
            argument={argument}
            value={values[argument.key]}
            onChange={value => {
              const { [argument.key]: _replaced, ...others } = values
              show(command, value === undefined ? others : { ...others, [argument.key]: value })
            }}
          />
        </label>
      ))}
    </>
  )
}

/** The words of a driver that declares nothing. */
function TypedInput({ driver, onChange }: InputProps & { readonly driver: string | undefined }) {
  const [action, setAction] = useState('')
  const [parameters, setParameters] = useState('')
  const fault = parametersFault(parameters)
  const show = (nextAction: string, nextParameters: string): void => {
    setAction(nextAction)
    setParameters(nextParameters)
    const isReady = nextAction.trim() !== '' && parametersFault(nextParameters) === undefined
    const data = nextParameters.trim() && isReady ? { data: JSON.parse(nextParameters) } : {}
    onChange(isReady ? { action: nextAction.trim(), ...data } : undefined)
  }
  return (
    <>
      <label>
        <span>
          <RequiredStar />
          指令
        </span>
        <Input
          value={action}
          maxLength={60}
          placeholder="按设备手册填写，如 status"
          onChange={event => show(event.target.value, parameters)}
        />
      </label>
      <label>
        参数
        <TextArea
          value={parameters}
          rows={3}
          maxLength={1500}
          status={fault ? 'error' : ''}
          placeholder='JSON，可不填，如 {"seconds":5}'
          onChange={event => show(action, event.target.value)}
        />
        <small role={fault ? 'alert' : undefined}>
          {fault ?? `驱动：${driver === undefined ? '--' : driverText(driver)}`}
        </small>
      </label>
    </>
  )
}

interface ControlDialogProps {
  readonly device: Device
  readonly onClose: () => void
}

/** Sends a device one of its driver's own commands, and shows what it answers. */
export function ControlDialog({ device, onClose }: ControlDialogProps) {
  const [input, setInput] = useState<CommandInput>()
  const [taskNo, setTaskNo] = useState<string>()
  const commands = commandsOf(device.driver)
  const run = (): void =>
    setTaskNo(
      startCommand({
        gateway: gatewayOf(device),
        device: deviceOf(device),
        command: 'device',
        data: JSON.stringify(input),
      }),
    )
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
          <Button type="primary" disabled={!input} onClick={run}>
            发送指令
          </Button>
        </>
      }
    >
      <div className="control-form">
        {commands ? (
          <DeclaredInput commands={commands} onChange={setInput} />
        ) : (
          <TypedInput driver={device.driver} onChange={setInput} />
        )}
        <CommandProgress taskNo={taskNo} />
      </div>
    </Modal>
  )
}
