import { Button } from 'antd'
import { useEffect, useState } from 'react'
import { Refused } from '#kit/contract/wire.ts'
import { send } from '#kit/web/send.ts'
import { bindCancel, bindConfirm, bindScanned } from '../contract/wechat.ts'
import { Door } from './door.tsx'

type Step = 'asking' | 'asked' | 'bound' | 'refused' | 'lost'
/** The phone's side: from the picture to WeChat's own question, and back with its answer. */
export default function WxBind() {
  const q = new URLSearchParams(location.search), back = q.get('state'), uuid = q.get('uuid') ?? back ?? '', code = q.get('code')
  const [step, setStep] = useState<Step>('asking'), [who, setWho] = useState<{ realName: string; companyName: string; address: string }>(), [why, setWhy] = useState('')
  useEffect(() => {
    const lost = (x: unknown): void => { setWhy(x instanceof Refused ? x.message : '网络错误，请重新扫码'); setStep('lost') }
    if (!back) send(bindScanned, { uuid, origin: location.origin }, { quiet: true }).then(w => { setWho(w); setStep('asked') }, lost)
    else if (code) send(bindConfirm, { uuid, code }, { quiet: true }).then(() => setStep('bound'), lost)
    else send(bindCancel, { uuid }, { quiet: true }).then(() => setStep('refused'), lost)
  }, [])
  const cancel = (): void => void send(bindCancel, { uuid }, { quiet: true }).then(() => setStep('refused'), () => setStep('refused'))
  return (
    <Door title="绑定微信">
      {step === 'asking' && <p className="door-said" role="status">正在核对二维码</p>}
      {step === 'asked' && who && (
        <>
          <p className="door-said">把这个微信绑定到账号<br />{who.realName}（{who.companyName}）</p>
          <p className="hint warn"><span>不是你本人的账号时，请点「取消」</span></p>
          <Button className="door-submit" type="primary" size="large" block onClick={() => location.assign(who.address)}>去微信确认</Button>
          <Button className="door-submit" size="large" block onClick={cancel}>取消</Button>
        </>
      )}
      {step === 'bound' && <p className="door-said" role="status">已绑定，可以关闭这个页面</p>}
      {step === 'refused' && <p className="door-said" role="status">已取消</p>}
      {step === 'lost' && <p className="door-said" role="alert">{why}</p>}
    </Door>
  )
}
