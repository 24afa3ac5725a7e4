import { useState, type ReactNode, type SyntheticEvent } from 'react'
import { send } from '#kit/web/send.ts'
import { changePassword } from '../contract/account.ts'
import { CurrentPasswordField, NewPasswordFields, useAuthForm, type Faults } from './auth-form.tsx'
import { findNewPasswordFaults } from './password-rules.ts'

interface ChangePasswordOptions {
  readonly loginCode: string
  readonly onChanged: () => void
  readonly readFaults: (error: unknown) => Faults
}

interface ChangePasswordForm {
  readonly fields: ReactNode
  readonly isBusy: boolean
  readonly onSubmit: (event: SyntheticEvent) => void
}

/** The fields with which somebody changes the own password, and their submission. */
export function useChangePassword({
  loginCode,
  onChanged,
  readFaults,
}: ChangePasswordOptions): ChangePasswordForm {
  const [oldPassword, setOldPassword] = useState('')
  const [password, setPassword] = useState('')
  const [again, setAgain] = useState('')
  const { faults, isBusy, onSubmit } = useAuthForm({
    fields: ['OldPassword', 'Password'],
    otherwise: 'again',
    readFaults,
    check: () => ({
      ...(oldPassword ? {} : { OldPassword: '请输入当前密码' }),
      ...findNewPasswordFaults({ label: '新密码', password, again, loginCode, old: oldPassword }),
    }),
    submit: async () => {
      await send(changePassword, { oldPassword, password }, { quiet: true })
      onChanged()
    },
  })
  const fields = (
    <>
      <input type="text" hidden readOnly autoComplete="username" value={loginCode} />
      <CurrentPasswordField
        fault={faults.OldPassword}
        autoFocus
        value={oldPassword}
        onChange={setOldPassword}
      />
      <NewPasswordFields
        label="新密码"
        faults={faults}
        password={password}
        again={again}
        onPassword={setPassword}
        onAgain={setAgain}
      />
    </>
  )
  return { fields, isBusy, onSubmit }
}
