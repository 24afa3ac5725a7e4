import { Button, Modal } from 'antd'
import { useSignatureEditor } from './signature-editor.tsx'

/** 我的签名: drawn once, printed on approval forms beside name and time. */
export function SignatureDialog({ onClose }: { readonly onClose: () => void }) {
  const { editor, save, remove, hasOwn, isReady } = useSignatureEditor(onClose)
  return (
    <Modal
      open
      title="我的签名"
      onCancel={onClose}
      footer={
        <>
          {hasOwn && (
            <Button danger onClick={() => void remove()}>
              停用签名
            </Button>
          )}
          <Button onClick={onClose}>取消</Button>
          <Button type="primary" disabled={!isReady} onClick={() => void save()}>
            保存签名
          </Button>
        </>
      }
    >
      <p>签名印在审批单上，在姓名与时间旁边；更换之后，以前处理的审批仍印当时的签名。</p>
      {editor}
    </Modal>
  )
}
