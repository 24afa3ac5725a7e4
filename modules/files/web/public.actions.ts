import type { ComponentType } from 'react'
import type { Permission } from '#kit/contract/call.ts'
import { createExtensionPoint } from '#kit/web/extension-point.ts'
import type { FileNode } from '../contract/node.ts'
import type { DirectoryType, PushAction } from '../domain/file-actions.ts'

// The light half of the public part: what costs the start of another module nothing.

export interface PushDialogProps {
  readonly action: PushAction
  readonly projectCode: string
  readonly file: FileNode
  /** The type of the folder that the file is in. */
  readonly inside: DirectoryType
  readonly onClose: () => void
}

export interface PushHistoryProps {
  readonly file: FileNode
}

/** Sends a file of the manager to what is on site; provided by the module that keeps the connection. */
interface FilePusher {
  readonly needs: Readonly<Record<PushAction, Permission>>
  readonly Dialog: ComponentType<PushDialogProps>
  /** Where a file was pushed to, and what became of it; with the right to see that. */
  readonly historyNeeds: Permission
  readonly History: ComponentType<PushHistoryProps>
}

export const filePushers = createExtensionPoint<FilePusher>()
export type { PushAction }
