import type { Driver } from './driver.ts'

/** The drivers by the name that a device's model gives: a new one is a file here and a line below. */
export const drivers: Readonly<Record<string, () => Promise<{ readonly driver: Driver }>>> = {
  simulator: () => import('./simulator.ts'),
  isapi: () => import('./isapi.ts'),
  doorwaySimulator: () => import('./doorway-simulator.ts'),
  watchdog: () => import('./watchdog-simulator.ts'),
  lift: () => import('./lift-simulator.ts'),
}
