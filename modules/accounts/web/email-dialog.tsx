import { Button, Modal } from 'antd'
import { useState } from 'react'
import { rules } from '#kit/contract/rules.ts'
import { focusFirstInput } from '#kit/web/focus-first-input.ts'
import { send } from '#kit/web/send.ts'
import { changeEmail, requestEmailCode, unbindEmail } from '../contract/email.ts'
import { AuthTextField, CurrentPasswordField, useAuthForm, type Faults } from './auth-form.tsx'
import { SmsField, type SolvedCaptcha } from './sms-field.tsx'
import { UnbindDialog } from './unbind-dialog.tsx'

interface EmailDialogProps {
  readonly onClose: () => void
  readonly onDone: () => void
}

/** The user's address for messages: the password, and a code to the address. */
export function BindEmailDialog({ onClose, onDone }: EmailDialogProps) {
  const [typed, setTyped] = useState('')
  const [emailCode, setCode] = useState('')
  const [password, setPassword] = useState('')
  const email = typed.trim()
  const findEmailFaults = (): Faults => {
    const wrong = rules.email.test(email, { required: true })
    return wrong ? { Email: wrong } : {}
  }
  const { faults, showFaults, isBusy, onSubmit } = useAuthForm({
    fields: ['Email', 'EmailCode', 'Password'],
    otherwise: 'Password',
    check: () => ({
      ...findEmailFaults(),
      ...(emailCode.length === 6 ? {} : { EmailCode: '请输入 6 位邮箱验证码' }),
      ...(password ? {} : { Password: '请输入当前密码' }),
    }),
    submit: async () => {
      await send(changeEmail, { email, emailCode, password }, { quiet: true })
      onDone()
    },
  })
  const requestCode = async (picture: SolvedCaptcha): Promise<string> => {
    if (showFaults(findEmailFaults())) throw new Error('请先填写邮箱')
    await send(requestEmailCode, { email, ...picture }, { quiet: true })
    return email
  }
  return (
    <Modal
      open
      afterOpenChange={focusFirstInput}
      title="绑定邮箱"
      width={440}
      footer={null}
      onCancel={onClose}
      mask={{ closable: false }}
    >
      <form onSubmit={onSubmit} noValidate>
        <AuthTextField
          label="邮箱"
          required
          fault={faults.Email}
          autoFocus
          autoComplete="email"
          inputMode="email"
          maxLength={60}
          value={typed}
          onChange={setTyped}
        />
        <SmsField
          label="邮箱验证码"
          name="EmailCode"
          value={emailCode}
          onChange={setCode}
          fault={faults.EmailCode}
          requestCode={requestCode}
          address={{ field: 'Email', onFault: message => showFaults({ Email: message }) }}
        />
        <CurrentPasswordField fault={faults.Password} value={password} onChange={setPassword} />
        <div className="form-foot" style={{ paddingTop: 16 }}>
          <Button type="primary" htmlType="submit" loading={isBusy}>
            绑定邮箱
          </Button>
          <Button onClick={onClose}>取消</Button>
        </div>
      </form>
    </Modal>
  )
}

export const UnbindEmailDialog = (props: EmailDialogProps) => (
  <UnbindDialog
    {...props}
    title="解除邮箱绑定"
    text="解除后不再向该邮箱发送消息；可以随时重新绑定。"
    unbind={password => send(unbindEmail, { password }, { quiet: true })}
  />
)
