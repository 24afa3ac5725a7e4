import { fieldFaultsOf } from '#kit/web/refusal-faults.ts'
import { defined } from '#kit/domain/defined.ts'
import { Button } from 'antd'
import { useState, type SyntheticEvent } from 'react'
import { Refused } from '#kit/contract/wire.ts'
import { navigateTo } from '#kit/web/navigation.ts'
import { send } from '#kit/web/send.ts'
import { session, signIn, signOut, useSession } from '#kit/web/session.ts'
import { toast } from '#kit/web/toast.ts'
import { changePassword } from '../contract/account.ts'
import { logout } from '../contract/sign-in.ts'
import { AuthLayout, PasswordInput } from './auth-layout.tsx'
import { signInEntries, getLandingPath } from './sign-in-entries.ts'
import { findNewPasswordFault, passwordHelp } from './password-rules.ts'

type Faults = Partial<Record<'OldPassword' | 'Password' | 'again', string>>

/** The first thing somebody does whose password another person has set (PERM-9). */
export default function ChangePassword() {
  const signed = useSession(s => s.signed)
  const [old, setOld] = useState('')
  const [fresh, setFresh] = useState('')
  const [again, setAgain] = useState('')
  const [faults, setFaults] = useState<Faults>({})
  const [busy, setBusy] = useState(false)
  const submit = async (e: SyntheticEvent): Promise<void> => {
    e.preventDefault()
    const wrong = findNewPasswordFault(fresh, signed?.manager.loginCode ?? '', old)
    const found: Faults = {
      ...(old ? {} : { OldPassword: '请输入当前密码' }),
      ...(wrong ? { Password: wrong } : {}),
      ...(again === fresh ? {} : { again: '两次输入的新密码不一致' }),
    }
    setFaults(found)
    if (Object.keys(found).length) return
    setBusy(true)
    try {
      await send(changePassword, { oldPassword: old, password: fresh }, { quiet: true })
      const now = session.getState().signed
      if (now) {
        signIn({ ...now, manager: { ...now.manager, mustChange: false } })
      }
      toast.success('密码已修改，其他设备上的登录已退出')
      const to = getLandingPath(location.search, defined(signInEntries[0]))
      navigateTo(now?.manager.mustBind ? `/bindfactor?redirect=${encodeURIComponent(to)}` : to, {
        replace: true,
      })
    } catch (x) {
      setBusy(false)
      if (!(x instanceof Refused)) return setFaults({ Password: '修改失败，请检查网络后重试' })
      const at = fieldFaultsOf(x)[0]?.Field
      setFaults({ [at === 'OldPassword' ? 'OldPassword' : 'Password']: x.message })
    }
  }
  const leave = (): void => {
    void send(logout, undefined, { quiet: true }).catch(() => {})
    signOut()
    navigateTo('/login', { replace: true })
  }
  return (
    <AuthLayout
      title="修改密码"
      company={signed ? `${signed.manager.companyName} · ${signed.manager.realName}` : undefined}
    >
      {signed?.manager.mustChange && (
        <p className="hint" role="status">
          <span>首次登录或密码已被重置，请先设置自己的密码</span>
        </p>
      )}
      <form onSubmit={e => void submit(e)} noValidate>
        <input type="text" hidden readOnly autoComplete="username" value={signed?.manager.loginCode ?? ''} />
        <PasswordInput
          label="当前密码"
          fault={faults.OldPassword}
          autoFocus
          autoComplete="current-password"
          maxLength={60}
          value={old}
          onChange={e => setOld(e.target.value)}
        />
        <PasswordInput
          label="新密码"
          fault={faults.Password}
          help={passwordHelp}
          autoComplete="new-password"
          maxLength={15}
          value={fresh}
          onChange={e => setFresh(e.target.value)}
        />
        <PasswordInput
          label="确认新密码"
          fault={faults.again}
          autoComplete="new-password"
          maxLength={15}
          value={again}
          onChange={e => setAgain(e.target.value)}
        />
        <Button className="door-submit" type="primary" size="large" block htmlType="submit" loading={busy}>
          保存并继续
        </Button>
      </form>
      <div className="door-links">
        <button type="button" className="linkish" onClick={leave}>
          更换账号登录
        </button>
      </div>
    </AuthLayout>
  )
}
