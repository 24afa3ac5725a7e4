import { defined } from '#kit/domain/defined.ts'
import { driverCommands } from '#modules/devices/contract/driver-commands.ts'
import type { JsonObject } from '../json.ts'
import { DriverFailure, type DeviceConnection, type DeviceContext, type Driver } from './driver.ts'

const firmware = 'watchdog-1.0'

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/**
 * A power relay that is not there: what it would cut and switch on again it tells as an event, which is on
 * the disk before it answers.
 */
class SimulatedRelay implements DeviceConnection {
  readonly #context: DeviceContext

  constructor(context: DeviceContext) {
    this.#context = context
    context.setOnline(true, firmware)
  }

  async command(action: string, data: JsonObject): Promise<unknown> {
    switch (action) {
      case 'status':
        return { isOnline: true, firmware }
      case 'restartMachine':
      case 'restartService': {
        const restarted = {
          action,
          gateNo: textOf(data.gateNo),
          hostName: textOf(data.hostName),
          ...(action === 'restartService' && { serviceName: textOf(data.serviceName) }),
        }
        await this.#context.event({ type: 'watchdogRestarted', data: restarted, isCritical: true })
        return restarted
      }
      default:
        throw new DriverFailure(`看门狗设备不支持 ${action}`)
    }
  }

  async apply(items: Parameters<DeviceConnection['apply']>[0]): ReturnType<DeviceConnection['apply']> {
    return items.map(({ key, version }) => ({
      key,
      version,
      outcome: 'failed' as const,
      reason: '看门狗设备不保存下发项',
    }))
  }

  async stop(): Promise<void> {}
}

export const driver: Driver = {
  commands: defined(driverCommands.watchdog),
  start: async context => new SimulatedRelay(context),
}
