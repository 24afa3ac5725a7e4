import { useWatchedQr } from '#kit/web/use-watched-qr.ts'
import { WatchedQrPicture } from './watched-qr-picture.tsx'
import { Button, Modal } from 'antd'
import { useState, type SyntheticEvent } from 'react'
import { send } from '#kit/web/send.ts'
import { createWechatBindQr, getWechatBindState, unbindWechat } from '../contract/wechat-binding.ts'
import { PasswordInput } from './auth-layout.tsx'
import { getFieldFaults } from './sms-field.tsx'

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

/** A picture for one's WeChat, watched until the phone has said yes or no (PERM-10). */
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
      <div className="door-qr" style={{ paddingTop: 8 }}>
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
  const [fault, setFault] = useState<string>()
  const [busy, setBusy] = useState(false)
  const submit = async (e: SyntheticEvent): Promise<void> => {
    e.preventDefault()
    setFault(password ? undefined : '请输入当前密码')
    if (!password) return
    setBusy(true)
    try {
      await send(unbindWechat, { password }, { quiet: true })
      onDone()
    } catch (x) {
      setBusy(false)
      setFault(getFieldFaults(x, ['Password'], 'Password').Password)
    }
  }
  return (
    <Modal open title="解除微信绑定" width={440} footer={null} onCancel={onClose} mask={{ closable: false }}>
      <form onSubmit={e => void submit(e)} noValidate>
        <p style={{ paddingBottom: 8 }}>解除后，该微信不再代表你的账号；可以随时重新绑定。</p>
        <PasswordInput
          label="当前密码"
          fault={fault}
          autoFocus
          autoComplete="current-password"
          maxLength={60}
          value={password}
          onChange={e => setPassword(e.target.value)}
        />
        <div className="form-foot" style={{ paddingTop: 16 }}>
          <Button type="primary" danger htmlType="submit" loading={busy}>
            解除绑定
          </Button>
          <Button onClick={onClose}>取消</Button>
        </div>
      </form>
    </Modal>
  )
}
