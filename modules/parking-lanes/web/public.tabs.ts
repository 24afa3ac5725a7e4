import type { ComponentType } from 'react'
import type { Permission } from '#kit/contract/call.ts'
import { createExtensionPoint } from '#kit/web/extension-point.ts'

/** A tab that another module adds to a screen of this one. */
export interface AddedTab {
  readonly key: string
  readonly label: string
  readonly needs: Permission
  readonly Body: ComponentType
}

/** Of 停车设置. */
export const setupTabs = createExtensionPoint<AddedTab>()

/** Of 出入记录. */
export const stayTabs = createExtensionPoint<AddedTab>()
