import { AuthTextField, NewPasswordFields, smsCodeFault, useAuthForm, type Faults } from './auth-form.tsx'
import { Button } from 'antd'
import { useState } from 'react'
import { rules } from '#kit/contract/rules.ts'
import { navigateTo } from '#kit/web/navigation.ts'
import { send } from '#kit/web/send.ts'
import { toast } from '#kit/web/toast.ts'
import { verifySmsCode, resetForgottenPassword, requestAnonymousSmsCode } from '../contract/sms-code.ts'
import { AuthLink, AuthLayout } from './auth-layout.tsx'
import { SmsField, type SolvedCaptcha } from './sms-field.tsx'
import { findNewPasswordFaults } from './password-rules.ts'

interface VerifyMobileStepProps {
  readonly passed: (pass: string, loginCode: string) => void
}

function VerifyMobileStep({ passed }: VerifyMobileStepProps) {
  const [loginCode, setLogin] = useState('')
  const [mobile, setMobile] = useState('')
  const [smsCode, setCode] = useState('')
  const account = { loginCode: loginCode.trim(), mobile: mobile.trim() }
  const findFaults = (): Faults => {
    const wrongMobile = rules.mobile.test(account.mobile, { required: true })
    return {
      ...(account.loginCode ? {} : { Logincode: '请输入账号' }),
      ...(wrongMobile ? { Mobile: wrongMobile } : {}),
    }
  }
  const { faults, showFaults, isBusy, onSubmit } = useAuthForm({
    fields: ['Logincode', 'Mobile', 'SmsCode'],
    otherwise: 'SmsCode',
    check: () => ({ ...findFaults(), ...smsCodeFault(smsCode) }),
    submit: async () =>
      passed(await send(verifySmsCode, { ...account, smsCode }, { quiet: true }), account.loginCode),
  })
  const requestCode = async (picture: SolvedCaptcha): Promise<undefined> => {
    if (showFaults(findFaults())) throw new Error('请先填写账号和手机号')
    await send(requestAnonymousSmsCode, { purpose: 'password', ...account, ...picture }, { quiet: true })
  }
  return (
    <form onSubmit={onSubmit} noValidate>
      <AuthTextField
        label="账号"
        required
        fault={faults.Logincode}
        autoFocus
        autoComplete="username"
        maxLength={40}
        value={loginCode}
        onChange={setLogin}
      />
      <AuthTextField
        label="手机号"
        required
        fault={faults.Mobile}
        help="手机号须与账号绑定的一致"
        autoComplete="tel"
        inputMode="tel"
        maxLength={11}
        value={mobile}
        onChange={setMobile}
      />
      <SmsField value={smsCode} onChange={setCode} fault={faults.SmsCode} requestCode={requestCode} />
      <Button className="auth-submit" type="primary" size="large" block htmlType="submit" loading={isBusy}>
        下一步
      </Button>
    </form>
  )
}

interface NewPasswordStepProps {
  readonly pass: string
  readonly loginCode: string
}

function NewPasswordStep({ pass, loginCode }: NewPasswordStepProps) {
  const [password, setPassword] = useState('')
  const [again, setAgain] = useState('')
  const { faults, isBusy, onSubmit } = useAuthForm({
    fields: ['Password'],
    otherwise: 'again',
    check: () => findNewPasswordFaults({ label: '新密码', password, again, loginCode }),
    submit: async () => {
      await send(resetForgottenPassword, { pass, password }, { quiet: true })
      toast.success('密码已重新设置，请用新密码登录')
      navigateTo('/login', { replace: true })
    },
  })
  return (
    <form onSubmit={onSubmit} noValidate>
      <input type="text" hidden readOnly autoComplete="username" value={loginCode} />
      <NewPasswordFields
        label="新密码"
        faults={faults}
        autoFocus
        password={password}
        again={again}
        onPassword={setPassword}
        onAgain={setAgain}
      />
      <Button className="auth-submit" type="primary" size="large" block htmlType="submit" loading={isBusy}>
        重新设置密码
      </Button>
    </form>
  )
}

/**
 * A forgotten password in two steps. The second has an address of its own, which without its pass leads back
 * to the first.
 */
export default function ForgotPassword() {
  const [passed, setPassed] = useState<{ pass: string; loginCode: string }>()
  const steps = ['验证手机', '设置新密码']
  const at = passed ? 1 : 0
  return (
    <AuthLayout title={passed ? '设置新密码' : '找回密码'}>
      <ol className="auth-steps">
        {steps.map((s, i) => (
          <li key={s} aria-current={i === at ? 'step' : undefined}>
            {s}
          </li>
        ))}
      </ol>
      {passed ? (
        <NewPasswordStep {...passed} />
      ) : (
        <VerifyMobileStep
          passed={(pass, loginCode) => {
            setPassed({ pass, loginCode })
            history.replaceState(history.state, '', '/retricepassword')
          }}
        />
      )}
      <div className="auth-links">
        <AuthLink to="/login">返回登录</AuthLink>
      </div>
    </AuthLayout>
  )
}
