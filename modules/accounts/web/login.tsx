import { InfoCircleFilled, LockOutlined, UserOutlined } from '@ant-design/icons'
import { Button, Checkbox, Input } from 'antd'
import { lazy, Suspense, useEffect, useRef, useState, type SyntheticEvent, type KeyboardEvent } from 'react'
import { Refused } from '#kit/contract/wire.ts'
import { go } from '#kit/web/go.ts'
import { keep, kept } from '#kit/web/keep.ts'
import { screenTitle } from '#kit/web/screens.ts'
import { Failure, send } from '#kit/web/send.ts'
import { signIn, type Signed } from '#kit/web/session.ts'
import { login } from '../contract/sign-in.ts'
import { Away, CaptchaField, Door, Field, Secret, useCaptcha, useDoor } from './door.tsx'
import { entryAt, landing, type Entry } from './entries.ts'

const QrPanel = lazy(() => import('./qr-panel.tsx'))
const rememberedKey = (e: Entry): string => `door/${e.name}`
type FieldName = 'Logincode' | 'Password' | 'Captcha' | 'Totp'
type Faults = Partial<Record<FieldName, string>>

interface Told {
  readonly Field?: string
  readonly Captcha?: number
  readonly Totp?: number
}

/** In: to where one was going, or to choose a password of one's own first. */
function enter(signed: Signed, entry: Entry): void {
  signIn(signed)
  const to = landing(location.search, entry)
  const first = signed.manager.mustChange
    ? '/changepassword'
    : signed.manager.mustBind
      ? '/bindfactor'
      : undefined
  go(first ? `${first}?redirect=${encodeURIComponent(to)}` : to, { replace: true })
}

/** The sign-in form of an entry, and what it does with the server's answer. */
function Form({ entry }: { readonly entry: Entry }) {
  const [account, setAccount] = useState(() => kept(rememberedKey(entry), ''))
  const [password, setPassword] = useState('')
  const [captcha, setCaptcha] = useState('')
  const [totp, setTotp] = useState('')
  const [remember, setRemember] = useState(() => kept(rememberedKey(entry), '') !== '')
  const [needs, setNeeds] = useState(false)
  const [second, setSecond] = useState(false)
  const [faults, setFaults] = useState<Faults>({})
  const [busy, setBusy] = useState(false)
  const { picture, next } = useCaptcha(needs)
  const form = useRef<HTMLFormElement>(null)
  const focus = (name: FieldName): void => {
    setTimeout(() => {
      const box = form.current?.querySelector<HTMLInputElement>(`input[name=${name}]`)
      box?.focus()
      box?.select()
    })
  }
  useEffect(() => focus(account ? 'Password' : 'Logincode'), [])

  const submit = async (e: SyntheticEvent): Promise<void> => {
    e.preventDefault()
    const missing: Faults = {
      ...(account.trim() ? {} : { Logincode: '请输入账号' }),
      ...(password ? {} : { Password: '请输入密码' }),
      ...(needs && !captcha.trim() ? { Captcha: '请输入图形验证码' } : {}),
      ...(second && !totp.trim() ? { Totp: '请输入动态验证码' } : {}),
    }
    setFaults(missing)
    const [first] = Object.keys(missing) as FieldName[]
    if (first) return focus(first)
    setBusy(true)
    try {
      const signed = await send(
        login,
        {
          loginCode: account.trim(),
          password,
          entry: entry.name,
          ...(needs && picture ? { captcha: captcha.trim(), captchaKey: picture.key } : {}),
          ...(second ? { totp: totp.trim() } : {}),
        },
        { quiet: true },
      )
      keep(rememberedKey(entry), remember ? account.trim() : undefined)
      enter(signed, entry)
    } catch (x) {
      setBusy(false)
      if (x instanceof Refused) {
        const told = (x.data ?? {}) as Told
        const at = (['Captcha', 'Logincode', 'Totp'] as const).find(f => f === told.Field) ?? 'Password'
        // Being asked for the code of the second factor is no fault.
        setFaults(told.Totp && !second ? {} : { [at]: x.message })
        setCaptcha('')
        if (told.Captcha) {
          setNeeds(true)
          next()
        }
        if (told.Totp) {
          setSecond(true)
        }
        focus(at)
      } else {
        setFaults({
          Password:
            x instanceof Failure && x.status === 429
              ? '尝试过于频繁，请一分钟后再试'
              : x instanceof Failure
                ? `${x.message}，请检查网络后重试`
                : '登录没有完成，请重试',
        })
      }
    }
  }

  return (
    <form ref={form} onSubmit={e => void submit(e)} noValidate>
      <Field label="账号" fault={faults.Logincode}>
        {own => (
          <Input
            size="large"
            {...own}
            name="Logincode"
            prefix={<UserOutlined />}
            autoComplete="username"
            autoCapitalize="off"
            spellCheck={false}
            maxLength={40}
            value={account}
            onChange={e => setAccount(e.target.value)}
          />
        )}
      </Field>
      <Secret
        label="密码"
        fault={faults.Password}
        aside={<Away to="/foundPassword">忘记密码</Away>}
        name="Password"
        prefix={<LockOutlined />}
        autoComplete="current-password"
        maxLength={60}
        value={password}
        onChange={e => setPassword(e.target.value)}
      />
      {needs && (
        <CaptchaField
          picture={picture}
          next={next}
          fault={faults.Captcha}
          value={captcha}
          onChange={setCaptcha}
        />
      )}
      {second && (
        <Field label="动态验证码" fault={faults.Totp} help="身份验证器应用里的 6 位数字，或一个恢复码">
          {own => (
            <Input
              size="large"
              {...own}
              name="Totp"
              autoComplete="one-time-code"
              inputMode="text"
              maxLength={20}
              value={totp}
              onChange={e => setTotp(e.target.value)}
            />
          )}
        </Field>
      )}
      <div className="door-remember">
        <Checkbox checked={remember} onChange={e => setRemember(e.target.checked)}>
          记住账号（公用电脑请勿勾选）
        </Checkbox>
      </div>
      <Button className="door-submit" type="primary" size="large" block htmlType="submit" loading={busy}>
        登录
      </Button>
    </form>
  )
}

