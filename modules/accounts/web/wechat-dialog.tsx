import { ReloadOutlined } from '@ant-design/icons'
import { Button, Modal, QRCode } from 'antd'
import { useEffect, useState, type SyntheticEvent } from 'react'
import { send } from '#kit/web/send.ts'
import { createWechatBindQr, getWechatBindState, unbindWechat } from '../contract/wechat-binding.ts'
import { PasswordInput } from './auth-layout.tsx'
import { getFieldFaults } from './sms-field.tsx'

type BindStatus = 'asking' | 'waiting' | 'scanned' | 'confirmed' | 'cancelled' | 'expired' | 'failed'

const statusLabels: Record<BindStatus, string> = {
  asking: '正在生成二维码',
  waiting: '用微信扫描二维码',
  scanned: '已扫描，请在手机上确认',
  confirmed: '微信已绑定',
  cancelled: '已在手机上取消',
  expired: '二维码已过期',
  failed: '网络错误，二维码生成失败',
}

const sleep = (ms: number, gone: AbortSignal): Promise<void> =>
  new Promise(done => {
    const timer = setTimeout(done, ms)
    gone.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        done()
      },
      { once: true },
    )
  })

/** A picture for one's WeChat, watched until the phone has said yes or no (PERM-10). */
export function BindWechatDialog({
  onClose,
  onDone,
}: {
  readonly onClose: () => void
  readonly onDone: () => void
}) {
  const [qr, setQr] = useState<{ url: string; simulated: boolean }>()
  const [state, setState] = useState<BindStatus>('asking')
  const [turn, setTurn] = useState(0)
  useEffect(() => {
    const gone = new AbortController()
    const { signal } = gone
    const watch = async (): Promise<void> => {
      setState('asking')
      const made = await send(createWechatBindQr, undefined, { signal, quiet: true })
      setQr({ url: location.origin + made.url, simulated: made.simulated })
      setState('waiting')
      for (;;) {
        await sleep(1500, signal)
        if (signal.aborted) return
        const now = await send(getWechatBindState, { uuid: made.uuid }, { signal, quiet: true })
        setState(now.state)
        if (now.state === 'confirmed') return onDone()
        if (now.state !== 'waiting' && now.state !== 'scanned') return
      }
    }
    watch().catch(() => {
      if (!signal.aborted) {
        setState('failed')
      }
    })
    return () => gone.abort()
  }, [turn])
  const over = state === 'cancelled' || state === 'expired' || state === 'failed'
  return (
    <Modal open title="绑定微信" width={400} footer={null} onCancel={onClose} mask={{ closable: false }}>
      <div className="door-qr" style={{ paddingTop: 8 }}>
        <div className="picture" data-over={over || undefined}>
          <QRCode
            value={qr?.url ?? '-'}
            size={208}
            bordered={false}
            status={state === 'asking' ? 'loading' : 'active'}
          />
          {over && (
            <button type="button" onClick={() => setTurn(n => n + 1)}>
              <ReloadOutlined />
              刷新二维码
            </button>
          )}
        </div>
        <p role="status">{statusLabels[state]}</p>
        {qr?.simulated && state === 'waiting' && (
          <p>
            <a href={qr.url} target="_blank" rel="noopener">
              没有配置微信公众号，在此处打开模拟的微信
            </a>
          </p>
        )}
      </div>
    </Modal>
  )
}

export function UnbindWechatDialog({
  onClose,
  onDone,
}: {
  readonly onClose: () => void
  readonly onDone: () => void
}) {
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
