import { useState } from 'react'
import type { Id } from '#kit/domain/id.ts'
import { Refused } from '#kit/contract/wire.ts'
import { readStored, saveStored } from '#kit/web/browser-store.ts'
import { PhoneField } from '#kit/web/phone/phone-field.tsx'
import { send } from '#kit/web/send.ts'
import { useCaptcha } from '#modules/accounts/web/public.captcha.ts'
import { CodeFields, PictureField } from '#modules/accounts/web/public.phone-codes.tsx'
import {
  sendMerchantCode,
  signInMerchant,
  signInMerchantByCode,
} from '#modules/merchants/contract/sign-in.ts'
import { describeProblem } from './phone-frame.tsx'

const anonymous = { quiet: true, project: 0 } as const
const nameKey = 'merchant.login-name'
const deviceKeyOf = (loginName: string): string => `merchant.device/${loginName.toLowerCase()}`

interface SignInFormProps {
  readonly companyId: Id | undefined
  /** Why there is no session any more. */
  readonly note: string | undefined
  readonly onSignedIn: (token: string) => void
}

const asksPicture = (error: unknown): boolean =>
  error instanceof Refused &&
  typeof error.data === 'object' &&
  error.data !== null &&
  'Captcha' in error.data &&
  error.data.Captcha === 1

const methods = [
  { key: 'password', label: '密码登录' },
  { key: 'code', label: '短信验证码登录' },
] as const

type Method = (typeof methods)[number]['key']

interface MethodTabsProps {
  readonly method: Method
  readonly onMethod: (method: Method) => void
}

const MethodTabs = ({ method, onMethod }: MethodTabsProps) => (
  <nav className="kinds" aria-label="登录方式">
    {methods.map(({ key, label }) => (
      <button type="button" key={key} aria-pressed={key === method} onClick={() => onMethod(key)}>
        {label}
      </button>
    ))}
  </nav>
)

/** The sign-in of a merchant, or of who works there: by the password, or by a code to their phone. */
export function SignInForm({ companyId, note, onSignedIn }: SignInFormProps) {
  const [method, setMethod] = useState<Method>('password')
  const [loginName, setLoginName] = useState(() => readStored(nameKey, ''))
  const [password, setPassword] = useState('')
  const [smsCode, setSmsCode] = useState('')
  const [letters, setLetters] = useState('')
  const [needsPicture, setNeedsPicture] = useState(false)
  const [fault, setFault] = useState(note)
  const [isBusy, setBusy] = useState(false)
  const { picture, next } = useCaptcha(needsPicture && method === 'password')
  const name = loginName.trim()
  const company = companyId === undefined ? {} : { companyId }
  const byPassword = async (): Promise<string> => {
    const proof = needsPicture ? await picture?.proof.catch(() => undefined) : undefined
    const captcha = picture ? { captcha: letters.trim(), captchaKey: picture.key, proof } : {}
    const device = readStored<string>(deviceKeyOf(name), '') || undefined
    const input = { ...company, loginName: name, password, ...captcha, device }
    const signed = await send(signInMerchant, input, anonymous)
    saveStored(deviceKeyOf(name), signed.device)
    return signed.token
  }
  const missing = (): string | undefined => {
    if (name === '') return '请填写登录账号'
    if (method === 'code') return smsCode.length === 6 ? undefined : '请填写 6 位短信验证码'
    if (password === '') return '请填写密码'
    return needsPicture && letters.trim() === '' ? '请填写图形验证码' : undefined
  }
  const signIn = async (): Promise<void> => {
    const first = missing()
    setFault(first)
    if (first !== undefined) return
    setBusy(true)
    try {
      const input = { ...company, loginName: name, smsCode }
      const token =
        method === 'password'
          ? await byPassword()
          : (await send(signInMerchantByCode, input, anonymous)).token
      saveStored(nameKey, name)
      onSignedIn(token)
    } catch (error) {
      setFault(describeProblem(error))
      setBusy(false)
      setLetters('')
      if (needsPicture) {
        next()
      }
      setNeedsPicture(needsPicture || asksPicture(error))
    }
  }
  return (
    <form
      className="merchant-form"
      aria-label="商户登录"
      noValidate
      onSubmit={event => {
        event.preventDefault()
        void signIn()
      }}
    >
      <MethodTabs
        method={method}
        onMethod={key => {
          setMethod(key)
          setFault(undefined)
        }}
      />
      <PhoneField label="登录账号" isRequired hint="手机号或商户号，由物业开通">
        {control => (
          <input
            {...control}
            autoComplete="username"
            autoCapitalize="off"
            spellCheck={false}
            maxLength={40}
            value={loginName}
            onChange={event => setLoginName(event.target.value)}
          />
        )}
      </PhoneField>
      {method === 'password' ? (
        <>
          <PhoneField label="密码" isRequired>
            {control => (
              <input
                {...control}
                type="password"
                autoComplete="current-password"
                maxLength={60}
                value={password}
                onChange={event => setPassword(event.target.value)}
              />
            )}
          </PhoneField>
          {needsPicture && (
            <PictureField picture={picture} next={next} letters={letters} onLetters={setLetters} />
          )}
        </>
      ) : (
        <CodeFields
          missing={name === '' ? '请先填写登录账号' : undefined}
          request={captcha => send(sendMerchantCode, { ...company, loginName: name, ...captcha }, anonymous)}
          describe={describeProblem}
          sentHint="账号登记的手机会收到验证码"
          code={smsCode}
          onCode={setSmsCode}
        />
      )}
      {fault !== undefined && (
        <p className="fault" role="alert">
          {fault}
        </p>
      )}
      <button type="submit" className="big primary" disabled={isBusy}>
        登录
      </button>
    </form>
  )
}
