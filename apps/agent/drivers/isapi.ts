import { defined } from '#kit/domain/defined.ts'
import { driverCommands } from '#modules/devices/contract/driver-commands.ts'
import type { Driver } from './driver.ts'
import { IsapiConnection, readIsapiSettings } from './isapi/connection.ts'

/** Controllers and terminals of doors that speak ISAPI (ADR 33). */
export const driver: Driver = {
  commands: defined(driverCommands.isapi),
  start: async context =>
    new IsapiConnection(context, context.device.address, readIsapiSettings(context.device.settings)),
}
