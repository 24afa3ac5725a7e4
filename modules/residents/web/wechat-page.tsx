import { Button } from 'antd'
import { useEffect, useState } from 'react'
import { Refused } from '#kit/contract/wire.ts'
import { send } from '#kit/web/send.ts'
import { Door } from '#modules/accounts/web/public/door.ts'
import { residentCancel, residentConfirm, residentScanned } from '../contract/wechat.ts'

type Step = 'asking' | 'asked' | 'bound' | 'refused' | 'lost'
/** The resident's side, outside the shell and made for a telephone: from the picture to WeChat's own question, and back with its answer. */
export default function ResidentWechatPage() {
  const q = new URLSearchParams(location.search), back = q.get('state'), uuid = q.get('uuid') ?? back ?? '', code = q.get('code')
  const [step, setStep] = useState<Step>('asking'), [who, setWho] = useState<{ name: string; companyName: string; address: string }>(), [why, setWhy] = useState('')
  useEffect(() => {
    const lost = (x: unknown): void => { setWhy(x instanceof Refused ? x.message : '网络错误，请重新扫码'); setStep('lost') }
    document.title = '绑定微信'
    if (!uuid) lost(new Refused(10001, '地址不完整，请重新扫描物业给你的二维码'))
    else if (!back) send(residentScanned, { uuid, origin: location.origin }, { quiet: true, project: 0 }).then(w => { setWho(w); setStep('asked') }, lost)
    else if (code) send(residentConfirm, { uuid, code }, { quiet: true, project: 0 }).then(() => setStep('bound'), lost)
    else send(residentCancel, { uuid }, { quiet: true, project: 0 }).then(() => setStep('refused'), lost)
  }, [])
  const cancel = (): void => void send(residentCancel, { uuid }, { quiet: true, project: 0 }).then(() => setStep('refused'), () => setStep('refused'))
  return (
    <Door title="绑定微信" company={who?.companyName}>
      {step === 'asking' && <p className="door-said" role="status">正在核对二维码</p>}
      {step === 'asked' && who && (
        <>
          <p className="door-said">把这个微信绑定到住户<br />{who.name}</p>
          <p className="hint warn"><span>绑定后，账单和物业通知会发到这个微信；不是你本人时请点「取消」</span></p>
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
