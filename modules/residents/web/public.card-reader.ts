import type { ComponentType } from 'react'
import type { Permission } from '#kit/contract/call.ts'
import { createExtensionPoint } from '#kit/web/extension-point.ts'

/** Reads the number of a card at a device on site; provided by access control. */
interface CardReader {
  readonly needs: Permission
  readonly Button: ComponentType<{
    readonly projectCode: string
    readonly onRead: (cardNo: string) => void
  }>
}

export const cardReader = createExtensionPoint<CardReader>()
