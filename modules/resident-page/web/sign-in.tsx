import { useEffect, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { saveStored } from '#kit/web/browser-store.ts'
import { PhoneField } from '#kit/web/phone/phone-field.tsx'
import { useCall } from '#kit/web/query.ts'
import { send } from '#kit/web/send.ts'
import { CodeFields } from '#modules/accounts/web/public.phone-codes.tsx'
import {
  askResidentWechat,
  openEntrance,
  sendResidentCode,
  signInByWechat,
  signInResident,
} from '../contract/home.ts'
import { paths } from '../module.ts'
import {
  describeResidentProblem,
  residentAddressOf,
  ResidentFrame,
  ResidentPlaceholder,
  residentTokenName,
} from './public.resident-frame.tsx'

const title = '住户登录'
const anonymous = { quiet: true, project: 0 } as const
const nonceName = 'resident.nonce'

const isWechat = (): boolean => /MicroMessenger/i.test(navigator.userAgent)

const newNonce = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map(byte => byte.toString(16).padStart(2, '0')).join('')

interface PartProps {
  readonly entrance: string
  readonly onSignedIn: (token: string) => void
}

function MobileForm({ entrance, onSignedIn }: PartProps) {
  const [mobile, setMobile] = useState('')
  const [smsCode, setSmsCode] = useState('')
  const [fault, setFault] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const signIn = async (): Promise<void> => {
    if (!/^1\d{10}$/.test(mobile.trim())) return setFault('请填写 11 位手机号')
    if (smsCode.length !== 6) return setFault('请填写 6 位短信验证码')
    setFault(undefined)
    setBusy(true)
    try {
      const { token } = await send(signInResident, { entrance, mobile: mobile.trim(), smsCode }, anonymous)
      onSignedIn(token)
    } catch (error) {
      setFault(describeResidentProblem(error))
      setBusy(false)
    }
    return undefined
  }
  return (
    <form
      className="sign-in"
      aria-label={title}
      noValidate
      onSubmit={event => {
        event.preventDefault()
        void signIn()
      }}
    >
      <PhoneField label="手机号" isRequired hint="在物业登记的手机号">
        {control => (
          <input
            {...control}
            inputMode="tel"
            autoComplete="tel"
            maxLength={11}
            value={mobile}
            onChange={event => setMobile(event.target.value)}
          />
        )}
      </PhoneField>
      <CodeFields
        missing={mobile.trim() === '' ? '请先填写手机号' : undefined}
        request={captcha =>
          send(sendResidentCode, { entrance, mobile: mobile.trim(), ...captcha }, anonymous)
        }
        describe={describeResidentProblem}
        sentHint="已登记的手机号会收到验证码"
        code={smsCode}
        onCode={setSmsCode}
      />
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

function WechatButton({ entrance }: { readonly entrance: string }) {
  const [fault, setFault] = useState<string>()
  const ask = async (): Promise<void> => {
    const nonce = newNonce()
    sessionStorage.setItem(nonceName, nonce)
    try {
      const input = { entrance, origin: location.origin, nonce }
      location.assign((await send(askResidentWechat, input, anonymous)).address)
    } catch (error) {
      setFault(describeResidentProblem(error))
    }
  }
  return (
    <>
      <button type="button" className="big" onClick={() => void ask()}>
        微信登录
      </button>
      {fault !== undefined && (
        <p className="fault" role="alert">
          {fault}
        </p>
      )}
    </>
  )
}

/** Back from WeChat: only what this page asked for itself is taken. */
function WechatReturn({ entrance, code, state, onSignedIn }: PartProps & { code: string; state: string }) {
  const [error, setError] = useState<unknown>()
  useEffect(() => {
    if (sessionStorage.getItem(nonceName) !== state) {
      setError(new Error('unexpected return'))
      return
    }
    sessionStorage.removeItem(nonceName)
    send(signInByWechat, { entrance, code }, anonymous).then(({ token }) => onSignedIn(token), setError)
  }, [])
  return error === undefined ? (
    <p role="status">正在登录…</p>
  ) : (
    <p className="fault" role="alert">
      {error instanceof Error && error.message === 'unexpected return'
        ? '微信登录已失效，请重新登录'
        : describeResidentProblem(error)}
    </p>
  )
}

/** Where the code of a project or a building leads: sign in, once in thirty days. */
export function SignIn({ entrance }: { readonly entrance: string }) {
  const [params] = useSearchParams()
  const navigate = useNavigate()
  const opened = useCall(openEntrance, { entrance }, { ...anonymous, staleMs: 0 })
  const page = opened.data
  if (!page)
    return <ResidentPlaceholder title={title} error={opened.error} onRetry={() => void opened.refetch()} />
  const onSignedIn = (token: string): void => {
    saveStored(residentTokenName, token)
    void navigate(residentAddressOf(paths.home, { token }), { replace: true })
  }
  const [code, state] = [params.get('code'), params.get('state')]
  return (
    <ResidentFrame
      title={page.estateName}
      note={[page.buildingName, page.companyName].filter(Boolean).join(' · ')}
      servicePhone={page.servicePhone}
    >
      <main>
        <section>
          {code !== null && state !== null && (
            <WechatReturn entrance={entrance} code={code} state={state} onSignedIn={onSignedIn} />
          )}
          <MobileForm entrance={entrance} onSignedIn={onSignedIn} />
          {isWechat() && <WechatButton entrance={entrance} />}
        </section>
      </main>
    </ResidentFrame>
  )
}
