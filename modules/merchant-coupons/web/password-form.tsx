import { useState } from 'react'
import { Refused } from '#kit/contract/wire.ts'
import { PhoneField } from '#kit/web/phone/phone-field.tsx'
import { PhoneForm } from '#kit/web/phone/phone-form.tsx'
import { fieldFaultsOf } from '#kit/web/refusal-faults.ts'
import { send } from '#kit/web/send.ts'
import { toast } from '#kit/web/toast.ts'
import { changeMerchantPassword, type MerchantSessionFacts } from '#modules/merchants/contract/sign-in.ts'
import { describeProblem } from './phone-frame.tsx'

interface PasswordFormProps {
  readonly token: string
  readonly session: MerchantSessionFacts
  readonly onDone: () => void
  /** None while the first password must be changed. */
  readonly onCancel?: (() => void) | undefined
}

type Name = 'OldPassword' | 'Password' | 'Again'
type Faults = Partial<Record<Name, string>>

const faultsOf = (error: unknown): Faults => {
  const [first] = error instanceof Refused ? fieldFaultsOf(error) : []
  return first?.Field === 'OldPassword'
    ? { OldPassword: first.Message }
    : { Password: describeProblem(error) }
}

/** Another password for the account; other phones sign in again. */
export function PasswordForm({ token, session, onDone, onCancel }: PasswordFormProps) {
  const [values, setValues] = useState<Record<Name, string>>({ OldPassword: '', Password: '', Again: '' })
  const [faults, setFaults] = useState<Faults>({})
  const [isBusy, setBusy] = useState(false)
  const { asksOldPassword, mustChange } = session
  const save = async (): Promise<void> => {
    const missing: Faults = {
      ...(asksOldPassword && values.OldPassword === '' ? { OldPassword: '请填写原密码' } : {}),
      ...(values.Password === '' ? { Password: '请填写新密码' } : {}),
      ...(values.Again === values.Password ? {} : { Again: '两次填写的新密码不一致' }),
    }
    setFaults(missing)
    if (Object.keys(missing).length) return
    setBusy(true)
    try {
      const oldPassword = asksOldPassword ? values.OldPassword : undefined
      const input = { token, oldPassword, password: values.Password }
      await send(changeMerchantPassword, input, { quiet: true, project: 0 })
      toast.success('密码已修改')
      onDone()
    } catch (error) {
      setFaults(faultsOf(error))
      setBusy(false)
    }
  }
  const field = (name: Name, label: string, hint?: string) => (
    <PhoneField label={label} isRequired fault={faults[name]} {...(hint === undefined ? {} : { hint })}>
      {control => (
        <input
          {...control}
          type="password"
          autoComplete={name === 'OldPassword' ? 'current-password' : 'new-password'}
          maxLength={name === 'OldPassword' ? 60 : 15}
          value={values[name]}
          onChange={event => setValues({ ...values, [name]: event.target.value })}
        />
      )}
    </PhoneField>
  )
  return (
    <PhoneForm className="merchant-form" aria-label="修改密码" onSubmit={() => void save()}>
      <h2>{mustChange ? '首次登录，请先修改密码' : '修改密码'}</h2>
      {asksOldPassword && field('OldPassword', mustChange ? '初始密码' : '原密码')}
      {field('Password', '新密码', '6～15 位，字母、数字、符号至少两类')}
      {field('Again', '再次填写新密码')}
      <button type="submit" className="big primary" disabled={isBusy}>
        保存
      </button>
      {onCancel && (
        <button type="button" className="big" onClick={onCancel}>
          返回
        </button>
      )}
    </PhoneForm>
  )
}
