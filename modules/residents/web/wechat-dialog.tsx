import { copyText } from '#kit/web/copy-text.ts'
import { useWatchedQr } from '#kit/web/use-watched-qr.ts'
import { Button, Modal } from 'antd'
import { QrCode } from '#kit/web/qr-code.tsx'
import { CopyOutlined, ReloadOutlined } from '@ant-design/icons'
import { confirmAndSend } from '#kit/web/record-actions.ts'
import { send } from '#kit/web/send.ts'
import { toast } from '#kit/web/toast.ts'
import { createResidentQr, getResidentQrState, unbindResidentWechat } from '../contract/wechat.ts'
import './residents.css'
import type { Resident } from '../contract/resident.ts'

const stateLabels = {
  asking: '正在生成二维码',
  waiting: '请住户用自己的微信扫描，10 分钟内有效',
  scanned: '已扫描，等待住户在手机上确认',
  bound: '微信已绑定',
  refused: '住户在手机上取消了',
  expired: '二维码已过期',
  failed: '二维码生成失败，请重试',
}

/**
 * A QR code for a resident's own phone, or its address to send, polled until the resident has agreed or
 * declined.
 */
export function ResidentWechatDialog({
  resident,
  onClose,
  onDone,
}: {
  readonly resident: Pick<Resident, 'id' | 'name'>
  readonly onClose: () => void
  readonly onDone: () => void
}) {
  const { qr, state, error, isOver, renew } = useWatchedQr({
    subject: resident.id,
    create: async signal => {
      const created = await send(createResidentQr, { id: resident.id }, { signal, quiet: true })
      return { ...created, url: location.origin + created.url }
    },
    poll: ({ uuid }, signal) => send(getResidentQrState, { uuid }, { signal, quiet: true }),
    agreed: 'bound',
    onAgreed: () => {
      toast.success(`「${resident.name}」的微信已绑定`)
      onDone()
    },
  })
  const copy = (address: string): Promise<void> =>
    copyText(address, { done: '已复制地址', refused: '浏览器不允许复制，请让住户扫码' })
  return (
    <Modal
      open
      title={`绑定微信「${resident.name}」`}
      width={400}
      footer={null}
      onCancel={onClose}
      mask={{ closable: false }}
    >
      <div className="person-qr">
        <QrCode
          aria-label="微信绑定二维码"
          value={qr?.url ?? '-'}
          size={208}
          status={state === 'asking' ? 'loading' : isOver ? 'expired' : 'active'}
          {...(isOver
            ? {
                statusRender: () => (
                  <Button icon={<ReloadOutlined />} onClick={renew}>
                    重新生成
                  </Button>
                ),
              }
            : {})}
        />
        <p role="status">
          {state === 'failed' && error instanceof Error ? error.message : stateLabels[state]}
        </p>
        {qr && !isOver && (
          <div>
            <Button icon={<CopyOutlined />} onClick={() => void copy(qr.url)}>
              复制地址
            </Button>
          </div>
        )}
        {qr?.simulated && state === 'waiting' && (
          <p>
            <a href={qr.url} target="_blank" rel="noopener">
              未配置微信公众号，在此处打开模拟的微信
            </a>
          </p>
        )}
      </div>
    </Modal>
  )
}

export const confirmUnbindWechat = (resident: Pick<Resident, 'id' | 'name'>): Promise<boolean> =>
  confirmAndSend(unbindResidentWechat, {
    actionLabel: '解除绑定',
    unit: '位住户',
    title: `解除「${resident.name}」的微信绑定`,
    consequences: ['之后不再向该微信发送催缴和通知。', '住户可以重新扫码绑定。'],
    reason: { presets: ['住户要求', '绑定有误', '住户更换微信'] },
    input: { id: resident.id },
  })
