import { ReloadOutlined } from '@ant-design/icons'
import { QRCode } from 'antd'
import { useEffect, useState } from 'react'
import { send } from '#kit/web/send.ts'
import type { SignedInUser } from '#kit/web/session.ts'
import { createLoginQr, getLoginQrState } from '../contract/qr-login.ts'

type QrStatus = 'asking' | 'waiting' | 'scanned' | 'confirmed' | 'cancelled' | 'expired' | 'failed'

const statusLabels: Record<QrStatus, string> = {
  asking: '正在生成二维码',
  waiting: '用已登录的手机浏览器扫描二维码',
  scanned: '已扫描，请在手机上确认',
  confirmed: '已确认，正在进入',
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

/** The picture for a phone: shown, watched until it is confirmed, renewed on demand. */
export default function QrLoginPanel({
  entry,
  enter,
}: {
  readonly entry: string
  readonly enter: (s: SignedInUser) => void
}) {
  const [url, setUrl] = useState('')
  const [state, setState] = useState<QrStatus>('asking')
  const [turn, setTurn] = useState(0)
  useEffect(() => {
    const abort = new AbortController()
    const { signal } = abort
    const watch = async (): Promise<void> => {
      setState('asking')
      const qr = await send(createLoginQr, { entry }, { signal, quiet: true })
      setUrl(location.origin + qr.url)
      setState('waiting')
      for (;;) {
        await sleep(1500, signal)
        if (signal.aborted) return
        const now = await send(getLoginQrState, { uuid: qr.uuid, secret: qr.secret }, { signal, quiet: true })
        setState(now.state)
        if (now.state === 'confirmed' && now.token && now.manager)
          return enter({
            token: now.token,
            manager: now.manager,
            ...(now.nearestProjectCode ? { nearestProjectCode: now.nearestProjectCode } : {}),
          })
        if (now.state !== 'waiting' && now.state !== 'scanned') return
      }
    }
    watch().catch(() => {
      if (!signal.aborted) {
        setState('failed')
      }
    })
    return () => abort.abort()
  }, [turn, entry])
  const over = state === 'cancelled' || state === 'expired' || state === 'failed'
  return (
    <div className="door-qr">
      <div className="picture" data-over={over || undefined}>
        <QRCode
          value={url || '-'}
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
    </div>
  )
}
