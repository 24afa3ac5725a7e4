import { Modal } from 'antd'
import { QrCode } from '#kit/web/qr-code.tsx'
import { phoneReadingPath } from './phone-reading-path.ts'

/** Opens the reading screen on a phone: its camera sees the address. */
export function PhoneDialog({
  project,
  onClose,
}: {
  readonly project: string
  readonly onClose: () => void
}) {
  const address = `${location.origin}${phoneReadingPath(project)}`
  return (
    <Modal open title="手机抄表" footer={null} width={420} onCancel={onClose}>
      <div className="meter-phone">
        <QrCode value={address} size={200} aria-label="手机抄表的二维码" />
        <p>用手机扫码，登录后按路线逐只录入。扫描表上的二维码标签可直接打开该表。</p>
        <a href={address} target="_blank" rel="noreferrer">
          在本机打开
        </a>
      </div>
    </Modal>
  )
}
