import type { ChoiceOf } from '#kit/contract/field.ts'
import type { faultLevel } from '#modules/devices/contract/choices.ts'

interface DoorwayAlarm {
  /** Under which the fault of the device is known. */
  readonly code: string
  readonly title: string
  readonly level: ChoiceOf<typeof faultLevel>
  /** False: a person has to say that it was looked into. */
  readonly endsByItself: boolean
}

/** What the codes of all of them begin with: lists find them by it. */
export const doorwayAlarmPrefix = 'door.'

export const doorwayAlarms = {
  forced: { code: 'door.forced', title: '强行开门', level: 'critical', endsByItself: false },
  heldOpen: { code: 'door.heldOpen', title: '门未关', level: 'major', endsByItself: true },
} as const satisfies Readonly<Record<string, DoorwayAlarm>>

/** A code opened a door more often than it may: the server finds it, no device reports it. */
export const overuseAlarm: DoorwayAlarm = {
  code: 'door.overuse',
  title: '邀请码超次通行',
  level: 'major',
  endsByItself: false,
}

export const isDoorwayAlarm = (value: unknown): value is keyof typeof doorwayAlarms =>
  typeof value === 'string' && Object.hasOwn(doorwayAlarms, value)
