import { declareContract } from '#kit/contract/module-contract.ts'
import * as choices from './choices.ts'
import * as deviceEvent from './device-event.ts'
import * as deviceHealth from './device-health.ts'
import * as deviceItem from './device-item.ts'
import * as deviceLookup from './device-lookup.ts'
import * as deviceModel from './device-model.ts'
import * as eventWords from './event-words.ts'
import * as deviceSecurity from './device-security.ts'
import * as device from './device.ts'
import * as gateway from './gateway.ts'
import * as remoteTask from './remote-task.ts'
import * as watchdog from './watchdog.ts'

export const contract = declareContract(
  choices,
  gateway,
  deviceModel,
  device,
  deviceLookup,
  remoteTask,
  deviceEvent,
  eventWords,
  deviceItem,
  deviceHealth,
  deviceSecurity,
  watchdog,
)
