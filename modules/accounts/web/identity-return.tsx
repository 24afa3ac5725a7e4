import { Button } from 'antd'
import { useEffect, useRef, useState, type SyntheticEvent } from 'react'
import { Refused } from '#kit/contract/wire.ts'
import { readStored, saveStored } from '#kit/web/browser-store.ts'
import { navigateTo } from '#kit/web/navigation.ts'
import { send } from '#kit/web/send.ts'
import { toast } from '#kit/web/toast.ts'
import { finishIdentityBinding, finishIdentitySignIn } from '../contract/identity-sign-in.ts'
import { AuthLayout, AuthLink } from './auth-layout.tsx'
import { enterApp } from './enter-app.ts'
import { findDeparture, forgetDeparture, type Departure } from './identity-departure.ts'
import { deviceInput, getDeviceKey } from './known-device.ts'
import { paths } from './paths.ts'
import { findSignInEntry } from './sign-in-entries.ts'
import { TotpField } from './totp-field.tsx'

/** Whose account signed in by the provider here last: its device is known (PERM-9). */
const lastAccountKey = 'identity-account'

interface ProviderAnswer {
  readonly code?: string
  readonly iss?: string
  readonly error?: string
}

/** What the provider sent along; it leaves the address at once. */
function readAnswer(): { readonly state: string | null; readonly answer: ProviderAnswer } {
  const query = new URLSearchParams(location.search)
  const answer = Object.fromEntries(
    ['code', 'iss', 'error'].flatMap(name => {
      const value = query.get(name)
      return value ? [[name, value]] : []
    }),
  )
  return { state: query.get('state'), answer }
}

async function finishSignIn(departure: Departure, sent: ProviderAnswer & { totp?: string }): Promise<void> {
  const { state, browserKey, path, search } = departure
  const signed = await send(
    finishIdentitySignIn,
    { state, browserKey, ...sent, ...deviceInput(readStored(lastAccountKey, '')) },
    { quiet: true },
  )
  forgetDeparture()
  saveStored(lastAccountKey, signed.manager.loginCode)
  saveStored(getDeviceKey(signed.manager.loginCode), signed.device)
  enterApp(signed, findSignInEntry(path), search)
}

async function finishBinding({ state, browserKey }: Departure, answer: ProviderAnswer): Promise<void> {
  await send(finishIdentityBinding, { state, browserKey, ...answer }, { quiet: true })
  forgetDeparture()
  navigateTo(paths.personCentre, { replace: true })
  toast.success('统一身份已绑定')
}

const isTotpWanted = (error: unknown): boolean =>
  error instanceof Refused && ((error.data ?? {}) as { readonly Totp?: number }).Totp === 1

/** Where the provider sends the browser back to: signs in, or binds, what it has proved. */
export default function IdentityReturn() {
  const [{ state, answer }] = useState(readAnswer)
  const [departure] = useState(() => findDeparture(state))
  const [needsTotp, setNeedsTotp] = useState(false)
  const [totp, setTotp] = useState('')
  const [fault, setFault] = useState<string>()
  const [isBusy, setIsBusy] = useState(true)
  const hasStarted = useRef(false)
  const finish = async (sent: ProviderAnswer & { totp?: string }): Promise<void> => {
    if (!departure) return
    setIsBusy(true)
    setFault(undefined)
    try {
      await (departure.purpose === 'bind' ? finishBinding(departure, sent) : finishSignIn(departure, sent))
    } catch (error) {
      setIsBusy(false)
      setNeedsTotp(isTotpWanted(error))
      // The first request for a code is no fault.
      if (sent.totp !== undefined || !isTotpWanted(error)) {
        setFault(error instanceof Refused ? error.message : '登录失败，请检查网络后重试')
      }
    }
  }
  useEffect(() => {
    if (hasStarted.current) return
    hasStarted.current = true
    history.replaceState(history.state, '', location.pathname)
    void finish(answer)
  }, [])
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault()
    if (totp.trim()) {
      void finish({ totp: totp.trim() })
    } else {
      setFault('请输入动态验证码')
    }
  }
  const isBinding = departure?.purpose === 'bind'
  const message = departure ? fault : '登录已过期，或不是从本浏览器发起，请重新登录'
  return (
    <AuthLayout
      title={isBinding ? '绑定统一身份' : '统一身份登录'}
      company={departure && isBusy ? '正在核验身份平台的登录' : undefined}
    >
      {needsTotp ? (
        <form noValidate onSubmit={submit}>
          <TotpField fault={fault} value={totp} onChange={setTotp} />
          <Button
            className="auth-submit"
            type="primary"
            size="large"
            block
            htmlType="submit"
            loading={isBusy}
          >
            登录
          </Button>
        </form>
      ) : (
        message && (
          <p className="hint warn" role="alert">
            {message}
          </p>
        )
      )}
      <div className="auth-links">
        {isBinding ? (
          <AuthLink to={paths.personCentre}>返回个人中心</AuthLink>
        ) : (
          <AuthLink to={`${departure?.path ?? paths.login}${departure?.search ?? ''}`}>返回登录</AuthLink>
        )}
      </div>
    </AuthLayout>
  )
}
