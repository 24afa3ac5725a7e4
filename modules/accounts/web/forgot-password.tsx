import { defined } from '#kit/domain/defined.ts'
import { Button, Input } from 'antd'
import { useState, type SyntheticEvent } from 'react'
import { rules } from '#kit/contract/rules.ts'
import { navigateTo } from '#kit/web/navigation.ts'
import { send } from '#kit/web/send.ts'
import { toast } from '#kit/web/toast.ts'
import { verifySmsCode, resetForgottenPassword, requestAnonymousSmsCode } from '../contract/sms-code.ts'
import { AuthLink, AuthLayout, LabelledField, PasswordInput } from './auth-layout.tsx'
import { SmsField, getFieldFaults, type SolvedCaptcha } from './sms-field.tsx'
import { findNewPasswordFault, passwordHelp } from './password-rules.ts'

type Faults = Readonly<Record<string, string>>

function VerifyMobileStep({ passed }: { readonly passed: (pass: string, loginCode: string) => void }) {
  const [loginCode, setLogin] = useState('')
  const [mobile, setMobile] = useState('')
  const [smsCode, setCode] = useState('')
  const [faults, setFaults] = useState<Faults>({})
  const [busy, setBusy] = useState(false)
  const findFaults = (): Faults => ({
    ...(loginCode.trim() ? {} : { Logincode: '请输入账号' }),
    ...(rules.mobile.test(mobile.trim(), { required: true })
      ? { Mobile: defined(rules.mobile.test(mobile.trim(), { required: true })) }
      : {}),
  })
  const submit = async (e: SyntheticEvent): Promise<void> => {
    e.preventDefault()
    const found = {
      ...findFaults(),
      ...(/^\d{6}$/.test(smsCode) ? {} : { SmsCode: '请输入 6 位短信验证码' }),
    }
    setFaults(found)
    if (Object.keys(found).length) return
    setBusy(true)
    try {
      passed(
        await send(
          verifySmsCode,
          { loginCode: loginCode.trim(), mobile: mobile.trim(), smsCode },
          { quiet: true },
        ),
        loginCode.trim(),
      )
    } catch (x) {
      setBusy(false)
      setFaults(getFieldFaults(x, ['Logincode', 'Mobile', 'SmsCode'], 'SmsCode'))
    }
  }
  const ask = async (picture: SolvedCaptcha): Promise<undefined> => {
    const found = findFaults()
    setFaults(found)
    if (Object.keys(found).length) throw new Error('请先填写账号和手机号')
    await send(
      requestAnonymousSmsCode,
      { purpose: 'password', loginCode: loginCode.trim(), mobile: mobile.trim(), ...picture },
      { quiet: true },
    )
  }
  return (
    <form onSubmit={e => void submit(e)} noValidate>
      <LabelledField label="账号" fault={faults.Logincode}>
        {own => (
          <Input
            size="large"
            {...own}
            autoFocus
            autoComplete="username"
            maxLength={40}
            value={loginCode}
            onChange={e => setLogin(e.target.value)}
          />
        )}
      </LabelledField>
      <LabelledField label="手机号" fault={faults.Mobile} help="手机号须与账号绑定的一致">
        {own => (
          <Input
            size="large"
            {...own}
            autoComplete="tel"
            inputMode="tel"
            maxLength={11}
            value={mobile}
            onChange={e => setMobile(e.target.value)}
          />
        )}
      </LabelledField>
      <SmsField value={smsCode} onChange={setCode} fault={faults.SmsCode} ask={ask} />
      <Button className="door-submit" type="primary" size="large" block htmlType="submit" loading={busy}>
        下一步
      </Button>
    </form>
  )
}

function NewPasswordStep({ pass, loginCode }: { readonly pass: string; readonly loginCode: string }) {
  const [fresh, setFresh] = useState('')
  const [again, setAgain] = useState('')
  const [faults, setFaults] = useState<Faults>({})
  const [busy, setBusy] = useState(false)
  const submit = async (e: SyntheticEvent): Promise<void> => {
    e.preventDefault()
    const wrong = findNewPasswordFault(fresh, loginCode)
    const found: Faults = {
      ...(wrong ? { Password: wrong } : {}),
      ...(again === fresh ? {} : { again: '两次输入的新密码不一致' }),
    }
    setFaults(found)
    if (Object.keys(found).length) return
    setBusy(true)
    try {
      await send(resetForgottenPassword, { pass, password: fresh }, { quiet: true })
      toast.success('密码已重新设置，请用新密码登录')
      navigateTo('/login', { replace: true })
    } catch (x) {
      setBusy(false)
      setFaults(getFieldFaults(x, ['Password'], 'again'))
    }
  }
  return (
    <form onSubmit={e => void submit(e)} noValidate>
      <input type="text" hidden readOnly autoComplete="username" value={loginCode} />
      <PasswordInput
        label="新密码"
        fault={faults.Password}
        help={passwordHelp}
        autoFocus
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
      <ol className="door-steps">
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
      <div className="door-links">
        <AuthLink to="/login">返回登录</AuthLink>
      </div>
    </AuthLayout>
  )
}
