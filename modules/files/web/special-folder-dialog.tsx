import { Checkbox, Input, Modal } from 'antd'
import { useState } from 'react'
import { useSend } from '#kit/web/query.ts'
import { toast } from '#kit/web/toast.ts'
import { labelOf } from '#kit/contract/field.ts'
import { directoryType } from '../contract/choices.ts'
import { maxNameLength } from '../contract/limits.ts'
import { modifyFolder } from '../contract/node.ts'
import { nameFault, storedName } from '../domain/file-name.ts'
import { nodeKey } from './node.ts'

interface SpecialFolderDialogProps {
  readonly projectCode: string
  readonly type: 'push' | 'kernel'
  readonly onAdded: (key: string) => void
  readonly onClose: () => void
}

/** FILE-3: its name is permanent, so it is asked for before the folder is made. */
export function SpecialFolderDialog({ projectCode, type, onAdded, onClose }: SpecialFolderDialogProps) {
  const [name, setName] = useState('')
  const [isAgreed, setAgreed] = useState(false)
  const sending = useSend(modifyFolder)
  const title = labelOf(directoryType, type)
  const fault = name === '' ? undefined : nameFault(name)
  const add = async (): Promise<void> => {
    const folder = await sending.mutateAsync({
      projectCode,
      pid: 0,
      directoryType: type,
      name: storedName(name),
    })
    toast.success(`已新建${title}「${folder.name}」`)
    onAdded(nodeKey(folder))
    onClose()
  }
  return (
    <Modal
      open
      width={480}
      title={`新建${title}`}
      okText="新建"
      cancelText="取消"
      okButtonProps={{ disabled: !isAgreed || nameFault(name) !== undefined, loading: sending.isPending }}
      onOk={() => void add().catch(() => {})}
      onCancel={onClose}
    >
      <div className="special-folder-form">
        <Input
          autoFocus
          aria-label="名称"
          placeholder="名称"
          maxLength={maxNameLength}
          value={name}
          {...(fault !== undefined && { status: 'error' as const })}
          onChange={event => setName(event.target.value)}
        />
        {fault !== undefined && (
          <p className="file-failure" role="alert">
            {fault}
          </p>
        )}
        <p>存放发往现场设备的文件，只在最上层。新建后不能重命名、移动或删除，请核对名称。</p>
        <Checkbox checked={isAgreed} onChange={event => setAgreed(event.target.checked)}>
          名称已核对，新建后不再更改
        </Checkbox>
      </div>
    </Modal>
  )
}
