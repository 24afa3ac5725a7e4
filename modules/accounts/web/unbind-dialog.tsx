import { Button, Modal } from 'antd'
import { useState } from 'react'
import { focusFirstInput } from '#kit/web/focus-first-input.ts'
import { CurrentPasswordField, useAuthForm, type Faults } from './auth-form.tsx'

interface UnbindDialogProps {
  readonly title: string
  /** What follows. */
  readonly text: string
  readonly unbind: (password: string) => Promise<unknown>
  readonly onClose: () => void
  readonly onDone: () => void
}

/** Something bound to the account is released with the current password. */
export function UnbindDialog({ title, text, unbind, onClose, onDone }: UnbindDialogProps) {
  const [password, setPassword] = useState('')
  const { faults, isBusy, onSubmit } = useAuthForm({
    fields: ['Password'],
    otherwise: 'Password',
    check: (): Faults => (password ? {} : { Password: '请输入当前密码' }),
    submit: async () => {
      await unbind(password)
      onDone()
    },
  })
  return (
    <Modal
      open
      afterOpenChange={focusFirstInput}
      title={title}
      width={440}
      footer={null}
      onCancel={onClose}
      mask={{ closable: false }}
    >
      <form onSubmit={onSubmit} noValidate>
        <p style={{ paddingBottom: 8 }}>{text}</p>
        <CurrentPasswordField fault={faults.Password} autoFocus value={password} onChange={setPassword} />
        <div className="form-foot" style={{ paddingTop: 16 }}>
          <Button type="primary" danger htmlType="submit" loading={isBusy}>
            解除绑定
          </Button>
          <Button onClick={onClose}>取消</Button>
        </div>
      </form>
    </Modal>
  )
}
