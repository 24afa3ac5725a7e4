import type { ComponentType } from 'react'
import type { Permission } from '#kit/contract/call.ts'
import { createExtensionPoint } from '#kit/web/extension-point.ts'
import type { Car } from '../contract/car.ts'

/** What other modules know of a car, each as a tab of it. */
interface CarTab {
  readonly key: string
  readonly label: string
  readonly needs: Permission
  readonly Body: ComponentType<{ readonly car: Car }>
}

export const carTabs = createExtensionPoint<CarTab>()
