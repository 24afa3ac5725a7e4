import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { Refused, resultCode } from '#kit/contract/wire.ts'
import { parseId, type Id } from '#kit/domain/id.ts'
import { saveStored, useStored } from '#kit/web/browser-store.ts'
import { useCall } from '#kit/web/query.ts'
import { send } from '#kit/web/send.ts'
import {
  getMerchantSession,
  signOutMerchant,
  type MerchantSessionFacts,
} from '#modules/merchants/contract/sign-in.ts'
import { PasswordForm } from './password-form.tsx'
import { describeProblem, Head, Placeholder } from './phone-frame.tsx'
import { ShopOpened } from './shop-opened.tsx'
import { SignInForm } from './sign-in-form.tsx'

const title = '商户登录'
const anonymous = { quiet: true, project: 0 } as const

/** Where a phone keeps the sign-in of its merchant. */
const tokenKey = 'merchant.token'

/** What is no session any more; everything else is a fault of the moment. */
const hasEnded = (error: unknown): boolean =>
  error instanceof Refused && error.code !== resultCode.rateLimited

interface SignedInProps {
  readonly token: string
  readonly session: MerchantSessionFacts
  /** Asks again whether it is a session still. */
  readonly onChanged: () => void
}

function SignedIn({ token, session, onChanged }: SignedInProps) {
  const [isChanging, setChanging] = useState(session.mustChange)
  const [fault, setFault] = useState<string>()
  const signOut = async (): Promise<void> => {
    try {
      await send(signOutMerchant, { token }, anonymous)
      saveStored(tokenKey, undefined)
    } catch (error) {
      setFault(describeProblem(error))
    }
  }
  const accountText = [session.userName, session.loginName].filter(Boolean).join(' ')
  const account = (
    <footer className="merchant-account">
      <small>{accountText}</small>
      {!isChanging && (
        <button type="button" className="big" onClick={() => setChanging(true)}>
          修改密码
        </button>
      )}
      <button type="button" className="big" onClick={() => void signOut()}>
        退出登录
      </button>
      {fault !== undefined && (
        <p className="fault" role="alert">
          {fault}
        </p>
      )}
    </footer>
  )
  if (!isChanging) return <ShopOpened token={token} foot={account} onFault={onChanged} />
  return (
    <div className="phone coupon-phone">
      <Head title={session.merchantName} note="商户停车券" />
      <main>
        <PasswordForm
          token={token}
          session={session}
          onDone={() => {
            setChanging(false)
            onChanged()
          }}
          {...(session.mustChange ? {} : { onCancel: () => setChanging(false) })}
        />
      </main>
      {account}
    </div>
  )
}

interface SessionProps {
  readonly token: string
  readonly companyId: Id | undefined
}

const SignInPage = ({ companyId, note }: Pick<SessionProps, 'companyId'> & { readonly note?: string }) => (
  <div className="phone coupon-phone">
    <Head title={title} note="发放停车券、购券、查看记录" />
    <main>
      <SignInForm companyId={companyId} note={note} onSignedIn={token => saveStored(tokenKey, token)} />
    </main>
  </div>
)

function OpenedSession({ token, companyId }: SessionProps) {
  const opened = useCall(getMerchantSession, { token }, { ...anonymous, staleMs: 0 })
  if (hasEnded(opened.error)) return <SignInPage companyId={companyId} note={describeProblem(opened.error)} />
  const session = opened.data
  if (!session)
    return <Placeholder title={title} error={opened.error} onRetry={() => void opened.refetch()} />
  return <SignedIn token={token} session={session} onChanged={() => void opened.refetch()} />
}

/** 商户登录: the page of a merchant by an account of it. */
export function MerchantPage() {
  const [params] = useSearchParams()
  const companyId = parseId(params.get('c')) || undefined
  const [token] = useStored(tokenKey, '')
  return token === '' ? (
    <SignInPage companyId={companyId} />
  ) : (
    <OpenedSession token={token} companyId={companyId} key={token} />
  )
}
