import { Button, Modal } from 'antd'
import { FolderAddOutlined } from '@ant-design/icons'
import { useState } from 'react'
import type { Id } from '#kit/domain/id.ts'
import { Loaded } from '#kit/web/loaded.tsx'
import { useCall } from '#kit/web/query.ts'
import { sendAndInvalidate } from '#kit/web/record-actions.ts'
import { toast } from '#kit/web/toast.ts'
import { copyNodes, getFolderTree, modifyFolder, moveNodes } from '../contract/node.ts'
import { FolderTree } from './folder-tree.tsx'
import { nameNodes, selectionInput, versionedInput, type FileNode } from './node.ts'

const actions = {
  move: { title: '移动', button: '移动到此处', done: '已移动' },
  copy: { title: '复制', button: '复制到此处', done: '已复制' },
} as const

interface MoveDialogProps {
  readonly kind: keyof typeof actions
  readonly projectCode: string
  readonly nodes: readonly FileNode[]
  readonly onClose: () => void
}

/** Where the selection goes: the tree of folders, and a new folder in the chosen one. */
export function MoveDialog({ kind, projectCode, nodes, onClose }: MoveDialogProps) {
  const { title, button, done } = actions[kind]
  const tree = useCall(getFolderTree, { projectCode })
  const [target, setTarget] = useState<Id>()
  const [isBusy, setBusy] = useState(false)
  const addFolder = async (): Promise<void> => {
    const folder = await sendAndInvalidate(modifyFolder, { projectCode, pid: target ?? 0 })
    setTarget(folder.id)
    toast.success(`已新建文件夹「${folder.name}」`)
  }
  const submit = async (): Promise<void> => {
    if (target === undefined) return toast.warning('请选择目标文件夹')
    setBusy(true)
    try {
      const targetId = target
      await (kind === 'move'
        ? sendAndInvalidate(moveNodes, { projectCode, ...versionedInput(nodes), targetId })
        : sendAndInvalidate(copyNodes, { projectCode, ...selectionInput(nodes), targetId }))
      toast.success(`${done}${nameNodes(nodes)}`)
      onClose()
    } finally {
      setBusy(false)
    }
  }
  return (
    <Modal
      open
      width={480}
      title={`${title}${nameNodes(nodes)}`}
      onCancel={onClose}
      footer={
        <div className="move-foot">
          <Button
            icon={<FolderAddOutlined />}
            aria-label="新建文件夹"
            onClick={() => void addFolder().catch(() => {})}
          >
            新建文件夹
          </Button>
          <span className="spring" />
          <Button onClick={onClose}>取消</Button>
          <Button type="primary" loading={isBusy} onClick={() => void submit().catch(() => {})}>
            {button}
          </Button>
        </div>
      }
    >
      <div className="move-tree scroll">
        <Loaded query={tree} height={280} rows={6} width={[180]} keepsAnswer>
          {folders => <FolderTree tree={folders} current={target} label="目标文件夹" onSelect={setTarget} />}
        </Loaded>
      </div>
    </Modal>
  )
}
