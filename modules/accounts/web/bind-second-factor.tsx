import { defined } from '#kit/domain/defined.ts'
import { Button } from 'antd'
import { useState, type SyntheticEvent } from 'react'
import { navigateTo } from '#kit/web/navigation.ts'
import { send } from '#kit/web/send.ts'
import { leaveSession, session, signIn, useSession } from '#kit/web/session.ts'
import { beginTotp, confirmTotp } from '../contract/second-factor.ts'
import { logout } from '../contract/sign-in.ts'
import { AuthLayout, PasswordInput } from './auth-layout.tsx'
import { signInEntries, getLandingPath } from './sign-in-entries.ts'
import { getFieldFaults } from './sms-field.tsx'
import { RecoveryCodes, SaveRecoveryCodes, TotpQr } from './totp-steps.tsx'

/** What somebody does first whose role asks for a second factor: password, picture, code, recovery codes. */
export default function BindSecondFactor() {
  const signed = useSession(s => s.signed)
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [setup, setSetup] = useState<{ secret: string; uri: string }>()
  const [recovery, setRecovery] = useState<readonly string[]>()
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({})
  const [busy, setBusy] = useState(false)
  const submit = async (e: SyntheticEvent): Promise<void> => {
    e.preventDefault()
    const missing: Record<string, string> = setup
      ? /^\d{6}$/.test(code.trim())
        ? {}
        : { Code: '请输入应用中显示的 6 位数字' }
      : password
        ? {}
        : { Password: '请输入当前密码' }
    setFaults(missing)
    if (Object.keys(missing).length) return
    setBusy(true)
    try {
      if (!setup) {
        setSetup(await send(beginTotp, { password }, { quiet: true }))
      } else {
        setRecovery((await send(confirmTotp, { code: code.trim() }, { quiet: true })).recovery)
      }
    } catch (x) {
      setFaults(getFieldFaults(x, ['Password', 'Code'], setup ? 'Code' : 'Password'))
    }
    setBusy(false)
  }
  const enterApp = (): void => {
    const now = session.getState().signed
    if (now) {
      signIn({ ...now, manager: { ...now.manager, mustBind: false } })
    }
    navigateTo(getLandingPath(location.search, defined(signInEntries[0])), { replace: true })
  }
  const leave = (): void => {
    void send(logout, undefined, { quiet: true }).catch(() => {})
    leaveSession()
    navigateTo('/login', { replace: true })
  }
  return (
    <AuthLayout
      title="绑定二次验证"
      company={signed ? `${signed.manager.companyName} · ${signed.manager.realName}` : undefined}
    >
      {recovery ? (
        <>
          <RecoveryCodes codes={recovery} />
          <Button className="auth-submit" type="primary" size="large" block onClick={enterApp}>
            我已保存，进入系统
          </Button>
          <SaveRecoveryCodes codes={recovery} block />
        </>
      ) : (
        <form onSubmit={e => void submit(e)} noValidate>
          <p className="hint" role="status">
            <span>你的角色要求二次验证：以后登录除了密码，还要输入手机上身份验证器应用显示的 6 位数字</span>
          </p>
          {setup ? (
            <TotpQr setup={setup} code={code} onCode={setCode} fault={faults.Code} />
          ) : (
            <PasswordInput
              label="当前密码"
              required
              fault={faults.Password}
              autoFocus
              autoComplete="current-password"
              maxLength={60}
              value={password}
              onChange={e => setPassword(e.target.value)}
            />
          )}
          <Button className="auth-submit" type="primary" size="large" block htmlType="submit" loading={busy}>
            {setup ? '绑定' : '下一步'}
          </Button>
        </form>
      )}
      {!recovery && (
        <div className="auth-links">
          <button type="button" className="linkish" onClick={leave}>
            更换账号登录
          </button>
        </div>
      )}
    </AuthLayout>
  )
}
