import { keysOfRecord } from '#kit/domain/records.ts'
import { defined } from '#kit/domain/defined.ts'
import { InfoCircleFilled, LockOutlined, UserOutlined } from '@ant-design/icons'
import { Button, Checkbox, Input } from 'antd'
import { lazy, Suspense, useEffect, useRef, useState, type SyntheticEvent, type KeyboardEvent } from 'react'
import { Refused } from '#kit/contract/wire.ts'
import { navigateTo } from '#kit/web/navigation.ts'
import { saveStored, readStored } from '#kit/web/browser-store.ts'
import { screenTitle } from '#kit/web/screen-registry.ts'
import { RequestFailure, send } from '#kit/web/send.ts'
import { useHasLeft } from '#kit/web/session.ts'
import { login } from '../contract/sign-in.ts'
import {
  AuthLink,
  CaptchaField,
  AuthLayout,
  LabelledField,
  PasswordInput,
  useSignInPage,
} from './auth-layout.tsx'
import { useCaptcha } from './public.captcha.ts'
import { captchaInput, deviceInput, getDeviceKey } from './known-device.ts'
import { enterApp } from './enter-app.ts'
import { IdentityButton } from './identity-button.tsx'
import { rememberPageKey } from './sign-in-page-key.ts'
import { findSignInEntry, type SignInEntry } from './sign-in-entries.ts'
import { TotpField } from './totp-field.tsx'

const QrLoginPanel = lazy(() => import('./qr-login-panel.tsx'))
/** The storage key of the account in versions up to November 2026. */
const formerKeyPrefix = 'door/'
const getRememberedAccountKey = (e: SignInEntry): string => `remembered-account/${e.name}`

/** The account remembered for an entry; one kept under the key of earlier versions moves to today's. */
function readRememberedAccount(entry: SignInEntry): string {
  const formerKey = `${formerKeyPrefix}${entry.name}`
  const former = readStored(formerKey, '')
  if (former) {
    saveStored(formerKey, undefined)
    saveStored(getRememberedAccountKey(entry), former)
  }
  return readStored(getRememberedAccountKey(entry), '')
}

/** Keeps the device, and the account where its holder asked for that. */
function rememberSignIn(
  entry: SignInEntry,
  account: string,
  remember: boolean,
  device: string | undefined,
): void {
  saveStored(getRememberedAccountKey(entry), remember ? account : undefined)
  saveStored(getDeviceKey(account), device)
}

type FieldName = 'Logincode' | 'Password' | 'Captcha' | 'Totp'
type Faults = Partial<Record<FieldName, string>>

interface SignInRefusal {
  readonly Field?: string
  readonly Captcha?: number
  readonly Totp?: number
}

/** Why a sign-in got no answer of the server. */
function describeFailure(x: unknown): string {
  if (!(x instanceof RequestFailure)) return '登录失败，请重试'
  return x.status === 429 ? '尝试过于频繁，请一分钟后再试' : `${x.message}，请检查网络后重试`
}

