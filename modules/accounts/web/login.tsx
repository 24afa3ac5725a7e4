import { InfoCircleFilled, LockOutlined, UserOutlined } from '@ant-design/icons'
import { Button, Checkbox, Input } from 'antd'
import { useEffect, useRef, useState, type FormEvent } from 'react'
import { Refused } from '#kit/contract/wire.ts'
import { go } from '#kit/web/go.ts'
import { keep, kept } from '#kit/web/keep.ts'
import { screenTitle } from '#kit/web/screens.ts'
import { Failure, send } from '#kit/web/send.ts'
import { signIn } from '#kit/web/session.ts'
import { login } from '../contract/sign-in.ts'
import { CaptchaField, Door, Field, Secret, useCaptcha, useDoor } from './door.tsx'
import { entryAt, landing, type Entry } from './entries.ts'

const rememberedKey = (e: Entry): string => `door/${e.name}`
type Faults = Partial<Record<'Logincode' | 'Password' | 'Captcha', string>>
interface Told { readonly Field?: string; readonly Captcha?: number }

/** The sign-in form of an entry, and what it does with the server's answer. */
function Form({ entry }: { readonly entry: Entry }) {
  const [account, setAccount] = useState(() => kept(rememberedKey(entry), '')), [password, setPassword] = useState(''), [captcha, setCaptcha] = useState('')
  const [remember, setRemember] = useState(() => kept(rememberedKey(entry), '') !== ''), [needs, setNeeds] = useState(false), [faults, setFaults] = useState<Faults>({}), [busy, setBusy] = useState(false)
  const { picture, next } = useCaptcha(needs)
  const form = useRef<HTMLFormElement>(null)
  const focus = (at: number): void => form.current?.querySelectorAll<HTMLInputElement>('input:not([type=checkbox])')[at]?.focus()
  useEffect(() => focus(account ? 1 : 0), [])

  const submit = async (e: FormEvent): Promise<void> => {
    e.preventDefault()
    const missing: Faults = { ...(account.trim() ? {} : { Logincode: '请输入账号' }), ...(password ? {} : { Password: '请输入密码' }), ...(needs && !captcha.trim() ? { Captcha: '请输入图形验证码' } : {}) }
    setFaults(missing)
    if (Object.keys(missing).length) return focus(missing.Logincode ? 0 : missing.Password ? 1 : 2)
    setBusy(true)
    try {
      const signed = await send(login, { loginCode: account.trim(), password, entry: entry.name, ...(needs && picture ? { captcha: captcha.trim(), captchaKey: picture.key } : {}) }, { quiet: true })
      keep(rememberedKey(entry), remember ? account.trim() : undefined)
      signIn(signed)
      const to = landing(location.search, entry)
      go(signed.manager.mustChange ? `/changepassword?redirect=${encodeURIComponent(to)}` : to, { replace: true })
    } catch (x) {
      setBusy(false)
      if (x instanceof Refused) {
        const told = (x.data ?? {}) as Told, at = told.Field === 'Captcha' || told.Field === 'Logincode' ? told.Field : 'Password'
        setFaults({ [at]: x.message })
        setCaptcha('')
        if (told.Captcha) { setNeeds(true); next() }
        if (at === 'Password') { focus(1); form.current?.querySelectorAll<HTMLInputElement>('input')[1]?.select() } else focus(at === 'Captcha' ? 2 : 0)
      } else setFaults({ Password: x instanceof Failure && x.status === 429 ? '尝试过于频繁，请一分钟后再试' : x instanceof Failure ? `${x.message}，请检查网络后重试` : '登录没有完成，请重试' })
    }
  }

  return (
    <form ref={form} onSubmit={e => void submit(e)} noValidate>
      <Field label="账号" fault={faults.Logincode}>
        {own => <Input size="large" {...own} prefix={<UserOutlined />} autoComplete="username" autoCapitalize="off" spellCheck={false} maxLength={40} value={account} onChange={e => setAccount(e.target.value)} />}
      </Field>
      <Secret label="密码" fault={faults.Password} aside={<a href="/foundPassword" onClick={e => { e.preventDefault(); go('/foundPassword') }}>忘记密码</a>} prefix={<LockOutlined />} autoComplete="current-password" maxLength={60} value={password} onChange={e => setPassword(e.target.value)} />
      {needs && <CaptchaField picture={picture} next={next} fault={faults.Captcha} value={captcha} onChange={setCaptcha} />}
      <div className="door-remember"><Checkbox checked={remember} onChange={e => setRemember(e.target.checked)}>记住账号（公用电脑请勿勾选）</Checkbox></div>
      <Button className="door-submit" type="primary" size="large" block htmlType="submit" loading={busy}>登录</Button>
    </form>
  )
}

/** Why somebody stands at the door again: the session is over, and where the way back leads. */
function Hint() {
  const back = new URLSearchParams(location.search).get('redirect')
  if (!back || back === '/') return null
  const title = screenTitle(back.split(/[?#]/)[0]!)
  return <p className="hint" role="status"><InfoCircleFilled /><span>登录已过期，登录后会回到{title ? `「${title}」` : '刚才的页面'}</span></p>
}

export default function Login() {
  const entry = entryAt(location.pathname), { data } = useDoor()
  useEffect(() => { if (data?.empty) go('/setup', { replace: true }) }, [data])
  return (
    <Door title={entry.title} company={data?.companyName}>
      <Hint />
      <Form key={entry.name} entry={entry} />
    </Door>
  )
}
