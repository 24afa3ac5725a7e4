import type { ComponentType } from 'react'
import type { Permission } from '#kit/contract/call.ts'
import type { Id } from '#kit/domain/id.ts'
import { createExtensionPoint } from '#kit/web/extension-point.ts'

export interface Holder {
  readonly userId?: Id | undefined
  readonly staffId?: Id | undefined
}

/** Which doors somebody's cards and faces open, and why; provided by access control. */
interface HolderRights {
  readonly needs: Permission
  readonly List: ComponentType<{ readonly holder: Holder }>
}

export const holderRights = createExtensionPoint<HolderRights>()

/** The page under which a resident opens doors from the own telephone; provided by access control. */
interface HolderLinks {
  readonly needs: Permission
  readonly label: string
  readonly Dialog: ComponentType<{ readonly userId: Id; readonly onClose: () => void }>
}

export const holderLinks = createExtensionPoint<HolderLinks>()
