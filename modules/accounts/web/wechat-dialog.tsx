import { CurrentPasswordField, useAuthForm, type Faults } from './auth-form.tsx'
import { useWatchedQr } from '#kit/web/use-watched-qr.ts'
import { WatchedQrPicture } from './watched-qr-picture.tsx'
import { Button, Modal } from 'antd'
import { useState } from 'react'
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
              没有配置微信公众号，在此处打开模拟的微信
            </a>
          </p>
        )}
      </div>
    </Modal>
  )
}

export function UnbindWechatDialog({ onClose, onDone }: WechatDialogProps) {
  const [password, setPassword] = useState('')
  const { faults, isBusy, onSubmit } = useAuthForm({
    fields: ['Password'],
    otherwise: 'Password',
    check: (): Faults => (password ? {} : { Password: '请输入当前密码' }),
    submit: async () => {
      await send(unbindWechat, { password }, { quiet: true })
      onDone()
    },
  })
  return (
    <Modal open title="解除微信绑定" width={440} footer={null} onCancel={onClose} mask={{ closable: false }}>
      <form onSubmit={onSubmit} noValidate>
        <p style={{ paddingBottom: 8 }}>解除后，该微信不再代表你的账号；可以随时重新绑定。</p>
        <CurrentPasswordField fault={faults.Password} autoFocus value={password} onChange={setPassword} />
        <div className="form-foot" style={{ paddingTop: 16 }}>
          <Button type="primary" danger htmlType="submit" loading={isBusy}>
            解除绑定
          </Button>
          <Button onClick={onClose}>取消</Button>
        </div>
      </form>
    </Modal>
  )
}
