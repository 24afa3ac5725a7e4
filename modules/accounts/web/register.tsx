import { defined } from '#kit/domain/defined.ts'
import { Button, Input } from 'antd'
import { useState, type SyntheticEvent } from 'react'
import type { Field as FieldOf } from '#kit/contract/field.ts'
import { validateValue } from '#kit/contract/value.ts'
import { rules } from '#kit/contract/rules.ts'
import { navigateTo } from '#kit/web/navigation.ts'
import { send } from '#kit/web/send.ts'
import { signIn } from '#kit/web/session.ts'
import { toast } from '#kit/web/toast.ts'
import { registerCompany, requestAnonymousSmsCode } from '../contract/sms-code.ts'
import { login } from '../contract/sign-in.ts'
import { AuthLink, AuthLayout, LabelledField, PasswordInput } from './auth-layout.tsx'
import { SmsField, getFieldFaults, type SolvedCaptcha } from './sms-field.tsx'
import { findNewPasswordFault, passwordHelp } from './password-rules.ts'

const fields = registerCompany.input.fields as Readonly<Record<string, FieldOf>>

const wireNames: Readonly<Record<string, string>> = {
  companyName: 'CompanyName',
  realName: 'RealName',
  mobile: 'Mobile',
  loginCode: 'Logincode',
}

const companyFields = ['companyName', 'realName', 'mobile'] as const
type FieldKey = (typeof companyFields)[number] | 'loginCode'

const autoCompleteNames: Record<FieldKey, string> = {
  companyName: 'organization',
  realName: 'name',
  mobile: 'tel',
  loginCode: 'username',
}

/** A new company opens its account: proved by a mobile, on trial from the first minute. */
export default function Register() {
  const [values, setValues] = useState<Record<FieldKey, string>>({
    companyName: '',
    realName: '',
    mobile: '',
    loginCode: '',
  })
  const [smsCode, setCode] = useState('')
  const [password, setPassword] = useState('')
  const [again, setAgain] = useState('')
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({})
  const [busy, setBusy] = useState(false)
  const box = (k: FieldKey) => (
    <LabelledField
      key={k}
      label={defined(fields[k]).label}
      fault={faults[defined(wireNames[k])]}
      help={k === 'mobile' ? '作为超级管理员的手机号，找回密码时用' : undefined}
    >
      {own => (
        <Input
          size="large"
          {...own}
          autoFocus={k === 'companyName'}
          autoComplete={autoCompleteNames[k]}
          maxLength={defined(fields[k]).max ?? 80}
          value={values[k]}
          onChange={e => setValues(s => ({ ...s, [k]: e.target.value }))}
        />
      )}
    </LabelledField>
  )
  const ask = async (picture: SolvedCaptcha): Promise<string> => {
    const wrong = rules.mobile.test(values.mobile.trim(), { required: true })
    setFaults(wrong ? { Mobile: wrong } : {})
    if (wrong) throw new Error('请先填写手机号')
    await send(
      requestAnonymousSmsCode,
      { purpose: 'register', mobile: values.mobile.trim(), ...picture },
      { quiet: true },
    )
    return values.mobile.trim()
  }
  const submit = async (e: SyntheticEvent): Promise<void> => {
    e.preventDefault()
    const found: Record<string, string> = {}
    for (const k of [...companyFields, 'loginCode'] as const) {
      const w = validateValue(defined(fields[k]), values[k].trim() || undefined)
      if (w) {
        found[defined(wireNames[k])] = w
      }
    }
    if (!/^\d{6}$/.test(smsCode)) {
      found.SmsCode = '请输入 6 位短信验证码'
    }
    const wrong = findNewPasswordFault(password, values.loginCode.trim())
    if (wrong) {
      found.Password = wrong
    }
    if (again !== password) {
      found.again = '两次输入的密码不一致'
    }
    setFaults(found)
    if (Object.keys(found).length) return
    setBusy(true)
    try {
      const { companyName, realName, mobile, loginCode } = values
      await send(
        registerCompany,
        {
          companyName: companyName.trim(),
          realName: realName.trim(),
          mobile: mobile.trim(),
          loginCode: loginCode.trim(),
          smsCode,
          password,
        },
        { quiet: true },
      )
      signIn(await send(login, { loginCode: loginCode.trim(), password }, { quiet: true }))
      toast.success(`「${companyName.trim()}」已开通`)
      navigateTo('/', { replace: true })
    } catch (x) {
      setBusy(false)
      setFaults(getFieldFaults(x, [...Object.values(wireNames), 'SmsCode', 'Password'], 'again'))
    }
  }
  return (
    <AuthLayout title="开通账号" company="填写公司和联系人，开通后即可使用">
      <form onSubmit={e => void submit(e)} noValidate>
        {companyFields.map(box)}
        <SmsField value={smsCode} onChange={setCode} fault={faults.SmsCode} ask={ask} />
        {box('loginCode')}
        <PasswordInput
          label="密码"
          fault={faults.Password}
          help={passwordHelp}
          autoComplete="new-password"
          maxLength={15}
          value={password}
          onChange={e => setPassword(e.target.value)}
        />
        <PasswordInput
          label="确认密码"
          fault={faults.again}
          autoComplete="new-password"
          maxLength={15}
          value={again}
          onChange={e => setAgain(e.target.value)}
        />
        <Button className="door-submit" type="primary" size="large" block htmlType="submit" loading={busy}>
          开通并进入
        </Button>
      </form>
      <div className="door-links">
        <AuthLink to="/login">已有账号，去登录</AuthLink>
      </div>
    </AuthLayout>
  )
}