/** The sign-in form of an entry, and what it does with the server's answer. */
function LoginForm({ entry }: { readonly entry: SignInEntry }) {
  const [account, setAccount] = useState(() => readRememberedAccount(entry))
  const [password, setPassword] = useState('')
  const [captcha, setCaptcha] = useState('')
  const [totp, setTotp] = useState('')
  const [remember, setRemember] = useState(() => readRememberedAccount(entry) !== '')
  const [needsCaptcha, setNeedsCaptcha] = useState(false)
  const [needsTotp, setNeedsTotp] = useState(false)
  const [faults, setFaults] = useState<Faults>({})
  const [busy, setBusy] = useState(false)
  const { picture, next } = useCaptcha(needsCaptcha)
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
      ...(needsCaptcha && !captcha.trim() ? { Captcha: '请输入图形验证码' } : {}),
      ...(needsTotp && !totp.trim() ? { Totp: '请输入动态验证码' } : {}),
    }
    setFaults(missing)
    const [first] = keysOfRecord(missing)
    if (first) return focus(first)
    setBusy(true)
    try {
      const signed = await send(
        login,
        {
          loginCode: account.trim(),
          password,
          entry: entry.name,
          ...(needsCaptcha && picture ? await captchaInput(picture, captcha) : {}),
          ...deviceInput(account),
          ...(needsTotp ? { totp: totp.trim() } : {}),
        },
        { quiet: true },
      )
      rememberSignIn(entry, account.trim(), remember, signed.device)
      enterApp(signed, entry)
    } catch (x) {
      setBusy(false)
      if (x instanceof Refused) {
        const refusal = (x.data ?? {}) as SignInRefusal
        const at = (['Captcha', 'Logincode', 'Totp'] as const).find(f => f === refusal.Field) ?? 'Password'
        // The first request for a TOTP code is no fault.
        setFaults(refusal.Totp && !needsTotp ? {} : { [at]: x.message })
        setCaptcha('')
        if (refusal.Captcha) {
          setNeedsCaptcha(true)
          next()
        }
        if (refusal.Totp) {
          setNeedsTotp(true)
        }
        focus(at)
      } else {
        setFaults({ Password: describeFailure(x) })
      }
    }
  }

  return (
    <form ref={form} onSubmit={e => void submit(e)} noValidate>
      <LabelledField label="账号" fault={faults.Logincode}>
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
      </LabelledField>
      <PasswordInput
        label="密码"
        fault={faults.Password}
        name="Password"
        prefix={<LockOutlined />}
        autoComplete="current-password"
        maxLength={60}
        value={password}
        onChange={e => setPassword(e.target.value)}
      />
      {needsCaptcha && (
        <CaptchaField
          picture={picture}
          next={next}
          fault={faults.Captcha}
          value={captcha}
          onChange={setCaptcha}
        />
      )}
      {needsTotp && <TotpField fault={faults.Totp} value={totp} onChange={setTotp} />}
      <Button className="auth-submit" type="primary" size="large" block htmlType="submit" loading={busy}>
        登录
      </Button>
      <div className="auth-remember">
        <Checkbox checked={remember} onChange={e => setRemember(e.target.checked)}>
          记住账号（公用电脑请勿勾选）
        </Checkbox>
        <AuthLink to="/foundPassword">忘记密码</AuthLink>
      </div>
    </form>
  )
}

/** Says how the session ended, and where the user returns to after signing in. */
function RedirectHint() {
  const hasLeft = useHasLeft()
  const back = new URLSearchParams(location.search).get('redirect')
  if (!back || back === '/') return null
  const title = screenTitle(defined(back.split(/[?#]/)[0]))
  return (
    <p className="hint" role="status">
      <InfoCircleFilled />
      <span>
        {hasLeft ? '已退出登录' : '登录已失效'}，登录后返回{title ? `「${title}」` : '刚才的页面'}
      </span>
    </p>
  )
}

const signInMethods = [
  ['password', '账号密码'],
  ['qr', '扫码登录'],
] as const

export default function Login() {
  const entry = findSignInEntry(location.pathname)
  const { data } = useSignInPage()
  const [method, setMethod] = useState<'password' | 'qr'>('password')
  useEffect(() => {
    if (data?.empty) {
      navigateTo('/setup', { replace: true })
    }
    rememberPageKey(data?.identityPageKey)
  }, [data])
  const step = (e: KeyboardEvent<HTMLElement>): void => {
    if (e.key === 'ArrowRight' || e.key === 'ArrowLeft') {
      setMethod(current => (current === 'qr' ? 'password' : 'qr'))
      e.currentTarget.querySelector<HTMLElement>('[aria-selected=false]')?.focus()
    }
  }
  return (
    <AuthLayout title={entry.title} company={data?.companyName}>
      <RedirectHint />
      <div className="auth-tabs" role="tablist" aria-label="登录方式" onKeyDown={step}>
        {signInMethods.map(([signInMethod, label]) => (
          <button
            key={signInMethod}
            id={`way-${signInMethod}`}
            type="button"
            role="tab"
            aria-selected={method === signInMethod}
            aria-controls="way"
            tabIndex={method === signInMethod ? 0 : -1}
            onClick={() => setMethod(signInMethod)}
          >
            {label}
          </button>
        ))}
      </div>
      <div id="way" role="tabpanel" aria-labelledby={`way-${method}`}>
        {method === 'password' ? (
          <LoginForm key={entry.name} entry={entry} />
        ) : (
          <Suspense fallback={<div className="auth-qr" />}>
            <QrLoginPanel entry={entry.name} enter={s => enterApp(s, entry)} />
          </Suspense>
        )}
      </div>
      {data?.identityButton && data.identityPageKey && (
        <IdentityButton label={data.identityButton} pageKey={data.identityPageKey} />
      )}
      <div className="auth-links">
        <AuthLink to="/ssologin">企业单点登录</AuthLink>
        <AuthLink to="/goregister">开通账号</AuthLink>
      </div>
    </AuthLayout>
  )
}
