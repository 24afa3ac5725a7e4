import type { ComponentType } from 'react'
import type { Permission } from '#kit/contract/call.ts'
import { createExtensionPoint } from '#kit/web/extension-point.ts'

/** What other modules set up of car parks, each as a tab of 停车设置. */
interface SetupTab {
  readonly key: string
  readonly label: string
  readonly needs: Permission
  readonly Body: ComponentType
}

export const setupTabs = createExtensionPoint<SetupTab>()
