import type { InstanceDetail } from '../contract/instance.ts'
import { instanceDialogs, type InstanceDialog } from './instance-dialogs.tsx'

interface OpenDialogProps {
  readonly dialog: InstanceDialog
  readonly instance: InstanceDetail
  readonly onClose: () => void
}

export function OpenDialog({ dialog, instance, onClose }: OpenDialogProps) {
  const Dialog = instanceDialogs[dialog]
  return <Dialog record={instance} onClose={onClose} />
}
