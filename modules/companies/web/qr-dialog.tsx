import { Button, Modal } from 'antd'
import { QrCode } from '#kit/web/qr-code.tsx'
import { CopyOutlined, DownloadOutlined } from '@ant-design/icons'
import { useRef } from 'react'
import { copyText } from '#kit/web/copy-text.ts'
import { confirmAndSend } from '#kit/web/record-actions.ts'
import { Loaded } from '#kit/web/loaded.tsx'
import { useCall } from '#kit/web/query.ts'
import { usePermission } from '#kit/web/session.ts'
import { getCompanyQr, renewCompanyQr, type Company } from '../contract/company.ts'
import { menu } from '../module.ts'
import './companies.css'

/** The picture that workers scan to join, its address, and a new one when it has got into wrong hands. */
export function QrDialog({
  of,
  onClose,
}: {
  readonly of: Pick<Company, 'id' | 'name'>
  readonly onClose: () => void
}) {
  const qr = useCall(getCompanyQr, { id: of.id }, { quiet: true, staleMs: 0 })
  const hasPermission = usePermission()
  const picture = useRef<HTMLDivElement>(null)
  const address = `${location.origin}${qr.data?.url ?? ''}`
  const copy = (): Promise<void> =>
    copyText(address, { done: '已复制地址', refused: '浏览器不允许复制，请选中地址后按 Ctrl C' })
  const keep = (): void => {
    const canvas = picture.current?.querySelector('canvas')
    if (!canvas) return
    const a = document.createElement('a')
    a.href = canvas.toDataURL('image/png')
    a.download = `${of.name} 二维码.png`
    a.click()
  }
  const renew = (): Promise<boolean> =>
    confirmAndSend(renewCompanyQr, {
      actionLabel: '更换',
      unit: '个二维码',
      title: `更换「${of.name}」的二维码`,
      reason: false,
      consequences: ['原二维码和地址立即失效，请将新的发给企业', '已经提交的申请不受影响'],
      input: { id: of.id },
      doneText: '已更换二维码',
      onDone: () => qr.refetch(),
    })
  return (
    <Modal open title={`扫码加入「${of.name}」`} width={420} footer={null} onCancel={onClose}>
      <Loaded query={qr} height={300} rows={6} width={[200]}>
        {() => (
          <div className="company-qr">
            <div ref={picture}>
              <QrCode aria-label="加入二维码" value={address} size={220} type="canvas" />
            </div>
            <p>企业员工用手机扫码，填写资料后等待审核</p>
            <output aria-label="加入地址">{address}</output>
            <div>
              <Button icon={<CopyOutlined />} onClick={() => void copy()}>
                复制地址
              </Button>
              <Button icon={<DownloadOutlined />} onClick={keep}>
                下载图片
              </Button>
              {hasPermission(menu.worker.permissions.edit) && (
                <Button danger onClick={() => void renew()}>
                  更换二维码
                </Button>
              )}
            </div>
          </div>
        )}
      </Loaded>
    </Modal>
  )
}
