import { send } from '#kit/web/send.ts'
import type { SignedInUser } from '#kit/web/session.ts'
import { useWatchedQr } from '#kit/web/use-watched-qr.ts'
import { createLoginQr, getLoginQrState } from '../contract/qr-login.ts'
import { WatchedQrPicture } from './watched-qr-picture.tsx'

const texts = {
  asking: '正在生成二维码',
  waiting: '用已登录的手机浏览器扫描二维码',
  scanned: '已扫描，请在手机上确认',
  confirmed: '已确认，正在进入',
  cancelled: '已在手机上取消',
  expired: '二维码已过期',
  failed: '网络错误，二维码生成失败',
}

interface QrLoginPanelProps {
  readonly entry: string
  readonly enter: (s: SignedInUser) => void
}

/** The picture for a phone: shown, watched until it is confirmed, renewed on demand. */
export default function QrLoginPanel({ entry, enter }: QrLoginPanelProps) {
  const watched = useWatchedQr({
    subject: entry,
    create: signal => send(createLoginQr, { entry }, { signal, quiet: true }),
    poll: ({ uuid, secret }, signal) => send(getLoginQrState, { uuid, secret }, { signal, quiet: true }),
    agreed: 'confirmed',
    onAgreed: ({ token, manager, nearestProjectCode }) => {
      if (token && manager) {
        enter({ token, manager, ...(nearestProjectCode ? { nearestProjectCode } : {}) })
      }
    },
  })
  return (
    <div className="auth-qr">
      <WatchedQrPicture watched={watched} texts={texts} />
    </div>
  )
}
