import { AuthTextField, NewPasswordFields, useAuthForm } from './auth-form.tsx'
import { getFieldFaults } from './sms-field.tsx'
import { defined } from '#kit/domain/defined.ts'
import { Button } from 'antd'
import { useState } from 'react'
import { validateValue } from '#kit/contract/value.ts'
import { Refused } from '#kit/contract/wire.ts'
import { navigateTo } from '#kit/web/navigation.ts'
import { queryClient } from '#kit/web/query.ts'
import { send } from '#kit/web/send.ts'
import { signIn } from '#kit/web/session.ts'
import { toast } from '#kit/web/toast.ts'
import { setUpInstallation } from '../contract/company.ts'
import { login } from '../contract/sign-in.ts'
import { AuthLayout, useSignInPage } from './auth-layout.tsx'
import { findNewPasswordFaults } from './password-rules.ts'

const inputFields = setUpInstallation.input.fields
const fields = {
  companyName: defined(inputFields.companyName),
  realName: defined(inputFields.realName),
  loginCode: defined(inputFields.loginCode),
  mobile: defined(inputFields.mobile),
  // Asked only where it is needed.
  setupCode: { ...defined(inputFields.setupCode), required: true },
}

const textFields = ['companyName', 'realName', 'mobile', 'loginCode'] as const
type FieldKey = (typeof textFields)[number] | 'setupCode'

const emptyForm: Record<FieldKey, string> = {
  setupCode: '',
  companyName: '',
  realName: '',
  mobile: '',
  loginCode: '',
}

const wireNames: Record<FieldKey, string> = {
  setupCode: 'SetupCode',
  companyName: 'CompanyName',
  realName: 'RealName',
  mobile: 'Mobile',
  loginCode: 'Logincode',
}

const setUpFields = [...Object.values(wireNames), 'Password']

const autoCompleteNames: Record<FieldKey, string> = {
  setupCode: 'off',
  companyName: 'organization',
  realName: 'name',
  mobile: 'tel',
  loginCode: 'username',
}

/** An installation with nobody in it: its company and its administrator. */
export default function InstallationSetup() {
  const { data, isPending } = useSignInPage()
  const keys: readonly FieldKey[] = data?.needsSetupCode ? ['setupCode', ...textFields] : textFields
  const [values, setValues] = useState(emptyForm)
  const [password, setPassword] = useState('')
  const [again, setAgain] = useState('')
  const { faults, isBusy, onSubmit } = useAuthForm({
    fields: setUpFields,
    otherwise: 'again',
    readFaults: error =>
      error instanceof Refused
        ? getFieldFaults(error, setUpFields, 'again')
        : { again: '开通失败，请检查网络后重试' },
    check: () => {
      const { loginCode } = values
      return {
        ...Object.fromEntries(
          keys.flatMap(key => {
            const wrong = validateValue(fields[key], values[key].trim() || undefined)
            return wrong ? [[wireNames[key], wrong]] : []
          }),
        ),
        ...findNewPasswordFaults({ label: '密码', password, again, loginCode }),
      }
    },
    submit: async () => {
      const { mobile: typed, setupCode, ...rest } = values
      const mobile = typed.trim()
      const optional = { ...(mobile ? { mobile } : {}), ...(setupCode ? { setupCode } : {}) }
      await send(setUpInstallation, { ...rest, password, ...optional }, { quiet: true })
      signIn(await send(login, { loginCode: values.loginCode.trim(), password }, { quiet: true }))
      queryClient.clear()
      toast.success(`已开通「${values.companyName.trim()}」`)
      navigateTo('/', { replace: true })
    },
  })
  // Neither page before it is known which of them it is.
  if (isPending) return <AuthLayout title="开始使用">{null}</AuthLayout>
  if (data && !data.empty)
    return (
      <AuthLayout title="已完成初始化">
        <p className="hint" role="status">
          <span>系统中已经有公司，请直接登录</span>
        </p>
        <Button
          className="auth-submit"
          type="primary"
          size="large"
          block
          onClick={() => navigateTo('/login', { replace: true })}
        >
          登录
        </Button>
      </AuthLayout>
    )
  return (
    <AuthLayout title="开始使用" company="先填写公司，再设置超级管理员的账号">
      <form onSubmit={onSubmit} noValidate>
        {keys.map(textField => (
          <AuthTextField
            key={textField}
            label={fields[textField].label}
            required={fields[textField].required}
            fault={faults[wireNames[textField]]}
            autoComplete={autoCompleteNames[textField]}
            autoFocus={textField === keys[0]}
            help={textField === 'setupCode' ? '在服务的启动日志中' : undefined}
            maxLength={fields[textField].max ?? 80}
            value={values[textField]}
            onChange={text => setValues(s => ({ ...s, [textField]: text }))}
          />
        ))}
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
    </AuthLayout>
  )
}
