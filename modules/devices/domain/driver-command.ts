import { driverCommands, type CommandArgument, type DriverCommand } from '../contract/driver-commands.ts'

type Values = Readonly<Record<string, unknown>>

/** The commands that a driver declares; undefined where it declares none. */
export const commandsOf = (driver: string | undefined): readonly DriverCommand[] | undefined =>
  driver !== undefined && Object.hasOwn(driverCommands, driver) ? driverCommands[driver] : undefined

const hasValue = (value: unknown): boolean => value !== undefined && value !== null && value !== ''

const findDeclared = (action: string): DriverCommand | undefined =>
  Object.values(driverCommands)
    .flat()
    .find(command => command.action === action)

/** The label for the operator; the action itself where no driver declares it. */
export const deviceActionLabel = (action: string): string => findDeclared(action)?.label ?? action

/** How long an action may take, where it differs from the usual time (RMT-1). */
export const actionTimeoutMs = (action: string): number | undefined => findDeclared(action)?.timeoutMs

function valueText({ options = [], unit }: CommandArgument, value: unknown): string {
  if (typeof value === 'boolean') return value ? '是' : '否'
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  const label = options.find(([option]) => option === text)?.[1] ?? text
  return unit === undefined ? label : `${label} ${unit}`
}

/** What was sent with an action: `保持开启 5 秒`. */
export function deviceDataText(action: string, data: Values): string {
  const declared = findDeclared(action)?.arguments ?? []
  if (Object.keys(data).some(key => !declared.some(argument => argument.key === key)))
    return JSON.stringify(data)
  return declared
    .filter(({ key }) => hasValue(data[key]))
    .map(argument => `${argument.label} ${valueText(argument, data[argument.key])}`)
    .join('，')
}

function textFault({ label, maxLength = 200 }: CommandArgument, value: unknown): string | undefined {
  if (typeof value !== 'string') return `${label}应为文本`
  return [...value].length > maxLength ? `${label}不能超过 ${maxLength} 个字` : undefined
}

function numberFault(argument: CommandArgument, value: unknown): string | undefined {
  const { label, min = 0, max = Number.MAX_SAFE_INTEGER, unit = '' } = argument
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) return `${label}应为整数`
  return value < min || value > max ? `${label}应为 ${min} 至 ${max}${unit}` : undefined
}

function choiceFault({ label, options = [] }: CommandArgument, value: unknown): string | undefined {
  return options.some(([option]) => option === String(value)) ? undefined : `${label}不在可选范围内`
}

const faultsByKind = {
  text: textFault,
  number: numberFault,
  flag: ({ label }: CommandArgument, value: unknown) =>
    typeof value === 'boolean' ? undefined : `${label}应为是或否`,
  choice: choiceFault,
}

export const argumentFault = (argument: CommandArgument, value: unknown): string | undefined => {
  if (!hasValue(value)) return argument.isRequired ? `请填写${argument.label}` : undefined
  return faultsByKind[argument.kind](argument, value)
}

/** Why a command cannot be sent to a device; undefined where it can, or where its driver declares none. */
export function driverCommandFault(
  driver: string | undefined,
  action: string,
  data: Values = {},
): string | undefined {
  const declared = commandsOf(driver)
  if (!declared) return undefined
  const command = declared.find(each => each.action === action)
  if (!command) return `设备没有「${action}」指令，可用：${declared.map(each => each.label).join('、')}`
  const { arguments: known = [] } = command
  const unknown = Object.keys(data).find(key => !known.some(argument => argument.key === key))
  if (unknown !== undefined) return `「${command.label}」没有参数 ${unknown}`
  return known.map(argument => argumentFault(argument, data[argument.key])).find(fault => fault !== undefined)
}
