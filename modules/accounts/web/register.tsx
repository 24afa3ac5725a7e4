import { AuthTextField, NewPasswordFields, smsCodeFault, useAuthForm } from './auth-form.tsx'
import { defined } from '#kit/domain/defined.ts'
import { Button } from 'antd'
import { useState } from 'react'
import type { Field as FieldOf } from '#kit/contract/field.ts'
import { validateValue } from '#kit/contract/value.ts'
import { rules } from '#kit/contract/rules.ts'
import { navigateTo } from '#kit/web/navigation.ts'
import { send } from '#kit/web/send.ts'
import { signIn } from '#kit/web/session.ts'
import { toast } from '#kit/web/toast.ts'
import { registerCompany, requestAnonymousSmsCode } from '../contract/sms-code.ts'
import { login } from '../contract/sign-in.ts'
import { AuthLink, AuthLayout } from './auth-layout.tsx'
import { SmsField, type SolvedCaptcha } from './sms-field.tsx'
import { findNewPasswordFaults } from './password-rules.ts'

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
  const { faults, showFaults, isBusy, onSubmit } = useAuthForm({
    fields: [...Object.values(wireNames), 'SmsCode', 'Password'],
    otherwise: 'again',
    check: () => {
      const loginCode = values.loginCode.trim()
      return {
        ...Object.fromEntries(
          [...companyFields, 'loginCode' as const].flatMap(key => {
            const wrong = validateValue(defined(fields[key]), values[key].trim() || undefined)
            return wrong ? [[defined(wireNames[key]), wrong]] : []
          }),
        ),
        ...smsCodeFault(smsCode),
        ...findNewPasswordFaults({ label: '密码', password, again, loginCode }),
      }
    },
    submit: async () => {
      const companyName = values.companyName.trim()
      const loginCode = values.loginCode.trim()
      const proof = { mobile: values.mobile.trim(), smsCode }
      const realName = values.realName.trim()
      await send(registerCompany, { companyName, realName, loginCode, ...proof, password }, { quiet: true })
      signIn(await send(login, { loginCode, password }, { quiet: true }))
      toast.success(`「${companyName}」已开通`)
      navigateTo('/', { replace: true })
    },
  })
  const box = (fieldKey: FieldKey) => (
    <AuthTextField
      key={fieldKey}
      label={defined(fields[fieldKey]).label}
      required={fields[fieldKey]?.required}
      fault={faults[defined(wireNames[fieldKey])]}
      help={fieldKey === 'mobile' ? '作为超级管理员的手机号，找回密码时用' : undefined}
      autoFocus={fieldKey === 'companyName'}
      autoComplete={autoCompleteNames[fieldKey]}
      maxLength={defined(fields[fieldKey]).max ?? 80}
      value={values[fieldKey]}
      onChange={text => setValues(s => ({ ...s, [fieldKey]: text }))}
    />
  )
  const requestCode = async (picture: SolvedCaptcha): Promise<string> => {
    const mobile = values.mobile.trim()
    const wrong = rules.mobile.test(mobile, { required: true })
    if (showFaults(wrong ? { Mobile: wrong } : {})) throw new Error('请先填写手机号')
    await send(requestAnonymousSmsCode, { purpose: 'register', mobile, ...picture }, { quiet: true })
    return mobile
  }
  return (
    <AuthLayout title="开通账号" company="填写公司和联系人，开通后即可使用">
      <form onSubmit={onSubmit} noValidate>
        {companyFields.map(box)}
        <SmsField value={smsCode} onChange={setCode} fault={faults.SmsCode} requestCode={requestCode} />
        {box('loginCode')}
        <NewPasswordFields
          label="密码"
          faults={faults}
          password={password}
          again={again}
          onPassword={setPassword}
          onAgain={setAgain}
        />
        <Button className="auth-submit" type="primary" size="large" block htmlType="submit" loading={isBusy}>
          开通并进入
        </Button>
      </form>
      <div className="auth-links">
        <AuthLink to="/login">已有账号，返回登录</AuthLink>
      </div>
    </AuthLayout>
  )
}
