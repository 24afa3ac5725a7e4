import { Button, Modal } from 'antd'
import type { ReactNode } from 'react'
import { nameNodes, type FileNode } from './node.ts'

/** A dialog about what was selected when it was opened. */
export interface NodeDialogProps {
  readonly projectCode: string
  readonly nodes: readonly FileNode[]
  readonly onClose: () => void
}

interface FrameProps extends Omit<NodeDialogProps, 'projectCode'> {
  /** What is done with the nodes: 下载. */
  readonly action: string
  readonly okLabel: string
  readonly cancelLabel?: string
  readonly isBusy: boolean
  /** Undefined once it is done: only 完成 is left. */
  readonly run: (() => Promise<void>) | undefined
  readonly children: ReactNode
}

export const NodeDialog = ({ action, nodes, onClose, run, children, ...labels }: FrameProps) => (
  <Modal
    open
    width={520}
    title={`${action}${nameNodes(nodes)}`}
    onCancel={onClose}
    footer={
      run ? (
        <>
          <Button onClick={onClose}>{labels.cancelLabel ?? '取消'}</Button>
          <Button type="primary" loading={labels.isBusy} onClick={() => void run().catch(() => {})}>
            {labels.okLabel}
          </Button>
        </>
      ) : (
        <Button type="primary" onClick={onClose}>
          完成
        </Button>
      )
    }
  >
    {children}
  </Modal>
)
