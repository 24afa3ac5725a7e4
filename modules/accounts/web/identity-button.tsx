import { Button } from 'antd'
import { useState } from 'react'
import { Refused } from '#kit/contract/wire.ts'
import { send } from '#kit/web/send.ts'
import { beginIdentitySignIn } from '../contract/identity-sign-in.ts'
import { departTo } from './identity-departure.ts'

/** To the company's identity provider, to sign in there. */
export function IdentityButton({ label, pageKey }: { readonly label: string; readonly pageKey: string }) {
  const [isBusy, setIsBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const depart = async (): Promise<void> => {
    setIsBusy(true)
    setFault(undefined)
    try {
      departTo(
        await send(beginIdentitySignIn, { pageKey, origin: location.origin }, { quiet: true }),
        'signIn',
      )
    } catch (error) {
      setIsBusy(false)
      setFault(error instanceof Refused ? error.message : '登录失败，请检查网络后重试')
    }
  }
  return (
    <div className="auth-field">
      <Button size="large" block loading={isBusy} onClick={() => void depart()}>
        {label}
      </Button>
      {fault && (
        <p className="fault" role="alert">
          {fault}
        </p>
      )}
    </div>
  )
}
