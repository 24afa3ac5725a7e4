import { UnbindDialog } from './unbind-dialog.tsx'
import { useWatchedQr } from '#kit/web/use-watched-qr.ts'
import { WatchedQrPicture } from './watched-qr-picture.tsx'
import { Modal } from 'antd'
import { send } from '#kit/web/send.ts'
import { createWechatBindQr, getWechatBindState, unbindWechat } from '../contract/wechat-binding.ts'

const texts = {
  asking: '正在生成二维码',
  waiting: '用微信扫描二维码',
  scanned: '已扫描，请在手机上确认',
  confirmed: '微信已绑定',
  cancelled: '已在手机上取消',
  expired: '二维码已过期',
  failed: '网络错误，二维码生成失败',
}

interface WechatDialogProps {
  readonly onClose: () => void
  readonly onDone: () => void
}

/** A QR code to bind WeChat, polled until the phone has agreed or declined (PERM-10). */
export function BindWechatDialog({ onClose, onDone }: WechatDialogProps) {
  const watched = useWatchedQr({
    create: signal => send(createWechatBindQr, undefined, { signal, quiet: true }),
    poll: ({ uuid }, signal) => send(getWechatBindState, { uuid }, { signal, quiet: true }),
    agreed: 'confirmed',
    onAgreed: onDone,
  })
  const { qr, state } = watched
  return (
    <Modal open title="绑定微信" width={400} footer={null} onCancel={onClose} mask={{ closable: false }}>
      <div className="auth-qr" style={{ paddingTop: 8 }}>
        <WatchedQrPicture watched={watched} texts={texts} />
        {qr?.simulated && state === 'waiting' && (
          <p>
            <a href={location.origin + qr.url} target="_blank" rel="noopener">
              未配置微信公众号，在此处打开模拟的微信
            </a>
          </p>
        )}
      </div>
    </Modal>
  )
}

export const UnbindWechatDialog = (props: WechatDialogProps) => (
  <UnbindDialog
    {...props}
    title="解除微信绑定"
    text="解除后，该微信不再代表你的账号；可以随时重新绑定。"
    unbind={password => send(unbindWechat, { password }, { quiet: true })}
  />
)
