import { Button } from 'antd'
import { useEffect, useState } from 'react'
import { Refused, resultCode } from '#kit/contract/wire.ts'
import { navigateTo, currentUrl } from '#kit/web/navigation.ts'
import { send } from '#kit/web/send.ts'
import { useSession } from '#kit/web/session.ts'
import { cancelQrLogin, confirmQrLogin, scanLoginQr } from '../contract/qr-login.ts'
import { formatDeviceName } from '../domain/device-name.ts'
import { AuthLayout } from './auth-layout.tsx'

type Step = 'asking' | 'asked' | 'let-in' | 'refused' | 'lost'

/** The phone's side of a scanned picture: who wants in, from where, and yes or no. */
export default function QrLoginConfirm() {
  const signed = useSession(s => s.signed)
  const uuid = new URLSearchParams(location.search).get('uuid') ?? ''
  const [step, setStep] = useState<Step>('asking')
  const [signInRequest, setSignInRequest] = useState<{ ip: string; agent: string }>()
  const [why, setWhy] = useState('')
  const [busy, setBusy] = useState(false)
  const lost = (x: unknown): void => {
    setWhy(x instanceof Refused ? x.message : '网络错误，请重新扫码')
    setStep('lost')
  }
  useEffect(() => {
    if (!signed) return navigateTo(`/login?redirect=${encodeURIComponent(currentUrl())}`, { replace: true })
    if (!uuid) return lost(new Refused(resultCode.refused, '二维码无效，请重新扫码'))
    send(scanLoginQr, { uuid }, { quiet: true }).then(w => {
      setSignInRequest(w)
      setStep('asked')
    }, lost)
  }, [])
  const answer = async (yes: 'yes' | 'no'): Promise<void> => {
    setBusy(true)
    try {
      await send(yes === 'yes' ? confirmQrLogin : cancelQrLogin, { uuid }, { quiet: true })
      setStep(yes === 'yes' ? 'let-in' : 'refused')
    } catch (x) {
      lost(x)
    }
    setBusy(false)
  }
  return (
    <AuthLayout
      title="扫码登录"
      company={signed ? `${signed.manager.companyName} · ${signed.manager.realName}` : undefined}
    >
      {step === 'asking' && (
        <p className="auth-status" role="status">
          正在核对二维码
        </p>
      )}
      {step === 'asked' && (
        <>
          <p className="auth-status">
            确认让这台电脑以你的账号登录吗
            <br />
            设备：{formatDeviceName(signInRequest?.agent)}
            <br />
            地址：{signInRequest?.ip}
          </p>
          <p className="hint warn">
            <span>如非本人操作电脑，请点「取消」</span>
          </p>
          <Button
            className="auth-submit"
            type="primary"
            size="large"
            block
            loading={busy}
            onClick={() => void answer('yes')}
          >
            确认登录
          </Button>
          <Button
            className="auth-submit"
            size="large"
            block
            disabled={busy}
            onClick={() => void answer('no')}
          >
            取消
          </Button>
        </>
      )}
      {step === 'let-in' && (
        <p className="auth-status" role="status">
          已确认，电脑上即将进入
        </p>
      )}
      {step === 'refused' && (
        <p className="auth-status" role="status">
          已取消
        </p>
      )}
      {step === 'lost' && (
        <p className="auth-status" role="alert">
          {why}
        </p>
      )}
    </AuthLayout>
  )
}
