import { AuthTextField, CurrentPasswordField, smsCodeFault, useAuthForm, type Faults } from './auth-form.tsx'
import { Button, Modal } from 'antd'
import { useState } from 'react'
import { rules } from '#kit/contract/rules.ts'
import { focusFirstInput } from '#kit/web/focus-first-input.ts'
import { send } from '#kit/web/send.ts'
import { changeMobile, requestSmsCode } from '../contract/sms-code.ts'
import { SmsField, type SolvedCaptcha } from './sms-field.tsx'

interface MobileDialogProps {
  readonly onClose: () => void
  readonly onDone: () => void
}

/** The user's mobile: the password, and a code to the new number. */
export function MobileDialog({ onClose, onDone }: MobileDialogProps) {
  const [typed, setTyped] = useState('')
  const [smsCode, setCode] = useState('')
  const [password, setPassword] = useState('')
  const mobile = typed.trim()
  const findMobileFaults = (): Faults => {
    const wrong = rules.mobile.test(mobile, { required: true })
    return wrong ? { Mobile: wrong } : {}
  }
  const { faults, showFaults, isBusy, onSubmit } = useAuthForm({
    fields: ['Mobile', 'SmsCode', 'Password'],
    otherwise: 'Password',
    check: () => ({
      ...findMobileFaults(),
      ...smsCodeFault(smsCode),
      ...(password ? {} : { Password: '请输入当前密码' }),
    }),
    submit: async () => {
      await send(changeMobile, { mobile, smsCode, password }, { quiet: true })
      onDone()
    },
  })
  const requestCode = async (picture: SolvedCaptcha): Promise<string> => {
    if (showFaults(findMobileFaults())) throw new Error('请先填写新手机号')
    return send(requestSmsCode, { purpose: 'mobile', mobile, ...picture }, { quiet: true })
  }
  return (
    <Modal
      open
      afterOpenChange={focusFirstInput}
      title="变更手机号"
      width={440}
      footer={null}
      onCancel={onClose}
      mask={{ closable: false }}
    >
      <form onSubmit={onSubmit} noValidate>
        <AuthTextField
          label="新手机号"
          required
          fault={faults.Mobile}
          autoFocus
          autoComplete="tel"
          inputMode="tel"
          maxLength={11}
          value={typed}
          onChange={setTyped}
        />
        <SmsField value={smsCode} onChange={setCode} fault={faults.SmsCode} requestCode={requestCode} />
        <CurrentPasswordField fault={faults.Password} value={password} onChange={setPassword} />
        <div className="form-foot" style={{ paddingTop: 16 }}>
          <Button type="primary" htmlType="submit" loading={isBusy}>
            变更手机号
          </Button>
          <Button onClick={onClose}>取消</Button>
        </div>
      </form>
    </Modal>
  )
}
