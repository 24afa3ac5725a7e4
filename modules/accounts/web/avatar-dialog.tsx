import { readTexts } from '#kit/web/controls/read-value.ts'
import { Button, Modal } from 'antd'
import { useState } from 'react'
import { ImageUpload } from '#kit/web/controls/image-upload.tsx'
import { send } from '#kit/web/send.ts'
import { session, signIn } from '#kit/web/session.ts'
import { changeAvatar } from '../contract/account.ts'

interface AvatarDialogProps {
  readonly headImage: string | undefined
  readonly onClose: () => void
  readonly onDone: (text: string) => void
}

/** The caller's own picture: uploaded, replaced or removed. */
export function AvatarDialog({ headImage, onClose, onDone }: AvatarDialogProps) {
  const [head, setHead] = useState<readonly string[] | undefined>(headImage ? [headImage] : [])
  const save = async (): Promise<void> => {
    const key = head?.[0]
    try {
      await send(changeAvatar, key ? { headImage: key } : {})
    } catch {
      return
    }
    const { signed } = session.getState()
    if (signed) {
      const { headImage: _headImage, ...rest } = signed.manager
      signIn({ ...signed, manager: { ...rest, ...(key ? { headImage: key } : {}) } })
    }
    onDone(key ? '头像已更换' : '头像已移除')
  }
  return (
    <Modal
      open
      title="头像"
      width={400}
      onCancel={onClose}
      footer={
        <div className="form-foot">
          <Button type="primary" onClick={() => void save()}>
            保存
          </Button>
          <Button onClick={onClose}>取消</Button>
        </div>
      }
    >
      <ImageUpload
        field={{ kind: 'list', label: '头像', required: false }}
        id="head"
        value={head}
        onChange={v => setHead(v === undefined ? undefined : readTexts(v))}
        onBlur={() => {}}
        disabled={false}
        invalid={false}
        describedBy={undefined}
        formValues={{}}
        nestedFaults={{}}
        maxCount={1}
      />
    </Modal>
  )
}
