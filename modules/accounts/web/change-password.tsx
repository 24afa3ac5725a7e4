import type { Faults } from './auth-form.tsx'
import { useChangePassword } from './use-change-password.tsx'
import { fieldFaultsOf } from '#kit/web/refusal-faults.ts'
import { defined } from '#kit/domain/defined.ts'
import { Button } from 'antd'
import { Refused } from '#kit/contract/wire.ts'
import { navigateTo } from '#kit/web/navigation.ts'
import { send } from '#kit/web/send.ts'
import { leaveSession, session, signIn, useSession } from '#kit/web/session.ts'
import { toast } from '#kit/web/toast.ts'
import { logout } from '../contract/sign-in.ts'
import { AuthLayout } from './auth-layout.tsx'
import { signInEntries, getLandingPath } from './sign-in-entries.ts'

/** A refusal that does not name the old password is about the new one. */
function readFaults(error: unknown): Faults {
  if (!(error instanceof Refused)) return { Password: '修改失败，请检查网络后重试' }
  const field = fieldFaultsOf(error)[0]?.Field
  return { [field === 'OldPassword' ? 'OldPassword' : 'Password']: error.message }
}

function enterWithNewPassword(): void {
  const { signed } = session.getState()
  if (signed) {
    signIn({ ...signed, manager: { ...signed.manager, mustChange: false } })
  }
  toast.success('密码已修改，其他设备上的登录已退出')
  const to = getLandingPath(location.search, defined(signInEntries[0]))
  navigateTo(signed?.manager.mustBind ? `/bindfactor?redirect=${encodeURIComponent(to)}` : to, {
    replace: true,
  })
}

/** The first thing somebody does whose password another person has set (PERM-9). */
export default function ChangePassword() {
  const signed = useSession(s => s.signed)
  const { fields, isBusy, onSubmit } = useChangePassword({
    loginCode: signed?.manager.loginCode ?? '',
    onChanged: enterWithNewPassword,
    readFaults,
  })
  const leave = (): void => {
    void send(logout, undefined, { quiet: true }).catch(() => {})
    leaveSession()
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
      <form onSubmit={onSubmit} noValidate>
        {fields}
        <Button className="auth-submit" type="primary" size="large" block htmlType="submit" loading={isBusy}>
          保存并继续
        </Button>
      </form>
      <div className="auth-links">
        <button type="button" className="linkish" onClick={leave}>
          更换账号登录
        </button>
      </div>
    </AuthLayout>
  )
}
