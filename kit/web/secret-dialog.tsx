import { CopyOutlined } from '@ant-design/icons'
import { Button, Modal } from 'antd'
import { copyText } from './copy-text.ts'
import './secret-dialog.css'

/** A secret that is shown once: closing the dialog is the end of it. */
export function SecretDialog({
  title,
  label,
  secret,
  usage,
  address,
  onClose,
}: {
  readonly title: string
  readonly label: string
  readonly secret: string
  /** How it is used, as a line to copy. */
  readonly usage?: string
  /** Where its holder reports to. */
  readonly address?: string
  readonly onClose: () => void
}) {
  return (
    <Modal
      open
      width={640}
      title={title}
      mask={{ closable: false }}
      onCancel={onClose}
      footer={
        <Button type="primary" onClick={onClose}>
          已保存，关闭
        </Button>
      }
    >
      <div className="secret">
        <p role="alert">{label}只显示这一次，请立即保存到安全的地方；遗失后只能更换。</p>
        <div className="secret-text">
          <code aria-label={label}>{secret}</code>
          <Button icon={<CopyOutlined />} onClick={() => void copyText(secret)}>
            复制
          </Button>
        </div>
        {address && (
          <>
            <p className="secret-help">推送地址：</p>
            <div className="secret-text">
              <code aria-label="推送地址">{address}</code>
              <Button icon={<CopyOutlined />} aria-label="复制地址" onClick={() => void copyText(address)}>
                复制
              </Button>
            </div>
          </>
        )}
        {usage && (
          <>
            <p className="secret-help">试用：</p>
            <div className="secret-text">
              <code aria-label="试用命令">{usage}</code>
              <Button icon={<CopyOutlined />} aria-label="复制命令" onClick={() => void copyText(usage)}>
                复制
              </Button>
            </div>
          </>
        )}
      </div>
    </Modal>
  )
}
