import { Button } from 'antd'
import { useEffect, useState } from 'react'
import type { Call } from '#kit/contract/call.ts'
import { Refused } from '#kit/contract/wire.ts'
import { send } from '#kit/web/send.ts'
import { AuthLayout } from './auth-layout.tsx'

/**
 * Whom a picture binds, as the page asks: in words, with what to heed, and where WeChat's own question
 * stands.
 */
export interface WechatBindTarget {
  readonly to: string
  readonly name: string
  readonly warning: string
  readonly company?: string
  readonly address: string
}

type BindStep = 'asking' | 'asked' | 'bound' | 'refused' | 'lost'
const quietOptions = { quiet: true, project: 0 } as const

/**
 * The phone's side, outside the shell: from the picture to WeChat's own question, and back with its answer.
 * `where`: who showed the picture.
 */
export function WechatBindPage<W>({
  scanned,
  confirm,
  cancel,
  targetLabel,
  where,
}: {
  readonly scanned: Call<{ uuid: string; origin: string }, W>
  readonly confirm: Call<{ uuid: string; code: string }>
  readonly cancel: Call<{ uuid: string }>
  readonly targetLabel: (w: W) => WechatBindTarget
  readonly where: string
}) {
  const query = new URLSearchParams(location.search)
  const back = query.get('state')
  const uuid = query.get('uuid') ?? back ?? ''
  const code = query.get('code')
  const [step, setStep] = useState<BindStep>('asking')
  const [bindTarget, setBindTarget] = useState<WechatBindTarget>()
  const [why, setWhy] = useState('')
  useEffect(() => {
    const lost = (x: unknown): void => {
      setWhy(x instanceof Refused ? x.message : '网络错误，请重新扫码')
      setStep('lost')
    }
    document.title = '绑定微信'
    if (!uuid) {
      lost(new Refused(10001, `地址不完整，请重新扫描${where}的二维码`))
    } else if (!back) {
      send(scanned, { uuid, origin: location.origin }, quietOptions).then(w => {
        setBindTarget(targetLabel(w))
        setStep('asked')
      }, lost)
    } else if (code) {
      send(confirm, { uuid, code }, quietOptions).then(() => setStep('bound'), lost)
    } else {
      send(cancel, { uuid }, quietOptions).then(() => setStep('refused'), lost)
    }
  }, [])
  const no = (): void =>
    void send(cancel, { uuid }, quietOptions).then(
      () => setStep('refused'),
      () => setStep('refused'),
    )
  return (
    <AuthLayout title="绑定微信" company={bindTarget?.company}>
      {step === 'asking' && (
        <p className="auth-status" role="status">
          正在核对二维码
        </p>
      )}
      {step === 'asked' && bindTarget && (
        <>
          <p className="auth-status">
            把该微信绑定到{bindTarget.to}
            <br />
            {bindTarget.name}
          </p>
          <p className="hint warn">
            <span>{bindTarget.warning}</span>
          </p>
          <Button
            className="auth-submit"
            type="primary"
            size="large"
            block
            onClick={() => location.assign(bindTarget.address)}
          >
            前往微信确认
          </Button>
          <Button className="auth-submit" size="large" block onClick={no}>
            取消
          </Button>
        </>
      )}
      {step === 'bound' && (
        <p className="auth-status" role="status">
          已绑定，可以关闭该页面
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