/** Why somebody stands at the door again: the session is over, and where the way back leads. */
function Hint() {
  const back = new URLSearchParams(location.search).get('redirect')
  if (!back || back === '/') return null
  const title = screenTitle(back.split(/[?#]/)[0]!)
  return (
    <p className="hint" role="status">
      <InfoCircleFilled />
      <span>登录已过期，登录后会回到{title ? `「${title}」` : '刚才的页面'}</span>
    </p>
  )
}

const ways = [
  ['password', '账号密码'],
  ['qr', '扫码登录'],
] as const

export default function Login() {
  const entry = entryAt(location.pathname)
  const { data } = useDoor()
  const [way, setWay] = useState<'password' | 'qr'>('password')
  useEffect(() => {
    if (data?.empty) {
      go('/setup', { replace: true })
    }
  }, [data])
  const step = (e: KeyboardEvent<HTMLElement>): void => {
    if (e.key === 'ArrowRight' || e.key === 'ArrowLeft') {
      setWay(w => (w === 'qr' ? 'password' : 'qr'))
      ;(e.currentTarget.querySelector('[aria-selected=false]') as HTMLElement | null)?.focus()
    }
  }
  return (
    <Door title={entry.title} company={data?.companyName}>
      <Hint />
      <div className="door-tabs" role="tablist" aria-label="登录方式" onKeyDown={step}>
        {ways.map(([k, label]) => (
          <button
            key={k}
            id={`way-${k}`}
            type="button"
            role="tab"
            aria-selected={way === k}
            aria-controls="way"
            tabIndex={way === k ? 0 : -1}
            onClick={() => setWay(k)}
          >
            {label}
          </button>
        ))}
      </div>
      <div id="way" role="tabpanel" aria-labelledby={`way-${way}`}>
        {way === 'password' ? (
          <Form key={entry.name} entry={entry} />
        ) : (
          <Suspense fallback={<div className="door-qr" />}>
            <QrPanel entry={entry.name} enter={s => enter(s, entry)} />
          </Suspense>
        )}
      </div>
      <div className="door-links">
        <Away to="/ssologin">企业单点登录</Away>
        <Away to="/goregister">开通账号</Away>
      </div>
    </Door>
  )
}
