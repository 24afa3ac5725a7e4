import { defined } from '#kit/domain/defined.ts'
import { fieldFaultsOf } from '#kit/web/refusal-faults.ts'
import { Button, Input } from 'antd'
import { useState, type SyntheticEvent } from 'react'
import { validateValue } from '#kit/contract/value.ts'
import { Refused } from '#kit/contract/wire.ts'
import { navigateTo } from '#kit/web/navigation.ts'
import { queryClient } from '#kit/web/query.ts'
import { send } from '#kit/web/send.ts'
import { signIn } from '#kit/web/session.ts'
import { toast } from '#kit/web/toast.ts'
import { setUpInstallation } from '../contract/company.ts'
import { login } from '../contract/sign-in.ts'
import { AuthLayout, LabelledField, PasswordInput, useSignInPage } from './auth-layout.tsx'
import { findNewPasswordFault, passwordHelp } from './password-rules.ts'

const inputFields = setUpInstallation.input.fields
const fields = {
  companyName: defined(inputFields.companyName),
  realName: defined(inputFields.realName),
  loginCode: defined(inputFields.loginCode),
  mobile: defined(inputFields.mobile),
}

const textFields = ['companyName', 'realName', 'mobile', 'loginCode'] as const
type FieldKey = (typeof textFields)[number] | 'password' | 'again'

const emptyForm: Record<FieldKey, string> = {
  companyName: '',
  realName: '',
  mobile: '',
  loginCode: '',
  password: '',
  again: '',
}

const fieldByWireName: Record<string, FieldKey> = {
  CompanyName: 'companyName',
  RealName: 'realName',
  Mobile: 'mobile',
  Logincode: 'loginCode',
  Password: 'password',
}

const autoCompleteNames: Partial<Record<FieldKey, string>> = {
  companyName: 'organization',
  realName: 'name',
  mobile: 'tel',
  loginCode: 'username',
}

/** An installation with nobody in it: its company and its administrator. */
export default function InstallationSetup() {
  const { data, isPending } = useSignInPage()
  const [values, setValues] = useState(emptyForm)
  const [faults, setFaults] = useState<Partial<Record<FieldKey, string>>>({})
  const [busy, setBusy] = useState(false)
  const set =
    (k: FieldKey) =>
    (e: { target: { value: string } }): void =>
      setValues(s => ({ ...s, [k]: e.target.value }))
  const submit = async (e: SyntheticEvent): Promise<void> => {
    e.preventDefault()
    const found: Partial<Record<FieldKey, string>> = {}
    for (const k of textFields) {
      const w = validateValue(fields[k], values[k].trim() || undefined)
      if (w) {
        found[k] = w
      }
    }
    const wrong = findNewPasswordFault(values.password, values.loginCode)
    if (wrong) {
      found.password = wrong
    }
    if (values.again !== values.password) {
      found.again = '两次输入的密码不一致'
    }
    setFaults(found)
    if (Object.keys(found).length) return
    setBusy(true)
    try {
      const { again: _, mobile, ...rest } = values
      await send(
        setUpInstallation,
        { ...rest, ...(mobile.trim() ? { mobile: mobile.trim() } : {}) },
        { quiet: true },
      )
      signIn(
        await send(login, { loginCode: values.loginCode.trim(), password: values.password }, { quiet: true }),
      )
      queryClient.clear()
      toast.success(`已开通「${values.companyName.trim()}」`)
      navigateTo('/', { replace: true })
    } catch (x) {
      setBusy(false)
      if (!(x instanceof Refused)) return setFaults({ again: '开通失败，请检查网络后重试' })
      setFaults(
        Object.fromEntries(fieldFaultsOf(x).map(f => [fieldByWireName[f.Field] ?? 'again', f.Message])),
      )
    }
  }
  // Neither page before it is known which of them it is.
  if (isPending) return <AuthLayout title="开始使用">{null}</AuthLayout>
  if (data && !data.empty)
    return (
      <AuthLayout title="已完成初始化">
        <p className="hint" role="status">
          <span>系统中已经有公司，请直接登录</span>
        </p>
        <Button
          className="door-submit"
          type="primary"
          size="large"
          block
          onClick={() => navigateTo('/login', { replace: true })}
        >
          去登录
        </Button>
      </AuthLayout>
    )
  return (
    <AuthLayout title="开始使用" company="先填写公司，再设置超级管理员的账号">
      <form onSubmit={e => void submit(e)} noValidate>
        {textFields.map(k => (
          <LabelledField
            key={k}
            label={`${fields[k].label}${fields[k].required ? '' : '（可不填）'}`}
            fault={faults[k]}
          >
            {own => (
              <Input
                size="large"
                {...own}
                autoComplete={autoCompleteNames[k]}
                autoFocus={k === 'companyName'}
                maxLength={fields[k].max ?? 80}
                value={values[k]}
                onChange={set(k)}
              />
            )}
          </LabelledField>
        ))}
        <PasswordInput
          label="密码"
          fault={faults.password}
          help={passwordHelp}
          autoComplete="new-password"
          maxLength={15}
          value={values.password}
          onChange={set('password')}
        />
        <PasswordInput
          label="确认密码"
          fault={faults.again}
          autoComplete="new-password"
          maxLength={15}
          value={values.again}
          onChange={set('again')}
        />
        <Button className="door-submit" type="primary" size="large" block htmlType="submit" loading={busy}>
          开通并进入
        </Button>
      </form>
    </AuthLayout>
  )
}
